//! An agent whose handlers stand in several `impl` blocks: one main block, and parts that the main block names.
//!
//! Each block expands to a [`OneBlockPerPart`]. The main block joins all blocks while the author's crate compiles. So the code
//! behind [`Handlers`] sees no difference between one block and several.

use std::marker::PhantomData;

use acp_handlers::each;

use super::expansion::extend_apart;
use crate::agent::{
    call::route_once,
    model::{Block, Call, Handlers},
    parts::{Functions, FunctionsOf},
};

/// One letter of a part's name. Blocks of different modules share no types, so a type spells the name: `(Letter<'g'>,
/// Letter<'i'>, Letter<'t'>)`.
#[derive(Debug)]
pub struct Letter<const C: char>;

/// The handlers of one block of the agent `A`. The name `N` of the main block is `()`. If two blocks have one name, the compiler's
/// error has the name of this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no part of this name",
    label = "no `#[acp_agent(part = ..)]` has this name",
    note = "help: write `#[acp_agent(part = ..)]` with this name on the `impl {Self}` that is the part, or remove the name from `parts(..)`"
)]
pub trait OneBlockPerPart<N, A: Handlers> {
    /// The handlers.
    const BLOCK: Block<A>;
    /// The functions that parts call.
    const FUNCTIONS: Functions<A> = Functions::NONE;
    /// Read with the block, so that `cargo check` evaluates it.
    const CHECKED: () = ();

    /// Hands a call to its handler. Returns a call that has no handler in this block.
    fn call<'l>(call: Call<'l, A>) -> Option<Call<'l, A>>;
}

/// Implemented by the main block for each part that it names, so that no part is forgotten.
#[diagnostic::on_unimplemented(
    message = "no block names this part of `{Self}`",
    label = "its handlers would never be called",
    note = "help: name it in the main block of the agent: `#[acp_agent(parts(..))] impl {Self}`"
)]
pub trait NamesPart<N> {
    /// Zero, if the agent has its struct half. Without it the value is an error, which is reported at the main block.
    const NAMED: usize;
}

/// Implemented by a struct that names parts. This was reported, and no part is missed then.
pub trait NamesPartsOnItsStruct {}

/// The part `N` of the agent `A`. For a struct that names parts, the compiler finds the inherent constant `BY`, for all others that of
/// [`ByMainBlock`].
#[derive(Debug)]
pub struct NamedPart<A: ?Sized, N>(PhantomData<fn() -> N>, PhantomData<fn() -> A>);

/// The struct names parts.
#[derive(Debug)]
pub struct OnItsStruct;

impl<A: NamesPartsOnItsStruct + ?Sized, N> NamedPart<A, N> {
    /// The struct names parts.
    pub const BY: OnItsStruct = OnItsStruct;
}

impl OnItsStruct {
    /// Compiles.
    pub const fn named(&self) -> usize {
        0
    }
}

/// The main block names the parts.
pub trait ByMainBlock: Sized {
    /// This part.
    const BY: Self;
}

impl<A: ?Sized, N> ByMainBlock for NamedPart<A, N> {
    const BY: Self = Self(PhantomData, PhantomData);
}

impl<A: ?Sized, N> NamedPart<A, N> {
    /// Compiles if the main block names the part.
    pub const fn named(&self) -> usize
    where
        A: NamesPart<N>,
    {
        A::NAMED
    }
}

/// One block among those of an agent.
#[derive(Debug)]
pub struct Joined<A: Handlers> {
    block: Block<A>,
    functions: Functions<A>,
    call: for<'l> fn(Call<'l, A>) -> Option<Call<'l, A>>,
}

impl<A: Handlers> Joined<A> {
    /// The block of the name `N`.
    pub const fn of<T: OneBlockPerPart<N, A>, N>() -> Self {
        let () = T::CHECKED;
        Self { block: T::BLOCK, functions: T::FUNCTIONS, call: T::call }
    }

    /// The handlers of each block.
    pub const fn blocks<const N: usize>(all: &[Self]) -> [Block<A>; N] {
        let mut blocks = [Block::NONE; N];
        let mut i = 0;
        while i < N {
            blocks[i] = all[i].block;
            i += 1;
        }
        blocks
    }

    /// The functions of each block that parts call.
    pub const fn functions<const N: usize>(all: &[Self]) -> [Functions<A>; N] {
        let mut functions = [Functions::NONE; N];
        let mut i = 0;
        while i < N {
            functions[i] = all[i].functions;
            i += 1;
        }
        functions
    }

    /// Fails to compile when the last of the first `count` blocks handles a name or a prefix that another one handles. For a
    /// method of the protocol, the compiler reports the two functions, because they have one name.
    pub const fn once<Main>(all: &[Self], count: usize)
    where
        A: FunctionsOf<Main>,
    {
        let (functions, _) = A::FUNCTIONS.split_at(count);
        let last = &all[count - 1].block;
        each!(before in all.split_at(count - 1).0, {
            extend_apart(before.block.extensions, last.extensions);
            route_once(before.block.routes, last.routes);
        });
        Functions::once(functions);
    }

    /// Hands a call to the block that has its handler.
    pub fn call(all: &[Self], call: Call<'_, A>) {
        let mut call = call;
        for joined in all {
            match (joined.call)(call) {
                None => return,
                Some(other) => call = other,
            }
        }
        call.unhandled();
    }
}

/// The items of `impl OneBlockWithoutPart` for an agent of the blocks `$parts`. Here, and not in the expansion, because each token of an
/// expansion costs the build of the macros.
#[doc(hidden)]
#[macro_export]
macro_rules! __joined_handlers {
    ($Agent:ident, $parts:ident) => {
        type Threading = <$Agent as $crate::__private::AgentDeclaration>::Threads;
        // No block knows the functions of the others, so the agent has the parts of all functions.
        type Parts =
            $crate::__private::WithAllFunctions<<$Agent as $crate::__private::AgentDeclaration>::DeclaredParts>;
        const BLOCKS: &'static [$crate::__private::Block<Self>] =
            &$crate::__private::Joined::blocks::<{ $parts.len() }>($parts);
        const NEW_SESSION: $crate::__private::Option<
            fn() -> <$Agent as $crate::__private::AgentDeclaration>::Session,
        > = {
            // No block knows the handlers of the others, so this must compile for every type.
            use $crate::__private::Otherwise as _;
            $crate::__private::Facts::<<$Agent as $crate::__private::AgentDeclaration>::Session>::DEFAULT
        };
        fn call(call: $crate::__private::Call<'_, $Agent>) {
            $crate::__private::Joined::call($parts, call)
        }
    };
}
