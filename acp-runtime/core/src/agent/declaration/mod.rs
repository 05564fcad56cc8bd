//! The two halves of an agent, which the macros implement.

mod hook;
mod identity;
mod on_thread;
mod shared;
mod threading;

pub(in crate::agent) use hook::HookedSession;
pub use hook::{
    Changing, Draft, EveryOption, FromChange, Hook, HookAgent, IntoHookResult, OnChange, OnEveryChange, SharedInHooks,
    running,
};
pub use identity::{AgentInfo, AuthDeclaration};
pub use on_thread::{Keeping, OnThread, StaysOnItsThread};
pub(crate) use shared::default_shared;
pub use shared::{
    CanBeCloned, CanBeShared, FromRef, KeptShared, Shared, SharedByAll, Shares, Unshared, shared_by_handlers,
    shared_on_one_thread,
};
pub use threading::{Keeps, Local, NotLocal, OnThreads, SendUnlessLocal, Threaded, Threading};

use std::sync::Arc;

use crate::config::ConfigOptions;

/// The struct half of `#[acp_agent]`: the agent's identity and the types of its sessions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no agent yet: its struct lacks `#[acp_agent]`",
    label = "the struct of this type is not marked",
    note = "help: put `#[acp_agent]` on `struct {Self}`, above its fields"
)]
// Not `Sized`: in the impl of an agent with a mistake, the compiler would take all types for that.
pub trait AgentDeclaration: 'static {
    /// The config options of a session: a struct of options, or the agent itself (small form).
    type Config: ConfigOptions;
    /// The state that a session keeps between turns; `()` unless `session = ..` names a type.
    type Session: Send + 'static;
    /// Whether the handlers' futures may move between threads: [`Threaded`] if they may, else
    /// [`Local`].
    type Threads: Threading;

    /// The part of a session that its handlers share; `()` unless `shared = ..` names a type.
    type Shared: Clone + 'static;
    /// The shared part as a session keeps it.
    #[doc(hidden)]
    type KeptShared: KeptShared<Self::Shared>;

    /// The parts that the keys of the struct ask for, as a list.
    #[doc(hidden)]
    type DeclaredParts;

    /// The agent, or an error if its struct has a mistake that was reported.
    type Sound;

    /// The agent's part of `initialize`, besides the capabilities that its handlers imply.
    const IDENTITY: AgentInfo;

    /// The keys that have a mistake which was reported, where something else depends on them.
    #[doc(hidden)]
    const MEANT: &'static [&'static str] = &[];

    /// Makes the shared part of a session whose handler gives none.
    #[doc(hidden)]
    const DEFAULT_SHARED: Option<fn() -> Self::Shared> = None;

    /// The shared part as a session keeps it. The agents that declare `local` say whether threads can share it.
    #[doc(hidden)]
    fn keep_shared(shared: Self::Shared) -> Self::KeptShared {
        Self::KeptShared::keep(shared)
    }

    /// The options with which a new session starts.
    fn initial_config(&self) -> Self::Config {
        Self::Config::initial()
            .expect("a config that `config =` names has options alone, which the compiler has checked (`options_of`)")
    }

    /// The `&self` of a session's handlers: the agent. In the small form, the session's options.
    fn receiver<T: Keeps<Self>>(agent: &T::Kept, config: &Arc<Self::Config>) -> T::Kept
    where
        Self: Sized,
    {
        let _ = config;
        agent.clone()
    }

    /// The agent as a connection on one thread keeps it. The agents that declare `local` say whether threads can share them.
    fn keep_local(self) -> OnThread<Self>
    where
        Self: Sized,
    {
        OnThread::own(self)
    }
}

/// A session type that needs no `new_session` handler.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no default, and there is no `new_session` handler to make one",
    label = "sessions of this type cannot be started",
    note = "help: add `async fn new_session(&self, request: NewSessionRequest) -> Result<{Self}>`, or `#[derive(Default)]` on the type"
)]
pub trait DefaultSession {
    /// Makes a fresh session.
    fn default_session() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> DefaultSession for T {
    fn default_session() -> Self {
        T::default()
    }
}
