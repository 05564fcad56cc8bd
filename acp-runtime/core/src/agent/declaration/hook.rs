//! The `#[on_change]` functions and the types of their parameters. `config::hooks` decides when the functions run.

use std::{fmt, pin::Pin, sync::Arc};

use super::{
    AgentDeclaration,
    on_thread::Shareable,
    shared::{Shared, Shares},
};
use crate::{
    agent::heard::heard,
    client::{Client, line::Line},
    config::{Change, Changes, ConfigOptions, OptionKey, OptionValue, TypedKey, hooks::Watched},
    rpc::CancellationToken,
    session::SessionHandle,
    values::SessionId,
    wire::{Error, Result},
};

/// The agent, or the session's options; `None` of an agent that threads cannot share, which has no hooks.
type Receiver = Option<Shareable>;
pub(super) type Running<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// An `#[on_change]` function of the agent `A`.
pub trait Hook<A: AgentDeclaration>: Send + Sync {
    /// `None` for the function of the whole change.
    #[doc(hidden)]
    fn option(&self) -> Option<&dyn Watched<A::Config>>;

    #[doc(hidden)]
    fn run<'a>(&self, draft: Draft<'a, A>) -> Running<'a>;
}

/// The `#[on_change]` function of one option.
pub struct OnChange<A: AgentDeclaration, K: TypedKey> {
    key: K,
    run: for<'a> fn(Changing<'a, A, K::Value>) -> Running<'a>,
}

/// The `#[on_change]` function of the whole change.
pub struct OnEveryChange<A: AgentDeclaration> {
    run: for<'a> fn(Changing<'a, A, EveryOption<A::Config>>) -> Running<'a>,
}

/// The options as a whole, in the place of the type of an option.
pub struct EveryOption<C>(Arc<C>);

impl<A: AgentDeclaration> OnEveryChange<A> {
    /// Runs `run` when options change.
    pub const fn new(run: for<'a> fn(Changing<'a, A, EveryOption<A::Config>>) -> Running<'a>) -> Self {
        Self { run }
    }
}

impl<A: AgentDeclaration> Hook<A> for OnEveryChange<A> {
    fn option(&self) -> Option<&dyn Watched<A::Config>> {
        None
    }

    fn run<'a>(&self, draft: Draft<'a, A>) -> Running<'a> {
        let Draft { receiver, before, config, of } = draft;
        let (old, new) = (EveryOption(before.clone()), EveryOption(Arc::new(config.snapshot())));
        let copy = |all: &EveryOption<A::Config>| EveryOption(all.0.clone());
        (self.run)(Changing { receiver, old, new, copy, config: Some(config), of })
    }
}

/// An agent that may have hooks.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot have hooks: threads cannot share it",
    label = "any thread may change options, and runs this function",
    note = "help: let the agent's fields be `Send` and `Sync`, also where the agent is `local`"
)]
pub trait HookAgent: Send + Sync {}

#[diagnostic::do_not_recommend]
impl<A: Send + Sync> HookAgent for A {}

/// A transaction that is not committed yet, as a hook sees it.
pub struct Draft<'a, A: AgentDeclaration> {
    /// The function's `&self`.
    pub(in crate::agent) receiver: Receiver,
    pub(in crate::agent) before: &'a Arc<A::Config>,
    pub(in crate::agent) config: &'a mut A::Config,
    pub(in crate::agent) of: &'a dyn HookedSession<A>,
}

/// The session of a hook.
pub(in crate::agent) trait HookedSession<A: AgentDeclaration>: Send + Sync {
    fn line(&self) -> Arc<Line>;
    fn id(&self) -> &SessionId;
    /// `None` when the session is over.
    fn handle(&self) -> Option<SessionHandle<A::Config>>;
    fn shared(&self) -> Result<A::Shared>;
}

/// The parts from which a hook's parameters are made. `V` is the type of the option.
pub struct Changing<'a, A: AgentDeclaration, V> {
    receiver: Receiver,
    old: V,
    new: V,
    copy: fn(&V) -> V,
    config: Option<&'a mut A::Config>,
    of: &'a dyn HookedSession<A>,
}

// Each key becomes a hook here. So the compiler checks once that the key belongs to the agent's config.
impl<A: AgentDeclaration, K: TypedKey> OnChange<A, K> {
    /// Runs `run` when the option `key` changes.
    pub const fn new(key: K, run: for<'a> fn(Changing<'a, A, K::Value>) -> Running<'a>) -> Self {
        Self { key, run }
    }
}

impl<A: AgentDeclaration, K: OptionKey<A::Config>> Hook<A> for OnChange<A, K> {
    fn option(&self) -> Option<&dyn Watched<A::Config>> {
        Some(&self.key)
    }

    fn run<'a>(&self, draft: Draft<'a, A>) -> Running<'a> {
        let Draft { receiver, before, config, of } = draft;
        let (old, new) = (self.key.get(before).copy(), self.key.get(config).copy());
        (self.run)(Changing { receiver, old, new, copy: OptionValue::copy, config: Some(config), of })
    }
}

impl<'a, A: AgentDeclaration, V> Changing<'a, A, V> {
    /// The function's `&self`.
    pub fn receiver(&mut self) -> Arc<A>
    where
        A: HookAgent,
    {
        let receiver = self.receiver.take().and_then(|receiver| receiver.downcast().ok());
        receiver.expect("threads share the agent, and one function takes it once")
    }

