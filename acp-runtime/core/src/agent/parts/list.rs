//! A list of parts is a part: it asks the first, and then the rest.

use std::sync::Arc;

use serde_json::value::RawValue;
use tokio::time::Instant;

#[cfg(feature = "unstable")]
use crate::store::Kept;
use crate::{
    agent::{
        model::{
            Arrival, Call, CallContext, Connection, Directories, EndingKept, Handlers, KeptAgent, Part, SessionOf,
            SlotOf,
        },
        names::Names,
        work::{Place, Try, Watch, Work},
    },
    config::transaction::Keeping,
    rpc::{CancellationToken, Responder},
    session::{Ended, Extras, OpenedBy, SessionOutput},
    values::{ContentBlock, InitializeResponse, McpServer, PromptRequest, PromptResponse, SessionId, StopReason},
    wire::{Error, Result},
};

/// The end of a list.
impl<A: Handlers> Part<A> for () {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    fn new(_: &KeptAgent<A>) {}
}

/// The works of two parts, one after the other.
fn both<'w, T: Send + 'w>(
    first: Option<Work<'w, T>>,
    second: Option<Work<'w, T>>,
    goes_on: impl Fn(&T) -> bool + Send + 'w,
) -> Option<Work<'w, T>> {
    match (first, second) {
        (Some(first), Some(second)) => Some(Box::pin(async move {
            let done = first.await;
            if goes_on(&done) {
                drop(done);
                return second.await;
            }
            done
        })),
        (first, second) => first.or(second),
    }
}

impl<A: Handlers, P: Part<A>, R: Part<A>> Part<A> for (P, R) {
    type OfConnection = (P::OfConnection, R::OfConnection);
    type OfSession = (P::OfSession, R::OfSession);
    type OfCall = (P::OfCall, R::OfCall);

    const WORDS: Names = Names::Both(&P::WORDS, &R::WORDS);
    const SERVES: Names = Names::Both(&P::SERVES, &R::SERVES);
    const PROMPTS: Names = Names::Both(&P::PROMPTS, &R::PROMPTS);
    const HAS_ARMS: bool = P::HAS_ARMS || R::HAS_ARMS;
    const KEEPS_OPTIONS: bool = P::KEEPS_OPTIONS || R::KEEPS_OPTIONS;
    const WATCHES: bool = P::WATCHES || R::WATCHES;
    const PREPARES: bool = P::PREPARES || R::PREPARES;

    fn new(agent: &KeptAgent<A>) -> Self {
        (P::new(agent), R::new(agent))
    }

    #[inline]
    fn advertises(response: &mut InitializeResponse) {
        P::advertises(response);
        R::advertises(response);
    }

