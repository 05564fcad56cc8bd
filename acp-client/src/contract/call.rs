//! One call of the agent: it is decoded, handled and answered. It is dropped when the agent withdraws it.

use std::{pin::Pin, sync::Arc};

use acp_peer::{CancellationToken, Error, Peer, Responder, rpc::Start, wire::own::answer as own_answer};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::{
    Handlers, base_of,
    handled::Handled,
    lent::{Answer, Lent},
};
use crate::{
    dialect::params::{self, decode},
    inbox::{
        asked::Asked,
        cancel::Cancel,
        entry::Entry,
        held::Held,
        intake::Started,
        question::{ReadQuestion, is_question, not_permitted},
        table::Table,
    },
    schema::Method,
    values::{ClientCapabilities, methods},
};

/// A request, notification or update that has arrived.
pub struct Call<'l, C: Handlers> {
    client: &'l Arc<C>,
    call: Unhandled<'l>,
}

/// A call that a client has no handler for, on its way to the client's base.
pub struct Unhandled<'l> {
    peer: &'l Arc<Peer>,
    method: &'l str,
    params: Option<&'l RawValue>,
    reply: Reply<'l>,
}

/// The receiver of a call's result.
enum Reply<'l> {
    /// The agent, which waits for an answer.
    Agent {
        responder: Responder,
        sessions: &'l Table,
        asked: Asked,
        /// The cancel of a turn ends a question, unless it belongs to other work.
        ends_with_turn: bool,
    },
    /// There is no receiver: the call is a notification.
    Nobody,
    /// The task that passes updates to handlers, one after the other.
    Reader(&'l mut Started),
}

impl<'l, C: Handlers> Call<'l, C> {
    pub(crate) fn new(
        client: &'l Arc<C>,
        peer: &'l Arc<Peer>,
        sessions: &'l Table,
        method: &'l str,
        params: Option<&'l RawValue>,
        responder: Option<Responder>,
    ) -> Self {
        let asked = || sessions.asked(params.map_or("", RawValue::get));
        let of_agent = |responder| Reply::Agent { responder, sessions, asked: asked(), ends_with_turn: true };
        let reply = responder.map_or(Reply::Nobody, of_agent);
        Self { client, call: Unhandled { peer, method, params, reply } }
    }

    /// Lets a question go on when its turn is cancelled.
    pub(crate) fn outlives_turns(&mut self) {
        if let Reply::Agent { ends_with_turn, .. } = &mut self.call.reply {
            *ends_with_turn = false;
        }
    }

    /// An update of this kind. `params` are the params of the notification.
    pub(super) fn of_update(
        client: &'l Arc<C>,
        peer: &'l Arc<Peer>,
        kind: &'l str,
        params: &'l RawValue,
        started: &'l mut Started,
    ) -> Self {
        let reply = Reply::Reader(started);
        Self { client, call: Unhandled { peer, method: kind, params: Some(params), reply } }
    }

    /// A call that the client `client` takes for another one.
    pub(super) fn of(client: &'l Arc<C>, call: Unhandled<'l>) -> Self {
        Self { client, call }
    }

    /// Whether this is an update. Otherwise it is a method.
    pub(super) fn is_update(&self) -> bool {
        matches!(self.call.reply, Reply::Reader(_))
    }

    /// The method's name on the wire; for an update, its kind.
    pub fn method(&self) -> &'l str {
        self.call.method
    }

    /// The client.
    pub fn client(&self) -> &C {
        self.client
    }

    /// The params as they arrived.
    pub fn params(&self) -> Option<&'l RawValue> {
        self.call.params
    }

    /// Passes a call that has no handler on to the client's base. Without one, a method is answered: a request for permission
    /// `cancelled`, because every client may get one.
    pub fn unhandled(self) {
        if let Some(base) = base_of(&**self.client) {
            return base.take(self.call);
        }
        let Reply::Agent { responder, .. } = self.call.reply else { return };
        match self.call.method {
            methods::RequestPermission::NAME => responder.respond(Ok(not_permitted())),
            method => responder.respond::<()>(Err(Error::method_not_found(method))),
        }
    }

    /// Decodes the params and starts the handler. This function never waits.
    ///
    /// When the agent withdraws the request, the handler's future is dropped at its next `.await`. If the handler asks
    /// the user for permission or input, its future is also dropped when its turn is cancelled.
    pub fn run<M: Handled, F>(self, handler: impl FnOnce(Lent<C, M>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        if let Some((lent, launch)) = self.lend::<M>() {
            launch.start(Box::pin(handler(lent)));
        }
    }

    /// As [`run`](Self::run), on the thread that connects.
    pub fn run_local<M: Handled, F>(self, handler: impl FnOnce(Lent<C, M>) -> F)
    where
        F: Future<Output = ()> + 'static,
    {
        if let Some((lent, launch)) = self.lend::<M>() {
            launch.start_local(Box::pin(handler(lent)));
        }
    }

    /// As [`run`](Self::run), for a client that is written without the macro.
    pub fn handle<P, T, F>(self, handler: impl FnOnce(Arc<C>, P) -> F)
    where
        P: DeserializeOwned,
        T: Serialize + Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let (client, method) = (self.client.clone(), self.method());
        let decoded = decode(method, self.params());
        let Some((params, mut answer, launch)) = self.admit(decoded) else { return };
        let work = handler(client, params);
        let method = Box::<str>::from(method);
        launch.start(Box::pin(async move {
            let outcome = work.await.and_then(|value| own_answer(&value).map_err(Error::from));
            answer.give(&method, outcome);
        }));
    }

    /// Gives a question to the reader of its turn. The reader's answer is waited for as that of a handler.
    pub(crate) fn give_to_reader(self, session: &Entry, read: ReadQuestion) {
        if self.method() == methods::CreateElicitation::NAME && self.client.advertised().elicitation.is_none() {
            return self.unhandled();
        }
        let method = Box::<str>::from(self.method());
        let decoded = read(&method, self.params());
        let Some(((question, answered), mut answer, launch)) = self.admit(decoded) else { return };
        launch.start(Box::pin(async move { answer.give(&method, answered.await) }));
        session.ask_reader(question);
    }

    fn lend<M: Handled>(self) -> Option<(Lent<C, M>, Launch<'l>)> {
        let (client, method) = (self.client.clone(), self.method());
        let decoded = M::decode(method, self.params());
        let (received, answer, launch) = self.admit(decoded)?;
        Some((Lent { client, method: method.into(), received, answer }, launch))
    }

    /// Returns the decoded params, the answer and the launch. If the params cannot be read or are not allowed, the call
    /// is answered with the error, and the result is `None`.
    fn admit<P>(self, decoded: Result<P, Error>) -> Option<(P, Answer, Launch<'l>)> {
        let Self { client, call } = self;
        call.admit(decoded, &|| client.advertised())
    }
}

