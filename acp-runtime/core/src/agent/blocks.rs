//! An agent whose handlers stand in several `impl` blocks: one main block, and parts that the main block names.
//!
//! Each block expands to a [`OneBlockPerPart`]. The main block joins all blocks while the author's crate compiles. So the code
//! behind [`Handlers`] sees no difference between one block and several.

use std::marker::PhantomData;

use super::expansion::extend_once_from;
use crate::{
    agent::{
        call::route_once_from,
        declaration::{AgentDeclaration, Draft, Hook, Running},
        model::{Call, Extension, Handlers, Route},
        parts::{Functions, FunctionsOf},
    },
    config::hooks::Watched,
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
    /// The wire names of the methods that have a handler.
    const METHODS: &'static [&'static str];
    /// The extension methods that have a handler.
    const EXTENSIONS: &'static [Extension] = &[];
    /// The handlers of methods by prefix.
    const ROUTES: &'static [Route] = &[];
    /// The functions that run when an option changes.
    const HOOKS: &'static [&'static dyn Hook<A>] = &[];
    /// The names of the functions that run for every change.
    const FOR_EVERY_CHANGE: &'static [&'static str] = &[];
    /// The functions that parts call.
    const FUNCTIONS: Functions<A> = Functions::NONE;
    /// Read with the block, so that `cargo check` evaluates it.
    const CHECKED: () = ();
    /// Whether all handlers of the block are here.
    const SOUND: bool = true;

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

/// The handlers of one block.
#[derive(Debug)]
pub struct Block<A: Handlers> {
    methods: &'static [&'static str],
    extensions: &'static [Extension],
    routes: &'static [Route],
    hooks: Hooks<A>,
    every: &'static [&'static str],
    functions: Functions<A>,
    sound: bool,
    call: for<'l> fn(Call<'l, A>) -> Option<Call<'l, A>>,
}

struct Hooks<A: AgentDeclaration>(&'static [&'static dyn Hook<A>]);

impl<A: AgentDeclaration> std::fmt::Debug for Hooks<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} hooks", self.0.len())
    }
}

/// The number of entries of all blocks, and these entries in one list.
macro_rules! joined {
    ($(#[doc = $what:literal] $count:ident, $joined:ident: $Entry:ty = $none:expr, |$part:ident| $list:expr;)+) => {$(
        #[doc = concat!("The number of ", $what, ".")]
        pub const fn $count(parts: &[Self]) -> usize {
            let (mut i, mut count) = (0, 0);
            while i < parts.len() {
                let $part = &parts[i];
                count += $list.len();
                i += 1;
            }
            count
        }

        #[doc = concat!("The ", $what, ".")]
        pub const fn $joined<const N: usize>(parts: &[Self]) -> [$Entry; N] {
            let mut all: [$Entry; N] = [$none; N];
            let (mut i, mut next) = (0, 0);
            while i < parts.len() {
                let $part = &parts[i];
                let list = $list;
                let mut j = 0;
                while j < list.len() {
                    all[next] = list[j];
                    (j, next) = (j + 1, next + 1);
                }
                i += 1;
            }
            all
        }
    )+};
}

impl<A: Handlers> Block<A> {
    /// The block of the name `N`.
    pub const fn of<T: OneBlockPerPart<N, A>, N>() -> Self {
        let () = T::CHECKED;
        Self {
            methods: T::METHODS,
            extensions: T::EXTENSIONS,
            routes: T::ROUTES,
            hooks: Hooks(T::HOOKS),
            every: T::FOR_EVERY_CHANGE,
            functions: T::FUNCTIONS,
            sound: T::SOUND,
            call: T::call,
        }
    }

    joined! {
        /// methods that have a handler
        count_methods, methods: &'static str = "", |part| part.methods;
        /// extension methods that have a handler
        count_extensions, extensions: Extension = Extension::NONE, |part| part.extensions;
        /// handlers of methods by prefix
        count_routes, routes: Route = Route::NONE, |part| part.routes;
        /// functions that run when an option changes
        count_hooks, hooks: &'static dyn Hook<A> = &NoHook, |part| part.hooks.0;
        /// functions that run for every change
        count_every, every: &'static str = "", |part| part.every;
    }

    /// The functions of each block that parts call.
    pub const fn functions<const N: usize>(parts: &[Self]) -> [Functions<A>; N] {
        let mut all = [Functions::NONE; N];
        let mut i = 0;
        while i < N {
            all[i] = parts[i].functions;
            i += 1;
        }
        all
    }

    /// Whether all handlers of all blocks are here.
    pub const fn sound(parts: &[Self]) -> bool {
        let mut i = 0;
        while i < parts.len() {
            if !parts[i].sound {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Fails to compile when the last of these blocks handles a name or a prefix that another one handles. `parts` are the first
    /// `count` blocks of the agent. For a method of the protocol, the compiler reports the two functions, because they have one
    /// name.
    pub const fn once<Main>(parts: &[Self], count: usize)
    where
        A: FunctionsOf<Main>,
    {
        let (parts, _) = parts.split_at(count);
        let (before, _) = parts.split_at(count - 1);
        let (extensions, _) = A::EXTENSIONS.split_at(Self::count_extensions(parts));
        extend_once_from(Self::count_extensions(before), extensions);
        let (routes, _) = A::ROUTES.split_at(Self::count_routes(parts));
        route_once_from(Self::count_routes(before), routes);
        let (functions, _) = A::FUNCTIONS.split_at(count);
        Functions::once(functions);
    }

    /// Hands a call to the block that has its handler.
    pub fn call(parts: &[Self], call: Call<'_, A>) {
        let mut call = call;
        for part in parts {
            match (part.call)(call) {
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
        const METHODS: &'static [&'static $crate::__private::str] = &$crate::__private::Block::methods::<
            { $crate::__private::Block::count_methods($parts) },
        >($parts);
        const EXTENSIONS: &'static [$crate::__private::Extension] = &$crate::__private::Block::extensions::<
            { $crate::__private::Block::count_extensions($parts) },
        >($parts);
        const ROUTES: &'static [$crate::__private::Route] =
            &$crate::__private::Block::routes::<{ $crate::__private::Block::count_routes($parts) }>($parts);
        const HOOKS: &'static [&'static dyn $crate::__private::Hook<Self>] =
            &$crate::__private::Block::hooks::<{ $crate::__private::Block::count_hooks($parts) }>($parts);
        const FOR_EVERY_CHANGE: &'static [&'static $crate::__private::str] =
            &$crate::__private::Block::every::<{ $crate::__private::Block::count_every($parts) }>($parts);
        const NEW_SESSION: $crate::__private::Option<
            fn() -> <$Agent as $crate::__private::AgentDeclaration>::Session,
        > = {
            // No block knows the handlers of the others, so this must compile for every type.
            use $crate::__private::MayLackDefault as _;
            $crate::__private::DefaultOf::<<$Agent as $crate::__private::AgentDeclaration>::Session>::DEFAULT
        };
        const SOUND: $crate::__private::bool = $crate::__private::Block::sound($parts);
        fn call(call: $crate::__private::Call<'_, $Agent>) {
            $crate::__private::Block::call($parts, call)
        }
    };
}

/// Stands in a list until the hook that belongs there is known.
struct NoHook;

impl<A: AgentDeclaration> Hook<A> for NoHook {
    fn option(&self) -> Option<&dyn Watched<A::Config>> {
        unreachable!("the hooks of the blocks replace it while the author's crate compiles")
    }

    fn run<'a>(&self, _: Draft<'a, A>) -> Running<'a> {
        unreachable!("the hooks of the blocks replace it while the author's crate compiles")
    }
}