    fn prepares(
        &self,
        connection: &Arc<Connection<A>>,
        method: &str,
        params: Option<&RawValue>,
        given_up: &CancellationToken,
    ) -> Option<Try<'static>> {
        let first = self.0.prepares(connection, method, params, given_up);
        both(first, self.1.prepares(connection, method, params, given_up), Result::is_ok)
    }

    #[inline]
    fn admits(&self, connection: &Connection<A>, method: &str) -> Result<()> {
        self.0.admits(connection, method)?;
        self.1.admits(connection, method)
    }

    #[inline]
    fn receives<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        self.0.receives(call).and_then(|call| self.1.receives(call))
    }

    #[inline]
    fn answers<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        self.0.answers(call).and_then(|call| self.1.answers(call))
    }

    #[inline]
    fn drops(kind: &str) -> bool {
        P::drops(kind) || R::drops(kind)
    }

    #[inline]
    fn relaxes_prompt(prompt: &mut Vec<ContentBlock>) {
        P::relaxes_prompt(prompt);
        R::relaxes_prompt(prompt);
    }

    #[inline]
    fn relaxes_servers(servers: &mut Vec<McpServer>) {
        P::relaxes_servers(servers);
        R::relaxes_servers(servers);
    }

    #[inline]
    fn arrives(&self, own: &Self::OfSession, arrival: &Arrival<'_, A>, slot: &mut SlotOf<A>) -> Result<bool> {
        Ok(self.0.arrives(&own.0, arrival, slot)? || self.1.arrives(&own.1, arrival, slot)?)
    }

    #[inline]
    fn waits(
        &self,
        own: &Self::OfSession,
        context: &CallContext<A>,
        slot: &SlotOf<A>,
        prompt: &PromptRequest,
        responder: &mut Option<Responder>,
    ) {
        self.0.waits(&own.0, context, slot, prompt, responder);
        self.1.waits(&own.1, context, slot, prompt, responder);
    }

    #[inline]
    fn asks(call: &mut Self::OfCall, roots: &Directories<'_>) {
        P::asks(&mut call.0, roots);
        R::asks(&mut call.1, roots);
    }

    #[inline]
    fn cancels(own: &Self::OfSession, session: &SessionOf<A>) {
        P::cancels(&own.0, session);
        R::cancels(&own.1, session);
    }

    async fn takes_turn(
        &self,
        own: &Self::OfSession,
        context: &CallContext<A>,
        slot: &mut SlotOf<A>,
        prompt: Option<&PromptRequest>,
        responder: &mut Option<Responder>,
    ) -> Result<()> {
        self.0.takes_turn(&own.0, context, slot, prompt, responder).await?;
        self.1.takes_turn(&own.1, context, slot, prompt, responder).await
    }

    #[inline]
    fn begins<'w>(
        &self,
        own: &Self::OfSession,
        slot: &SlotOf<A>,
        cancel: &CancellationToken,
        prompt: &'w [ContentBlock],
    ) -> Option<Try<'w>> {
        let first = self.0.begins(&own.0, slot, cancel, prompt);
        both(first, self.1.begins(&own.1, slot, cancel, prompt), Result::is_ok)
    }

    #[inline]
    fn watches(own: &Self::OfSession, call: &mut Self::OfCall) -> Option<Watch> {
        P::watches(&own.0, &mut call.0).or_else(|| R::watches(&own.1, &mut call.1))
    }

    #[inline]
    fn runs(call: &mut Self::OfCall) {
        P::runs(&mut call.0);
        R::runs(&mut call.1);
    }

    #[inline]
    fn ends(&self, own: &Self::OfSession, slot: &SlotOf<A>) -> Option<Try<'static>> {
        let first = self.0.ends(&own.0, slot);
        both(first, self.1.ends(&own.1, slot), Result::is_ok)
    }

    #[inline]
    fn frees(own: &Self::OfSession, end: &Result<StopReason>, free: &mut dyn FnMut()) {
        P::frees(&own.0, end, &mut || R::frees(&own.1, end, free));
    }

    #[inline]
    fn never_began(own: &Self::OfSession, call: &CancellationToken, error: Error) -> Result<PromptResponse> {
        P::never_began(&own.0, call, error).or_else(|error| R::never_began(&own.1, call, error))
    }

    #[inline]
    fn leaves(own: &Self::OfSession, call: &CancellationToken) {
        P::leaves(&own.0, call);
        R::leaves(&own.1, call);
    }

    #[inline]
    fn passes(own: &Self::OfSession, session: &SessionOf<A>) -> Option<Work<'static, ()>> {
        both(P::passes(&own.0, session), R::passes(&own.1, session), |()| true)
    }

    fn place_of<'w>(&'w self, connection: &Connection<A>, id: &SessionId) -> Option<Work<'w, Result<Place>>> {
        self.0.place_of(connection, id).or_else(|| self.1.place_of(connection, id))
    }

    #[cfg(feature = "unstable")]
    fn copies<'w>(
        &'w self,
        call: &'w mut Self::OfCall,
        connection: &Connection<A>,
        from: &SessionId,
        active: Option<&Arc<SessionOf<A>>>,
    ) -> Option<Work<'w, Result<Kept>>> {
        let first = self.0.copies(&mut call.0, connection, from, active);
        first.or_else(|| self.1.copies(&mut call.1, connection, from, active))
    }

    #[inline]
    fn furnishes(&self, call: &mut Self::OfCall, extras: &mut Option<Box<Extras>>) {
        self.0.furnishes(&mut call.0, extras);
        self.1.furnishes(&mut call.1, extras);
    }

    #[inline]
    fn made(&self, call: &mut Self::OfCall, session: &Arc<SessionOf<A>>) {
        self.0.made(&mut call.0, session);
        self.1.made(&mut call.1, session);
    }

    #[inline]
    fn reopens(call: &mut Self::OfCall, output: &SessionOutput) {
        P::reopens(&mut call.0, output);
        R::reopens(&mut call.1, output);
    }

    #[inline]
    fn creates<'w>(
        &'w self,
        call: &'w mut Self::OfCall,
        connection: &Connection<A>,
        session: &Arc<SessionOf<A>>,
    ) -> Option<Try<'w>> {
        let first = self.0.creates(&mut call.0, connection, session);
        both(first, self.1.creates(&mut call.1, connection, session), Result::is_ok)
    }

    #[inline]
    fn opened(&self, call: &mut Self::OfCall, session: &Arc<SessionOf<A>>) {
        self.0.opened(&mut call.0, session);
        self.1.opened(&mut call.1, session);
    }

    #[inline]
    fn opened_for(
        &self,
        (of_session, of_connection): (&Self::OfSession, &Self::OfConnection),
        connection: &Arc<Connection<A>>,
        session: &Arc<SessionOf<A>>,
        how: OpenedBy,
    ) {
        self.0.opened_for((&of_session.0, &of_connection.0), connection, session, how);
        self.1.opened_for((&of_session.1, &of_connection.1), connection, session, how);
    }

    #[inline]
    fn before_end(
        &self,
        connection: &Connection<A>,
        id: &SessionId,
        session: Option<&Arc<SessionOf<A>>>,
        end: Ended,
    ) -> Option<Try<'_>> {
        let first = self.0.before_end(connection, id, session, end);
        both(first, self.1.before_end(connection, id, session, end), Result::is_ok)
    }

    #[inline]
    fn accompanies(own: &Self::OfSession) -> usize {
        P::accompanies(&own.0) + R::accompanies(&own.1)
    }

    #[inline]
    fn ended(own: &Self::OfSession) {
        P::ended(&own.0);
        R::ended(&own.1);
    }

    #[inline]
    fn ended_late(
        (of_session, of_connection): (&Self::OfSession, &Self::OfConnection),
        session: &Arc<SessionOf<A>>,
        end: Ended,
    ) {
        P::ended_late((&of_session.0, &of_connection.0), session, end);
        R::ended_late((&of_session.1, &of_connection.1), session, end);
    }

    #[inline]
    fn behind_end(&self, session: &Arc<SessionOf<A>>, end: Ended) -> Option<Work<'static, ()>> {
        both(self.0.behind_end(session, end), self.1.behind_end(session, end), |()| true)
    }

    #[inline]
    fn ended_for(
        &self,
        (of_session, of_connection): (&Self::OfSession, &Self::OfConnection),
        connection: &Arc<Connection<A>>,
        kept: EndingKept<A>,
    ) -> Option<EndingKept<A>> {
        let kept = self.0.ended_for((&of_session.0, &of_connection.0), connection, kept)?;
        self.1.ended_for((&of_session.1, &of_connection.1), connection, kept)
    }

    #[inline]
    fn keeps_options(&self, session: &Arc<SessionOf<A>>, draft: &A::Config) -> Option<Keeping> {
        self.0.keeps_options(session, draft).or_else(|| self.1.keeps_options(session, draft))
    }

    #[inline]
    fn abandons(own: &Self::OfConnection) {
        P::abandons(&own.0);
        R::abandons(&own.1);
    }

    #[inline]
    fn disconnects(
        &self,
        (of_session, of_connection): (&Self::OfSession, &Self::OfConnection),
        connection: &Arc<Connection<A>>,
        session: &Arc<SessionOf<A>>,
    ) {
        self.0.disconnects((&of_session.0, &of_connection.0), connection, session);
        self.1.disconnects((&of_session.1, &of_connection.1), connection, session);
    }

    #[inline]
    fn departs(&self, own: &Self::OfConnection, connection: &Arc<Connection<A>>) {
        self.0.departs(&own.0, connection);
        self.1.departs(&own.1, connection);
    }

    #[inline]
    fn drains<'w>(
        &'w self,
        own: &'w Self::OfConnection,
        connection: &'w Arc<Connection<A>>,
        deadline: Instant,
    ) -> Option<Work<'w, ()>> {
        let first = self.0.drains(&own.0, connection, deadline);
        both(first, self.1.drains(&own.1, connection, deadline), |()| true)
    }

    #[inline]
    fn over(own: &Self::OfConnection) {
        P::over(&own.0);
        R::over(&own.1);
    }
}