impl<'l> Unhandled<'l> {
    fn admit<P>(
        self,
        decoded: Result<P, Error>,
        advertised: &dyn Fn() -> ClientCapabilities,
    ) -> Option<(P, Answer, Launch<'l>)> {
        let Self { peer, method, params, reply } = self;
        let decoded = decoded.and_then(|decoded| {
            if matches!(reply, Reply::Agent { .. }) {
                params::check(method, params, advertised)?;
            }
            Ok(decoded)
        });
        let params = params.map_or("{}", RawValue::get);
        match (decoded, reply) {
            (Ok(decoded), reply) => {
                let (answer, launch) = launch(peer, method, params, reply);
                Some((decoded, answer, launch))
            }
            (Err(error), Reply::Agent { responder, .. }) => {
                responder.respond::<()>(Err(error));
                None
            }
            // A notification has no answer. An update with such params goes to the receiver of updates without a
            // handler.
            (Err(_), Reply::Nobody | Reply::Reader(_)) => None,
        }
    }
}

/// A handler that is ready to start.
struct Launch<'l> {
    peer: &'l Arc<Peer>,
    withdrawn: Option<CancellationToken>,
    /// The end of the turn; only set if the handler asks the user.
    turn: Option<Cancel>,
    /// Set if the handler asks the user, and updates before the question are not taken yet.
    held: Option<Held>,
    started: Option<(&'l mut Started, oneshot::Receiver<()>)>,
}

fn launch<'l>(peer: &'l Arc<Peer>, method: &str, params: &str, reply: Reply<'l>) -> (Answer, Launch<'l>) {
    let mut answer = Answer { responder: None, is_permission: false, _entered: None, _asked: None, _done: None };
    let mut launch = Launch { peer, withdrawn: None, turn: None, held: None, started: None };
    match reply {
        Reply::Nobody => {}
        Reply::Agent { responder, sessions, asked, ends_with_turn } => {
            answer._asked = Some(asked);
            if let Some(id) = responder.id() {
                let withdrawn = CancellationToken::new();
                answer._entered = Some(peer.enter(id, &withdrawn));
                launch.withdrawn = Some(withdrawn);
            }
            answer.responder = Some(responder);
            answer.is_permission = method == methods::RequestPermission::NAME;
            if is_question(method)
                && let Some(session) = sessions.of(params)
            {
                launch.turn = if ends_with_turn { session.cancellation() } else { None };
                // The reader of such a turn answers, so its question is in the queue already.
                launch.held = if session.takes_questions().is_some() { None } else { session.hold() };
            }
        }
        Reply::Reader(started) => {
            let (done, ended) = oneshot::channel();
            answer._done = Some(done);
            launch.started = Some((started, ended));
        }
    }
    (answer, launch)
}

/// These functions are not generic over the handler. If they were, they would be compiled again for each handler.
impl Launch<'_> {
    fn start(self, work: Pin<Box<dyn Future<Output = ()> + Send>>) {
        let Self { peer, withdrawn, turn, held, started } = self;
        match (turn, held) {
            (None, None) => peer.tasks.start(work, Start::Here(None), withdrawn),
            (turn, held) => peer.tasks.start(question(turn, held, work), Start::Here(None), withdrawn),
        }
        tell(started);
    }

    fn start_local(self, work: Pin<Box<dyn Future<Output = ()>>>) {
        let Self { peer, withdrawn, turn, held, started } = self;
        match (turn, held) {
            (None, None) => peer.tasks.start_local(work, Start::Here(None), withdrawn),
            (turn, held) => peer.tasks.start_local(question(turn, held, work), Start::Here(None), withdrawn),
        }
        tell(started);
    }
}

/// Runs the handler of a question when the updates before the question are taken, until its turn is cancelled. The cancel comes
/// first: after it, a handler that needs no wait would still grant what it is asked.
async fn question(turn: Option<Cancel>, held: Option<Held>, work: impl Future<Output = ()>) {
    let work = async {
        if let Some(held) = held {
            held.passed().await;
        }
        work.await;
    };
    let Some(cancel) = turn else { return work.await };
    let cancelled = cancel.token().cancelled();
    if cancel.has_begun() {
        return cancelled.await;
    }
    tokio::select! {
        biased;
        () = cancelled => {}
        () = work => {}
    }
}

/// Tells the caller whether the handler of an update has already ended.
fn tell(started: Option<(&mut Started, oneshot::Receiver<()>)>) {
    if let Some((started, mut ended)) = started {
        let is_at_work = matches!(ended.try_recv(), Err(oneshot::error::TryRecvError::Empty));
        *started = if is_at_work { Started::Working(ended) } else { Started::Done };
    }
}
