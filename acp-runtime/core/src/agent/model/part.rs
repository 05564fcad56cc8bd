//! The trait of parts. A call asks the parts of its agent at a few places of its path; each function here is one of these places,
//! in the order of the path. A part implements those that it needs.

use std::sync::Arc;

use serde_json::value::RawValue;
use tokio::time::Instant;

use super::{Call, CallContext, Connection, Directories, EndingKept, Handlers, KeptAgent, SessionOf, SlotOf};
#[cfg(feature = "unstable")]
use crate::store::Kept;
use crate::{
    agent::{
        names::Names,
        work::{Place, Try, Watch, Work},
    },
    config::transaction::Keeping,
    rpc::{CancellationToken, Responder},
    session::{Ended, Extras, OpenedBy, SessionOutput},
    values::{ContentBlock, InitializeResponse, McpServer, PromptRequest, PromptResponse, SessionId, StopReason},
    wire::{Error, Result},
};

/// A feature of an agent, beside the path of a call.
///
/// The macro lists the parts of an agent as `(First, (Second, ()))`. An agent without a part has no code of it, and no byte.
pub trait Part<A: Handlers>: Sized + Send + Sync + 'static {
    /// What the part has of a connection.
    type OfConnection: Default + Send + Sync + 'static;
    /// What the part has of a session.
    type OfSession: Default + Send + Sync + 'static;
    /// What the part has of a call that opens a session or is a turn.
    type OfCall: Default + Send + 'static;

    /// The words by which checks find the part.
    const WORDS: Names = Names::NONE;
    /// The methods that the part answers, if the agent has no handler for them.
    const SERVES: Names = Names::NONE;
    /// The methods that the part takes as prompts, if the agent has no handler for them.
    const PROMPTS: Names = Names::NONE;
    /// Whether the part calls functions of the agent by names that no message may use.
    const HAS_ARMS: bool = false;
    /// Whether a change of options by the client may have to wait for the part.
    const KEEPS_OPTIONS: bool = false;
    /// Whether the part [watches](Self::watches) the tasks of turns.
    const WATCHES: bool = false;
    /// Whether the part has [work](Self::prepares) before a request is admitted.
    const PREPARES: bool = false;

    /// Called on the thread that serves the agent.
    fn new(agent: &KeptAgent<A>) -> Self;

    /// Adds what the part serves to the answer to `initialize`.
    fn advertises(response: &mut InitializeResponse) {
        let _ = response;
    }

    // Read: a message has come.

    /// Work before the request is admitted. What arrives behind it for the same session waits, too. The work ends soon when
    /// `given_up` is set, because the request was withdrawn or cancelled.
    fn prepares(
        &self,
        connection: &Arc<Connection<A>>,
        method: &str,
        params: Option<&RawValue>,
        given_up: &CancellationToken,
    ) -> Option<Try<'static>> {
        let _ = (connection, method, params, given_up);
        None
    }

    /// The client calls the method.
    ///
    /// # Errors
    ///
    /// It may not, now.
    fn admits(&self, connection: &Connection<A>, method: &str) -> Result<()> {
        let _ = (connection, method);
        Ok(())
    }

    /// Takes a request that the part answers, or sends it to another function of the agent.
    fn receives<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        Some(call)
    }

    /// Takes a request that no handler has taken.
    fn answers<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        Some(call)
    }

    // Admit: what the call may touch.

    /// Whether the part leaves blocks of this kind out of prompts.
    fn drops(kind: &str) -> bool {
        let _ = kind;
        false
    }

    /// Leaves blocks out of a prompt.
    fn relaxes_prompt(prompt: &mut Vec<ContentBlock>) {
        let _ = prompt;
    }

    /// Leaves out MCP servers of a session.
    fn relaxes_servers(servers: &mut Vec<McpServer>) {
        let _ = servers;
    }

    /// A prompt has come. Begins its turn, or gives it a place behind the turn that runs. Returns false if the part does neither.
    ///
    /// # Errors
    ///
    /// The session is busy.
    fn arrives(&self, own: &Self::OfSession, arrival: &Arrival<'_, A>, slot: &mut SlotOf<A>) -> Result<bool> {
        let _ = (own, arrival, slot);
        Ok(false)
    }

    /// A prompt has got a place behind the turn that runs.
    fn waits(
        &self,
        own: &Self::OfSession,
        context: &CallContext<A>,
        slot: &SlotOf<A>,
        prompt: &PromptRequest,
        responder: &mut Option<Responder>,
    ) {
        let _ = (own, context, slot, prompt, responder);
    }

    /// A call asks to open a session in these directories.
    fn asks(call: &mut Self::OfCall, roots: &Directories<'_>) {
        let _ = (call, roots);
    }

    /// The client cancels what the session does; or a call that opens or ends it is admitted, or the client is gone.
    fn cancels(own: &Self::OfSession, session: &SessionOf<A>) {
        let _ = (own, session);
    }

    // Run: the handler of a turn.

    /// Waits until the turn of a prompt begins that has a place behind another turn.
    fn takes_turn(
        &self,
        own: &Self::OfSession,
        context: &CallContext<A>,
        slot: &mut SlotOf<A>,
        prompt: Option<&PromptRequest>,
        responder: &mut Option<Responder>,
    ) -> impl Future<Output = Result<()>> + Send {
        let _ = (own, context, slot, prompt, responder);
        async { Ok(()) }
    }

    /// The turn of a prompt has begun, and its handler has not: work before it.
    fn begins<'w>(
        &self,
        own: &Self::OfSession,
        slot: &SlotOf<A>,
        cancel: &CancellationToken,
        prompt: &'w [ContentBlock],
    ) -> Option<Try<'w>> {
        let _ = (own, slot, cancel, prompt);
        None
    }

    /// A function that the task of a turn calls after each step that was not the last one, until it returns true.
    fn watches(own: &Self::OfSession, call: &mut Self::OfCall) -> Option<Watch> {
        let _ = (own, call);
        None
    }

    /// The handler of the turn gets the call now, and takes its first step.
    fn runs(call: &mut Self::OfCall) {
        let _ = call;
    }

    // Conclude and tell: a turn.

    /// Work behind the handler of a turn, before the answer.
    fn ends(&self, own: &Self::OfSession, slot: &SlotOf<A>) -> Option<Try<'static>> {
        let _ = (own, slot);
        None
    }

    /// Frees the session of a turn that has ended.
    fn frees(own: &Self::OfSession, end: &Result<StopReason>, free: &mut dyn FnMut()) {
        let _ = (own, end);
        free();
    }

    /// The answer to a prompt that waited, and never had a turn.
    fn never_began(own: &Self::OfSession, call: &CancellationToken, error: Error) -> Result<PromptResponse> {
        let _ = (own, call);
        Err(error)
    }

    /// A prompt that waited is answered.
    fn leaves(own: &Self::OfSession, call: &CancellationToken) {
        let _ = (own, call);
    }

    // Sessions open.

    /// Where a session works that the part has kept: its directory, and further ones.
    fn place_of<'w>(&'w self, connection: &Connection<A>, id: &SessionId) -> Option<Work<'w, Result<Place>>> {
        let _ = (connection, id);
        None
    }

    /// Work before a session is opened again or ended, when its turn has ended.
    fn passes(own: &Self::OfSession, session: &SessionOf<A>) -> Option<Work<'static, ()>> {
        let _ = (own, session);
        None
    }

    /// A new session begins as a copy of this one. Returns what the part has kept of it.
    #[cfg(feature = "unstable")]
    fn copies<'w>(
        &'w self,
        call: &'w mut Self::OfCall,
        connection: &Connection<A>,
        from: &SessionId,
        active: Option<&Arc<SessionOf<A>>>,
    ) -> Option<Work<'w, Result<Kept>>> {
        let _ = (call, connection, from, active);
        None
    }

    /// What a new session has from its begin.
    fn furnishes(&self, call: &mut Self::OfCall, extras: &mut Option<Box<Extras>>) {
        let _ = (call, extras);
    }

    /// A session is made, and no client knows it.
    fn made(&self, call: &mut Self::OfCall, session: &Arc<SessionOf<A>>) {
        let _ = (call, session);
    }

    /// A session that was active before has this output, or a replay.
    fn reopens(call: &mut Self::OfCall, output: &SessionOutput) {
        let _ = (call, output);
    }

    /// Work before the client knows of a new session.
    fn creates<'w>(
        &'w self,
        call: &'w mut Self::OfCall,
        connection: &Connection<A>,
        session: &Arc<SessionOf<A>>,
    ) -> Option<Try<'w>> {
        let _ = (call, connection, session);
        None
    }

    /// A session stands in the table of the host. Its client is told next.
    fn opened(&self, call: &mut Self::OfCall, session: &Arc<SessionOf<A>>) {
        let _ = (call, session);
    }

    /// The client has been told of a session that was opened.
    fn opened_for(
        &self,
        own: (&Self::OfSession, &Self::OfConnection),
        connection: &Arc<Connection<A>>,
        session: &Arc<SessionOf<A>>,
        how: OpenedBy,
    ) {
        let _ = (own, connection, session, how);
    }

    // Sessions end.

    /// How many functions of the part have the session until it ends, so that they do not count as calls of it.
    fn accompanies(own: &Self::OfSession) -> usize {
        let _ = own;
        0
    }

    /// Work before a session ends, when its handler has succeeded.
    fn before_end(
        &self,
        connection: &Connection<A>,
        id: &SessionId,
        session: Option<&Arc<SessionOf<A>>>,
        end: Ended,
    ) -> Option<Try<'_>> {
        let _ = (connection, id, session, end);
        None
    }

    /// The session has left the table of the host.
    fn ended(own: &Self::OfSession) {
        let _ = own;
    }

    /// The session has ended late: the call that ended it has failed, and the state was taken nevertheless.
    fn ended_late(own: (&Self::OfSession, &Self::OfConnection), session: &Arc<SessionOf<A>>, end: Ended) {
        let _ = (own, session, end);
    }

    /// Work behind the end of a session, before the answer.
    fn behind_end(&self, session: &Arc<SessionOf<A>>, end: Ended) -> Option<Work<'static, ()>> {
        let _ = (session, end);
        None
    }

    /// The client has been told of the end of a session. Returns what lived until the answer, unless the part goes on with it.
    fn ended_for(
        &self,
        own: (&Self::OfSession, &Self::OfConnection),
        connection: &Arc<Connection<A>>,
        kept: EndingKept<A>,
    ) -> Option<EndingKept<A>> {
        let _ = (own, connection);
        Some(kept)
    }

    // Options.

    /// Keeps options that the client sets, before they are in force.
    fn keeps_options(&self, session: &Arc<SessionOf<A>>, draft: &A::Config) -> Option<Keeping> {
        let _ = (session, draft);
        None
    }

    // The client is gone.

    /// Nothing is read any more.
    fn abandons(own: &Self::OfConnection) {
        let _ = own;
    }

    /// A session that ends with its client is open when the client is gone, or opens behind that.
    fn disconnects(
        &self,
        own: (&Self::OfSession, &Self::OfConnection),
        connection: &Arc<Connection<A>>,
        session: &Arc<SessionOf<A>>,
    ) {
        let _ = (own, connection, session);
    }

    /// The handlers that run may still end by themselves.
    fn departs(&self, own: &Self::OfConnection, connection: &Arc<Connection<A>>) {
        let _ = (own, connection);
    }

    /// Work behind the end of all handlers, until `deadline` at the latest.
    fn drains<'w>(
        &'w self,
        own: &'w Self::OfConnection,
        connection: &'w Arc<Connection<A>>,
        deadline: Instant,
    ) -> Option<Work<'w, ()>> {
        let _ = (own, connection, deadline);
        None
    }

    /// The connection is over, also if its future is dropped.
    fn over(own: &Self::OfConnection) {
        let _ = own;
    }
}

/// A prompt that has come.
pub struct Arrival<'p, A: Handlers> {
    pub(crate) connection: &'p Connection<A>,
    pub(crate) cancel: &'p CancellationToken,
    /// Whether the turn that runs may take the prompt in.
    pub(crate) may_join: bool,
}
