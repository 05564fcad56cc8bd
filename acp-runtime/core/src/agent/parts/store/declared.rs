//! The store of an agent that declares `store = ..`, and the checks of what goes with it.

use std::{fmt, marker::PhantomData, sync::Arc, time::Duration};

use serde::{Serialize, de::DeserializeOwned};

use super::bounds::Bounds;
use crate::{
    agent::{
        declaration::AgentDeclaration,
        expansion::{Named, NamesSession},
        model::{Block, Handlers, Part},
        parts::{HasFunctions, function},
    },
    constant::{Text, contains},
    schema::Method,
    store::{Kept, KeptState, SessionStore, StoreError},
    values::methods,
    wire::{Error, Result},
};

/// Reads a kept state.
type Restore<S> = fn(&KeptState) -> Result<S, StoreError>;

/// An agent with `store = field`.
pub trait HasStore: AgentDeclaration {
    #[doc(hidden)]
    const STORE: StoreDeclaration<Self>;
}

/// The store of an agent, and how a session's state becomes JSON.
pub struct StoreDeclaration<A: AgentDeclaration + ?Sized> {
    store: fn(&A) -> Arc<dyn SessionStore>,
    version: u32,
    keep: fn(u32, &A::Session) -> Result<KeptState, StoreError>,
    restore: Option<Restore<A::Session>>,
    bounds: Bounds,
}

impl<A: AgentDeclaration + ?Sized> Clone for StoreDeclaration<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: AgentDeclaration + ?Sized> Copy for StoreDeclaration<A> {}

impl<A: AgentDeclaration + ?Sized> fmt::Debug for StoreDeclaration<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreDeclaration").field("version", &self.version).finish_non_exhaustive()
    }
}

impl<A: AgentDeclaration + ?Sized> StoreDeclaration<A> {
    /// The store that `store` returns. States have this version.
    pub const fn new(store: fn(&A) -> Arc<dyn SessionStore>, version: u32, restore: Option<Restore<A::Session>>) -> Self
    where
        A::Session: StoredSession,
    {
        let bounds = Bounds { kept_for: None, kept_at_most: None, replayed_at_most: None };
        Self { store, version, keep: <A::Session as StoredSession>::keep, restore, bounds }
    }

    /// A session is kept for so many seconds after its last change.
    pub const fn kept_for(mut self, seconds: u64) -> Self {
        self.bounds.kept_for = Some(Duration::from_secs(seconds));
        self
    }

    /// So many sessions of a principal are kept: those with the latest changes.
    pub const fn kept_at_most(mut self, count: u32) -> Self {
        self.bounds.kept_at_most = Some(count);
        self
    }

    /// A load replays so many entries: the last ones.
    pub const fn replayed_at_most(mut self, count: u32) -> Self {
        self.bounds.replayed_at_most = Some(count);
        self
    }

    pub(super) const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Whether a state can be read back without a handler.
    pub(crate) const fn restores(&self) -> bool {
        self.restore.is_some()
    }

    pub(crate) fn store(&self, agent: &A) -> Arc<dyn SessionStore> {
        (self.store)(agent)
    }

    pub(crate) fn keep(&self, state: &A::Session) -> Result<KeptState, StoreError> {
        (self.keep)(self.version, state)
    }

    /// The state of a session, as the struct reads it.
    pub(crate) fn restore(&self, kept: &Kept) -> Result<A::Session> {
        // The check `restores` and the bound of `Restored` let no such agent compile.
        let Some(restore) = self.restore else {
            return Err(Error::internal_error("the session's state does not implement `serde::Deserialize`"));
        };
        // A session without a state has that of `()`.
        let nothing = KeptState::new(self.version, &())?;
        let state = kept.state.as_ref().unwrap_or(&nothing);
        if state.version() != self.version {
            return Err(Error::internal_error(format!(
                "another version of the agent has kept the session: its state has version {}, and this agent reads version {}",
                state.version(),
                self.version
            )));
        }
        Ok(restore(state)?)
    }
}

/// The state of a stored session, as `store = ..` has kept it: a parameter of
/// [`restore_session`](crate::agent::handlers::restore_session). Without it, and without that function, the session begins
/// with this state.
///
/// ```
/// use std::sync::Arc;
///
/// use acp_runtime::{agent::{Restored, Roots}, prelude::*, store::SessionStore};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Default, Serialize, Deserialize)]
/// struct Session {
///     notes: Vec<String>,
///     /// The servers of the session, which begin anew.
///     #[serde(skip)]
///     servers: usize,
/// }
///
/// # #[derive(ConfigOptions, Clone)]
/// # struct Config {}
/// #[acp_agent(config = Config, session = Session, store = store)]
/// struct Coder { store: Arc<dyn SessionStore> }
///
/// #[acp_agent]
/// impl Coder {
///     async fn prompt(&self) -> StopReason { StopReason::EndTurn }
///
///     async fn restore_session(&self, Restored(session): Restored<Session>, roots: Roots) -> Session {
///         Session { servers: roots.mcp_servers.len(), ..session }
///     }
/// }
/// # let _ = Coder { store: Arc::new(acp_runtime::store::MemoryStore::new()) };
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restored<S>(pub S);

impl<S, A: AgentDeclaration + ?Sized> Named<Restored<S>, A> {
    /// The type in the parameter.
    pub const NAMES: NamesSession<S, A> = NamesSession::CHECKED_BY;
}

