//! What goes along the path of a call: the host, the connection, the session, the call, with the two traits that they depend on.
//! `handlers` is the impl half of an agent, and `part` is a feature beside the path. Each depends on the other, because an agent
//! lists its parts, and a part is one of an agent. The files above have the functions of these values.

mod block;
mod extension;
mod handlers;
mod part;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, atomic::AtomicBool},
    time::Duration,
};

use serde_json::value::RawValue;

pub use block::Block;
pub use extension::{Extension, ExtensionKind, Route, is_method};
pub use handlers::{Handlers, OneBlockWithoutPart};
pub use part::{Arrival, Part};

use super::{
    declaration::{AgentDeclaration, Keeps},
    handshake::Handshake,
    held::Held,
};
use crate::{
    client::line::Line,
    dialect::Dialects,
    rpc::{CancellationToken, Responder},
    session::{
        Ended, Ending, Session, TurnSlot, WeakSessionHandle, WorkingDirectories,
        table::{Sessions, Transition, TransitionTurn},
    },
    transport::{Context, Limits},
    values::SessionId,
};

/// An agent as its host keeps it.
pub(crate) type KeptAgent<A> = <<A as OneBlockWithoutPart>::Threading as Keeps<A>>::Kept;
/// An agent as its handlers get it.
pub(crate) type LentAgent<'c, A> = <<A as OneBlockWithoutPart>::Threading as Keeps<A>>::Lent<'c>;

/// An agent, what its parts have of it, and its sessions.
pub(crate) struct Hosted<A: Handlers> {
    pub(crate) agent: KeptAgent<A>,
    pub(crate) parts: A::Parts,
    pub(crate) sessions: Sessions<Config<A>, State<A>, OfSession<A>>,
}

type Config<A> = <A as AgentDeclaration>::Config;
type State<A> = <A as AgentDeclaration>::Session;

/// What the agent's parts have of each session.
pub(crate) type PartsOfSession<A> = <<A as OneBlockWithoutPart>::Parts as Part<A>>::OfSession;
/// What the agent's parts have of each call that opens a session or is a turn.
pub(crate) type PartsOfCall<A> = <<A as OneBlockWithoutPart>::Parts as Part<A>>::OfCall;
/// What the agent's parts have of each connection.
pub(crate) type PartsOfConnection<A> = <<A as OneBlockWithoutPart>::Parts as Part<A>>::OfConnection;

/// What the agent has of a session.
pub struct OfSession<A: Handlers> {
    pub(in crate::agent) parts: PartsOfSession<A>,
    /// `None` if the agent has no hooks, and its handlers share nothing.
    pub(in crate::agent) attachment: Option<Arc<Attachment<A>>>,
}

/// A session of the agent.
pub(crate) type SessionOf<A> = Session<Config<A>, State<A>, OfSession<A>>;
/// The right of a turn to its session.
pub(crate) type SlotOf<A> = TurnSlot<Config<A>, State<A>, OfSession<A>>;
/// The end of a session, which has begun.
pub(crate) type EndingOf<A> = Ending<Config<A>, State<A>, OfSession<A>>;
/// A call that opens or ends a session, among the others that do.
pub(crate) type TransitionOf<A> = Transition<Config<A>, State<A>, OfSession<A>>;

pub(crate) struct Attachment<A: Handlers> {
    pub(in crate::agent) agent: KeptAgent<A>,
    pub(in crate::agent) line: Arc<Line>,
    pub(in crate::agent) session_id: SessionId,
    /// Weak, because the session has this object.
    pub(in crate::agent) handle: OnceLock<WeakSessionHandle<A::Config>>,
    /// `None` if the agent declares no shared part, and once the session is dropped.
    pub(in crate::agent) shared: Mutex<Option<A::KeptShared>>,
    /// The call that is about to open the session again, and the shared part that it brings, for its hooks.
    pub(in crate::agent) reopened: Mutex<Option<(Arc<Reopener>, A::KeptShared)>>,
}

/// A call that opens a session again. Its hooks get the line of this call and the shared part that it is about to put in place,
/// and not the earlier ones.
pub(in crate::agent) struct Reopener {
    pub(in crate::agent) line: Arc<Line>,
}

/// A client, and the host that serves it.
pub struct Connection<A: Handlers> {
    pub(crate) host: Arc<Hosted<A>>,
    pub(crate) line: Arc<Line>,
    /// What the agent's parts have of this connection.
    pub(crate) parts: PartsOfConnection<A>,
    pub(crate) limits: Limits,
    /// How long a call waits for another process to give its session up.
    pub(crate) hand_over_timeout: Duration,
    /// What is known of the client beside what it says.
    pub(crate) context: Context,
    /// Whether other connections have the host, too.
    pub(in crate::agent) is_one_of_many: bool,
    /// The client is gone, and its sessions end.
    pub(in crate::agent) is_departing: AtomicBool,
    /// The connection is over. A session that opens now has no client, and never gets one.
    pub(in crate::agent) is_over: AtomicBool,
    /// The dialects that `initialize` can choose from.
    pub(crate) dialects: Dialects,
    /// For an agent with a handler of `initialize`, and for a version in which a client may repeat it.
    pub(crate) handshake: Handshake,
    /// Only for an agent with a part that has work before requests are admitted.
    pub(in crate::agent) held: Held,
}

/// What every call has.
pub struct CallContext<A: Handlers> {
    pub(crate) connection: Arc<Connection<A>>,
    /// The agent as the handler gets it.
    pub(crate) receiver: KeptAgent<A>,
    /// Cancels the call.
    pub(crate) cancel: CancellationToken,
    /// Whether the client does not want the history that the handler replays.
    #[cfg(feature = "v2")]
    pub(in crate::agent) is_silent: bool,
}

/// A call that has arrived: a request, or a notification, which needs no answer.
pub struct Call<'l, A: Handlers> {
    pub(in crate::agent) connection: &'l Arc<Connection<A>>,
    pub(in crate::agent) method: &'l str,
    /// The method's name as the client sent it. For a handler of a prefix, `method` is the handler's arm.
    pub(in crate::agent) sent: &'l str,
    pub(in crate::agent) params: Option<&'l RawValue>,
    pub(in crate::agent) responder: Option<Responder>,
    /// As in [`CallContext`].
    #[cfg(feature = "v2")]
    pub(in crate::agent) is_silent: bool,
}

/// The directories in which a session is to be opened.
pub struct Directories<'r> {
    pub(crate) cwd: &'r Path,
    pub(crate) additional_directories: &'r [PathBuf],
}

impl Directories<'_> {
    /// The same for a session, which keeps them.
    pub(in crate::agent) fn kept(&self) -> WorkingDirectories {
        let Self { cwd, additional_directories } = *self;
        WorkingDirectories::new(cwd, additional_directories)
    }
}

/// The end of a session, until its answer is in the buffer; the fields are dropped in this order.
pub struct EndingKept<A: Handlers> {
    pub(in crate::agent) turn: Option<TransitionTurn>,
    pub(in crate::agent) transition: Option<TransitionOf<A>>,
    pub(in crate::agent) ending: Option<EndingOf<A>>,
    pub(in crate::agent) session: Option<Arc<SessionOf<A>>>,
    pub(in crate::agent) id: SessionId,
    pub(in crate::agent) end: Ended,
    pub(in crate::agent) state: EndState,
}

/// How far the end has come.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::agent) enum EndState {
    Asked,
    /// The session has ended, by this call.
    Ended,
    /// The session has ended, and another call was before this one.
    EndedBefore,
}
