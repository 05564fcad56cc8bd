//! The part of a session that all its handlers share: how it is kept, who gives it, and how a handler gets it.

use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
};

use super::{AgentDeclaration, on_thread::OnThread};
use crate::wire::{Error, Result};

/// The part of a session that its handlers share, as a parameter of a handler.
///
/// `&mut Session` is for the turn alone. A core with a thread of its own, a queue or a connection is also for `cancel`, for
/// hooks and for extension methods, which run while there is a turn. `shared = ..` on the struct names the type of this part.
/// `new_session`, `load_session`, `resume_session` and `restore_session` return it beside the session: `(Session, Core)`, or
/// [`OpenedSession::shared`](crate::agent::OpenedSession::shared). If they do not, it is the type's default.
///
/// Each handler gets a clone, so the type is a handle, or in an `Arc`. When an active session is loaded again, the new part
/// takes the place of the old one. Handlers that run at that time keep their clones.
///
/// ```
/// use acp_runtime::{agent::FromRef, prelude::*};
///
/// #[derive(Clone)]
/// struct Core { commands: tokio::sync::mpsc::UnboundedSender<&'static str>, store: Store }
///
/// #[derive(Clone, Default)]
/// struct Store;
///
/// impl FromRef<Core> for Store {
///     fn from_ref(core: &Core) -> Self {
///         core.store.clone()
///     }
/// }
///
/// #[acp_agent(shared = Core)]
/// #[derive(Clone)]
/// struct Coder;
///
/// #[acp_agent]
/// impl Coder {
///     async fn new_session(&self) -> ((), Core) {
///         let (commands, mut received) = tokio::sync::mpsc::unbounded_channel();
///         tokio::spawn(async move { while received.recv().await.is_some() {} });
///         ((), Core { commands, store: Store })
///     }
///
///     async fn prompt(&self, Shared(core): Shared<Core>, turn: Turn<Self>) -> Result<StopReason> {
///         core.commands.send("prompt").map_err(|_| Error::internal_error("the core has ended"))?;
///         turn.message("Done.").await?;
///         Ok(StopReason::EndTurn)
///     }
///
///     async fn cancel(&self, Shared(core): Shared<Core>) {
///         let _ = core.commands.send("interrupt");
///     }
///
///     // A part of what is shared.
///     #[ext("_example.com/undo")]
///     async fn undo(&self, Shared(store): Shared<Store>) -> bool {
///         let _ = store;
///         true
///     }
/// }
/// # let _ = Coder;
/// ```
///
/// `prompt`, `steer`, commands, `cancel`, `close_session`, `session_opened`, `session_ended` and `#[on_change]` functions take it. So do
/// extension methods, if their params name an active session as `sessionId`; if not, the request is answered `-32602`.
/// `load_session`, `resume_session`, `restore_session` and `delete_session` take `Option<Shared<T>>`, which is `None` if the session is not active.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared<T>(pub T);

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// A part of what the handlers of a session share. [`Shared<Self>`](Shared) is then a parameter of handlers, where `S` is the
/// type that `shared = S` names. Every type is a part of itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no part of what the handlers of a session share, which is a `{S}`",
    label = "not what `shared = ..` names on the struct",
    note = "help: write `#[acp_agent(shared = {Self})]` on the struct, or `impl FromRef<{S}> for {Self}`",
    note = "without `shared = ..`, the handlers share `()`"
)]
pub trait FromRef<S> {
    /// Takes the part out of the whole. It runs for each handler, so it is a clone of a handle.
    fn from_ref(shared: &S) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Clone> FromRef<T> for T {
    fn from_ref(shared: &T) -> T {
        shared.clone()
    }
}

/// What the handlers of a session share, of which `T` is a part. If the whole is a type with a mistake, which was reported, the
/// compiler takes this bound for true. It does not do so for `T: FromRef<Self>`.
pub trait Shares<T> {
    /// Takes the part out of the whole.
    fn part(&self) -> Shared<T>;
}

impl<S, T: FromRef<S>> Shares<T> for S {
    fn part(&self) -> Shared<T> {
        Shared(T::from_ref(self))
    }
}

/// A shared part as its session keeps it. Any thread may hold this value and drop it.
pub trait KeptShared<S>: Clone + Send + Sync + 'static {
    /// Whether the agent has a shared part.
    const IS_THERE: bool = true;

    #[doc(hidden)]
    fn keep(shared: S) -> Self;

    /// The shared part; `None` if it belongs to another thread.
    #[doc(hidden)]
    fn lend(&self) -> Option<S>;

    /// The value of an agent without a shared part.
    #[doc(hidden)]
    fn nothing() -> Option<Self> {
        None
    }
}

impl KeptShared<()> for () {
    const IS_THERE: bool = false;

    fn keep((): ()) {}

    fn lend(&self) -> Option<()> {
        Some(())
    }

    fn nothing() -> Option<()> {
        Some(())
    }
}

/// A shared part that any thread may have.
#[derive(Debug)]
pub struct SharedByAll<S>(Arc<S>);

impl<S> Clone for SharedByAll<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Clone + Send + Sync + 'static> KeptShared<S> for SharedByAll<S> {
    fn keep(shared: S) -> Self {
        Self(Arc::new(shared))
    }

    fn lend(&self) -> Option<S> {
        Some(S::clone(&self.0))
    }
}

/// The shared part of a `local` agent.
impl<S: Clone + 'static> KeptShared<S> for OnThread<S> {
    fn keep(shared: S) -> Self {
        Self::own(shared)
    }

    fn lend(&self) -> Option<S> {
        self.lend().map(|shared| S::clone(&shared))
    }
}

/// Compiles if handlers can share the type. The expansion calls this function for the length of an array.
pub const fn shared_by_handlers<S>() -> usize
where
    S: CanBeShared,
{
    0
}

/// As [`shared_by_handlers`], for an agent with `local`.
pub const fn shared_on_one_thread<S>() -> usize
where
    S: CanBeCloned,
{
    0
}

/// A type that all handlers of a session can have.
#[diagnostic::on_unimplemented(
    message = "the handlers of a session cannot share `{Self}`",
    label = "each handler gets a clone, on any thread",
    note = "the type must be `Clone`, `Send` and `Sync`; with `local` on the struct, `Clone` is enough",
    note = "help: take an `Arc`, not an `Rc`, and put what changes behind a `Mutex`"
)]
pub trait CanBeShared {}

#[diagnostic::do_not_recommend]
impl<S: Clone + Send + Sync + 'static> CanBeShared for S {}

/// A type that all handlers of a session on one thread can have.
#[diagnostic::on_unimplemented(
    message = "the handlers of a session cannot share `{Self}`",
    label = "each handler gets a clone",
    note = "help: let `{Self}` derive `Clone`, or take an `Rc` of it"
)]
pub trait CanBeCloned {}

#[diagnostic::do_not_recommend]
impl<S: Clone + 'static> CanBeCloned for S {}

/// The default of the agent's shared part.
pub(crate) fn default_shared<A: AgentDeclaration>() -> Result<A::KeptShared> {
    let shared = match A::DEFAULT_SHARED {
        Some(default) => Some(A::keep_shared(default())),
        None => A::KeptShared::nothing(),
    };
    shared
        .ok_or_else(|| Error::internal_error("the handler has given the session no shared part, and it has no default"))
}

/// Marks an [`OpenedSession`](crate::agent::OpenedSession) without a shared part.
#[doc(hidden)] // authors leave it out
#[derive(Clone, Copy, Debug)]
pub struct Unshared;