/// The state of a session that a store keeps.
#[diagnostic::on_unimplemented(
    message = "a store cannot keep `{Self}`, the state of a session",
    label = "lacks `#[derive(serde::Serialize, serde::Deserialize)]`",
    note = "help: put `#[derive(serde::Serialize, serde::Deserialize)]` on `{Self}`",
    note = "a field that cannot be kept has `#[serde(skip)]`, and `async fn restore_session` makes it anew; what lives beside the state goes to `shared = ..` on the struct"
)]
pub trait StoredSession {
    #[doc(hidden)]
    fn keep(version: u32, state: &Self) -> Result<KeptState, StoreError>;
}

#[diagnostic::do_not_recommend]
impl<S: Serialize> StoredSession for S {
    fn keep(version: u32, state: &S) -> Result<KeptState, StoreError> {
        KeptState::new(version, state)
    }
}

/// The state of a session that can be read back from a store.
#[diagnostic::on_unimplemented(
    message = "`{Self}`, the state of a session, cannot be read back from the store",
    label = "lacks `#[derive(serde::Deserialize)]`",
    note = "help: put `#[derive(serde::Deserialize)]` on `{Self}`; or take `kept: Kept` in place of `Restored<{Self}>`, and make the state from it"
)]
pub trait ReadBack {}

#[diagnostic::do_not_recommend]
impl<S: DeserializeOwned> ReadBack for S {}

/// Compiles if a store can keep the session. The expansion calls this function for the length of an array.
pub const fn session_kept_by_store<S>() -> usize
where
    S: StoredSession,
{
    0
}

/// A field that holds a store.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `Arc` of a store of sessions",
    label = "not an `Arc` of a store",
    note = "help: let the field be an `Arc<dyn SessionStore>`, or an `Arc` of a type that implements `acp_runtime::store::SessionStore`"
)]
pub trait HoldsStore {
    #[doc(hidden)]
    fn store(&self) -> Arc<dyn SessionStore>;
}

#[diagnostic::do_not_recommend]
impl<S: SessionStore> HoldsStore for Arc<S> {
    fn store(&self) -> Arc<dyn SessionStore> {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl HoldsStore for Arc<dyn SessionStore> {
    fn store(&self) -> Arc<dyn SessionStore> {
        self.clone()
    }
}

/// The way to read a state. If the type can be read, the compiler finds the inherent constant. Otherwise it finds that of
/// [`MayLackRestore`].
#[derive(Debug)]
pub struct Restores<S>(PhantomData<fn() -> S>);

impl<S: DeserializeOwned> Restores<S> {
    /// Reads the state.
    pub const RESTORE: Option<Restore<S>> = Some(KeptState::read::<S>);
}

/// The answer for types that cannot be read.
pub trait MayLackRestore<S> {
    /// A handler has to make the state.
    const RESTORE: Option<Restore<S>> = None;
}

impl<S> MayLackRestore<S> for Restores<S> {}

/// Fails to compile when a store is declared, and nothing reads the states of its sessions.
pub const fn restores<A: HasStore + HasFunctions>() {
    if Block::are_sound(A::BLOCKS) && !A::STORE.restores() && function!(A, store.restore_session).is_none() {
        panic!(
            "a stored session cannot be opened again: its state does not implement `serde::Deserialize`, and there is no handler `restore_session` to make one
help: put `#[derive(serde::Deserialize)]` on the type, or add `async fn restore_session(&self, kept: Kept) -> Result<Session>`"
        );
    }
}

/// Fails to compile when stored sessions are opened again without a handler, and nothing makes the part that their handlers share.
pub const fn shares_restored<A: HasStore + HasFunctions>() {
    // A state that cannot be read back asks for the same handler, and is reported at `store`.
    let is_restored = !A::STORE.restores() || function!(A, store.restore_session).is_some();
    // Without a handler `new_session`, that is reported.
    let is_new = Block::handle(A::BLOCKS, methods::NewSession::NAME);
    if Block::are_sound(A::BLOCKS) && is_new && A::DEFAULT_SHARED.is_none() && !is_restored {
        panic!(
            "`shared` names a type without a default, and there is no handler `restore_session` to make one for a stored session
help: add `async fn restore_session(&self, Restored(session): Restored<Session>) -> Result<(Session, Core)>`, with the types of `session` and `shared`, or let the type implement `Default`"
        );
    }
}

/// Fails to compile when there is a handler `restore_session`, but no store.
pub const fn is_stored<A: Handlers>() {
    if !A::Parts::WORDS.has("store") && !contains(A::MEANT, "store") {
        panic!(
            "the handler `restore_session` is never called: the agent declares no store
help: write `store = field` in the `#[acp_agent(..)]` of the struct, or handle `load_session` and `resume_session`"
        );
    }
}

/// Fails to compile when a method has a handler, and the store serves it.
pub const fn is_not_stored<A: Handlers>(handler: &str) {
    if A::Parts::WORDS.has("store") {
        let text = Text::EMPTY.push("the store serves this method: the handler `").push(handler);
        let text = text.push("` is never called\nhelp: remove it");
        if !matches!(handler.as_bytes(), [b'l', b'i', ..]) {
            let text =
                text.push("; what the agent does when a session is opened again goes in `async fn restore_session`");
            panic!("{}", text.as_str());
        }
        panic!("{}", text.as_str());
    }
}
