//! The types that parameters of handlers name: the config of `Turn<Config>`, the session of `&mut Session`, the part of
//! `Shared<Part>`. The expansion checks each type once in a block, and not at each parameter that names it. So a key that
//! is missing on the struct is one error.
//!
//! An author may have a type of the name `Shared`. So there are two constants `NAMES`, by the rule of
//! [`Facts`](acp_handlers::Facts). The types of the runtime have an inherent one. All other types have the one of a trait, and
//! its check does nothing.

use std::marker::PhantomData;

use crate::{
    agent::declaration::{AgentDeclaration, Shared, Shares},
    config::Changes,
    session::{ClosedSession, SessionHandle, Turn, TurnHandle},
};

/// A parameter type `P` of a handler of the agent `A`.
#[derive(Debug)]
pub struct Named<P, A: ?Sized>(PhantomData<fn() -> P>, PhantomData<fn() -> A>);

/// Names the config `C`.
#[derive(Debug)]
pub struct NamesConfig<C, A: ?Sized>(PhantomData<fn() -> C>, PhantomData<fn() -> A>);

/// Names the session `S`.
#[derive(Debug)]
pub struct NamesSession<S, A: ?Sized>(PhantomData<fn() -> S>, PhantomData<fn() -> A>);

/// Names the part `T` of what handlers share.
#[derive(Debug)]
pub struct NamesPartOfShared<T, A: ?Sized>(PhantomData<fn() -> T>, PhantomData<fn() -> A>);

/// Names nothing that can be checked.
#[derive(Debug)]
pub struct NamesNothing;

macro_rules! named {
    ($($Parameter:ty: $Names:ident<$Type:ident>;)+) => {$(
        impl<$Type, A: AgentDeclaration + ?Sized> Named<$Parameter, A> {
            /// The type in the parameter.
            pub const NAMES: $Names<$Type, A> = $Names(PhantomData, PhantomData);
        }
    )+};
}

named! {
    Turn<C>: NamesConfig<C>;
    TurnHandle<C>: NamesConfig<C>;
    SessionHandle<C>: NamesConfig<C>;
    Changes<C>: NamesConfig<C>;
    &mut S: NamesSession<S>;
    ClosedSession<S>: NamesSession<S>;
    Shared<T>: NamesPartOfShared<T>;
}

impl<C, A: AgentDeclaration + ?Sized> NamesConfig<C, A> {
    /// Compiles if the agent has this config.
    pub const fn checked(&self) -> usize
    where
        C: ConfigOf<A, A::Config>,
    {
        0
    }
}

impl<S, A: AgentDeclaration + ?Sized> NamesSession<S, A> {
    /// The value, for the parameters of a part.
    pub(in crate::agent) const CHECKED_BY: Self = Self(PhantomData, PhantomData);

    /// Compiles if the agent has this session.
    pub const fn checked(&self) -> usize
    where
        S: StateOf<A, A::Session>,
    {
        0
    }
}

impl<T, A: AgentDeclaration + ?Sized> NamesPartOfShared<T, A> {
    /// Compiles if the handlers of the agent share this part.
    pub const fn checked(&self) -> usize
    where
        A::Shared: Shares<T>,
    {
        0
    }
}

impl NamesNothing {
    /// Compiles.
    pub const fn checked(&self) -> usize {
        0
    }
}

/// The constant of all other types.
pub trait MayName {
    /// Nothing.
    const NAMES: NamesNothing = NamesNothing;
}

impl<P, A: ?Sized> MayName for Named<P, A> {}

/// The type `C`, which is the config of the agent `A`.
#[diagnostic::on_unimplemented(
    message = "the config of `{A}` is `{C}`, not `{Self}`",
    label = "not what `config = ..` names on the struct",
    note = "help: write `#[acp_agent(config = {Self})]` on the struct, or `{C}` here",
    note = "without `config = ..`, the agent itself is its config"
)]
pub trait ConfigOf<A: ?Sized, C> {}

#[diagnostic::do_not_recommend]
impl<A: ?Sized, C> ConfigOf<A, C> for C {}

/// The type `S`, which is the session of the agent `A`.
#[diagnostic::on_unimplemented(
    message = "the session of `{A}` is `{S}`, not `{Self}`",
    label = "not what `session = ..` names on the struct",
    note = "help: write `#[acp_agent(session = {Self})]` on the struct, or `{S}` here",
    note = "without `session = ..`, the session is `()`"
)]
pub trait StateOf<A: ?Sized, S> {}

#[diagnostic::do_not_recommend]
impl<A: ?Sized, S> StateOf<A, S> for S {}