    /// Makes a parameter of the function.
    ///
    /// # Errors
    ///
    /// The change has no value for this parameter any more.
    pub fn take<T: FromChange<'a, V, A>>(&mut self) -> Result<T> {
        T::from_change(self)
    }
}

/// The future of a hook in a transaction. Any thread may commit the transaction.
// The compiler shows the line of a failed bound, so this line says the reason.
#[rustfmt::skip]
pub fn running<'a, F>(future: F) -> Running<'a>
where
    F: Future<Output = Result<()>> + 'a
        + Send, // the future of a hook must be `Send`, that of a `local` agent's hook, too
{
    Box::pin(future)
}

/// A type that an `#[on_change]` function may take as a parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a hook on an option of type `{V}`",
    label = "not something this hook can provide",
    note = "a hook may take, in any order, `Change<{V}>`, `&mut Config` (the config in the making), `Client`, \
            `SessionHandle<Config>` and `&SessionId`; without an option, it takes `Changes<Config>` instead of `Change`",
    note = "with `shared = Core` on the struct, it takes also `Shared<T>`, where `T` is `Core` or implements \
            `FromRef<Core>`, and threads can share `Core`"
)]
pub trait FromChange<'a, V, A: AgentDeclaration>: Sized {
    /// Takes the value out of the change.
    ///
    /// # Errors
    ///
    /// The error ends the transaction.
    fn from_change(change: &mut Changing<'a, A, V>) -> Result<Self>;
}

// If no option can have the type, the compiler reports this at the option itself.
impl<V, A: AgentDeclaration> FromChange<'_, V, A> for Change<V> {
    fn from_change(change: &mut Changing<'_, A, V>) -> Result<Self> {
        Ok(Self { old: (change.copy)(&change.old), new: (change.copy)(&change.new) })
    }
}

#[diagnostic::do_not_recommend]
impl<'a, V, C, A: AgentDeclaration<Config = C>> FromChange<'a, V, A> for &'a mut C {
    fn from_change(change: &mut Changing<'a, A, V>) -> Result<Self> {
        change.config.take().ok_or_else(|| Error::internal_error("two parameters of a hook take the config"))
    }
}

impl<V, A: AgentDeclaration> FromChange<'_, V, A> for Client {
    fn from_change(change: &mut Changing<'_, A, V>) -> Result<Self> {
        Ok(Client::new(change.of.line(), Some(change.of.id().clone()), CancellationToken::new()))
    }
}

impl<'a, V, A: AgentDeclaration> FromChange<'a, V, A> for &'a SessionId {
    fn from_change(change: &mut Changing<'a, A, V>) -> Result<Self> {
        Ok(change.of.id())
    }
}

/// A change that the hook makes through the handle would wait for the hook, and fails.
#[diagnostic::do_not_recommend]
impl<V, A: AgentDeclaration<Config = C>, C: ConfigOptions> FromChange<'_, V, A> for SessionHandle<C> {
    fn from_change(change: &mut Changing<'_, A, V>) -> Result<Self> {
        change.of.handle().ok_or_else(|| Error::invalid_request("the session is over"))
    }
}

// The compiler names the types whose impls it may recommend. So it says why this one is not a parameter.
impl<V, A: AgentDeclaration, T> FromChange<'_, V, A> for Shared<T>
where
    A::Shared: Shares<T> + SharedInHooks,
{
    fn from_change(change: &mut Changing<'_, A, V>) -> Result<Self> {
        change.of.shared().map(|shared| shared.part())
    }
}

/// A shared part that a hook can have.
#[diagnostic::on_unimplemented(
    message = "a hook cannot have `{Self}`, which threads cannot share",
    label = "a hook may run on any thread, also where the agent is `local`",
    note = "help: take an `Arc` for an `Rc` in the type that `shared = ..` names on the struct, and a `Mutex` for a `RefCell`"
)]
pub trait SharedInHooks {}

#[diagnostic::do_not_recommend]
impl<S: Send + Sync> SharedInHooks for S {}

impl<C: ConfigOptions, A: AgentDeclaration<Config = C>> FromChange<'_, EveryOption<C>, A> for Changes<C> {
    fn from_change(change: &mut Changing<'_, A, EveryOption<C>>) -> Result<Self> {
        Ok(Self::new(change.old.0.clone(), change.new.0.clone()))
    }
}

/// The types that an `#[on_change]` function may return.
#[diagnostic::on_unimplemented(
    message = "a hook cannot return `{Self}`",
    label = "expected `Result<()>`, or nothing",
    note = "an error rolls the change back and is the answer to the client that asked for it"
)]
pub trait IntoHookResult {
    /// Accepts or refuses the change.
    ///
    /// # Errors
    ///
    /// The hook's own error.
    fn settles(self) -> Result<()>;
}

#[diagnostic::do_not_recommend]
impl IntoHookResult for () {
    fn settles(self) -> Result<()> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<Error>> IntoHookResult for Result<(), E> {
    fn settles(self) -> Result<()> {
        self.map_err(|error| heard("on_change", error.into()))
    }
}

impl<A: AgentDeclaration, K: OptionKey<A::Config>> fmt::Debug for OnChange<A, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnChange").field("option", &self.key.id()).finish_non_exhaustive()
    }
}

impl<A: AgentDeclaration> fmt::Debug for OnEveryChange<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnEveryChange").finish_non_exhaustive()
    }
}
