//! The `#[on_change]` functions and the types of their parameters. `config::hooks` decides when the functions run.

use std::{any::Any, fmt, pin::Pin, sync::Arc};

use crate::rpc::CancellationToken;

use super::{
    declaration::{AgentDeclaration, Handlers},
    heard::heard,
    threading::{Keeps, Kept},
};
use crate::{
    client::Client,
    client::line::Line,
    config::{
        Change, OptionKey, OptionValue, TypedKey,
        hooks::{Hooked, Hooks, Watched},
    },
    values::SessionId,
    wire::{Error, Result},
};

/// The agent, or the session's options; `None` of an agent that threads cannot share, which has no hooks.
type Receiver = Option<Arc<dyn Any + Send + Sync>>;
pub(super) type Running<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// An `#[on_change]` function of the agent `A`.
pub trait Hook<A: AgentDeclaration>: Send + Sync {
    #[doc(hidden)]
    fn option(&self) -> &dyn Watched<A::Config>;

    #[doc(hidden)]
    fn run<'a>(&self, draft: Draft<'a, A>) -> Running<'a>;
}

/// The `#[on_change]` function of one option.
pub struct OnChange<A: AgentDeclaration, K: TypedKey> {
    key: K,
    run: for<'a> fn(Changing<'a, A, K::Value>) -> Running<'a>,
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
    receiver: Receiver,
    before: &'a A::Config,
    config: &'a mut A::Config,
    line: &'a Arc<Line>,
    session_id: &'a SessionId,
}

/// The parts from which a hook's parameters are made. `V` is the type of the option.
pub struct Changing<'a, A: AgentDeclaration, V> {
    receiver: Receiver,
    old: V,
    new: V,
    copy: fn(&V) -> V,
    config: Option<&'a mut A::Config>,
    line: &'a Arc<Line>,
    session_id: &'a SessionId,
}

// Each key becomes a hook here. So the compiler checks once that the key belongs to the agent's config.
impl<A: AgentDeclaration, K: TypedKey> OnChange<A, K> {
    /// Runs `run` when the option `key` changes.
    pub const fn new(key: K, run: for<'a> fn(Changing<'a, A, K::Value>) -> Running<'a>) -> Self {
        Self { key, run }
    }
}

impl<A: AgentDeclaration, K: OptionKey<A::Config>> Hook<A> for OnChange<A, K> {
    fn option(&self) -> &dyn Watched<A::Config> {
        &self.key
    }

    fn run<'a>(&self, draft: Draft<'a, A>) -> Running<'a> {
        let Draft { receiver, before, config, line, session_id } = draft;
        let (old, new) = (self.key.get(before).copy(), self.key.get(config).copy());
        (self.run)(Changing { receiver, old, new, copy: OptionValue::copy, config: Some(config), line, session_id })
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
    note = "a hook may take, in any order, `Change<{V}>`, `&mut Config` (the config in the making), `Client` and \
            `&SessionId`"
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
#[diagnostic::do_not_recommend]
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

#[diagnostic::do_not_recommend]
impl<V, A: AgentDeclaration> FromChange<'_, V, A> for Client {
    fn from_change(change: &mut Changing<'_, A, V>) -> Result<Self> {
        Ok(Client::new(change.line.clone(), Some(change.session_id.clone()), CancellationToken::new()))
    }
}

#[diagnostic::do_not_recommend]
impl<'a, V, A: AgentDeclaration> FromChange<'a, V, A> for &'a SessionId {
    fn from_change(change: &mut Changing<'a, A, V>) -> Result<Self> {
        Ok(change.session_id)
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

/// The hooks of an agent in one session.
pub(crate) struct SessionHooks<A: Handlers> {
    agent: Kept<A>,
    line: Arc<Line>,
    session_id: SessionId,
}

impl<A: Handlers> SessionHooks<A> {
    /// The hooks of a session; `None` if the agent has no hooks.
    pub(crate) fn of(agent: &Kept<A>, line: &Arc<Line>, session_id: &SessionId) -> Option<Box<Hooked<A::Config>>> {
        if A::HOOKS.is_empty() {
            return None;
        }
        let hooks = Self { agent: agent.clone(), line: line.clone(), session_id: session_id.clone() };
        Some(Box::new(Hooked(Box::new(hooks))))
    }
}

impl<A: Handlers> Hooks<A::Config> for SessionHooks<A> {
    fn watched(&self, hook: usize) -> Option<&'static dyn Watched<A::Config>> {
        A::HOOKS.get(hook).map(|hook| hook.option())
    }

    fn run<'a>(&'a self, hook: usize, before: &'a Arc<A::Config>, draft: &'a mut A::Config) -> Running<'a> {
        let Self { agent, line, session_id } = self;
        let receiver = A::receiver::<A::Threading>(agent, before);
        let receiver = A::Threading::shared(&receiver);
        A::HOOKS[hook].run(Draft { receiver, before, config: draft, line, session_id })
    }
}

impl<A: AgentDeclaration, K: OptionKey<A::Config>> fmt::Debug for OnChange<A, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnChange").field("option", &self.key.id()).finish_non_exhaustive()
    }
}
