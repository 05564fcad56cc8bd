//! The parts of agents: each is a feature beside the path of a call, in a place of its own. The macros list those that an agent
//! has, by the keys of its struct (`clients`, `gate`, `lenient`, `queue`, `store`) and by its functions (`commands`, `life`).
//!
//! Some parts call functions of the agent that no message names. Such a part has a row in [`Functions`], and a `Functions` of its
//! own. `event` is the call of such a function.

#[cfg(feature = "v2")]
mod baseline;
mod clients;
pub(in crate::agent) mod commands;
#[cfg(feature = "v2")]
mod controls;
pub(in crate::agent) mod event;
mod gate;
mod lenient;
pub(in crate::agent) mod life;
mod list;
mod on_demand;
#[cfg(feature = "v2")]
mod own_work;
pub(in crate::agent) mod queue;
pub(in crate::agent) mod store;
#[cfg(test)]
mod toy_tests;

use std::fmt;

pub use clients::{Clients, FirstClient, has_history};
pub use commands::{Commands, takes_arguments, takes_no_arguments};
pub use event::{SessionEvent, prepared};
pub use gate::{Gate, lets_in};
pub use lenient::{LenientContent, LenientPaths, LenientServers};
pub use life::Life;
pub use on_demand::{OnDemand, resumes};
pub use queue::{Queue, is_steered, steers};
pub use store::{
    HasStore, HoldsStore, MayLackRestore, Restores, StoreDeclaration, Stored, StoredSession, is_not_stored, is_stored,
    restores, session_kept_by_store, shares_restored,
};

use super::model::{Handlers, OneBlockWithoutPart};

macro_rules! functions {
    ($($part:ident),+ $(,)?) => {
        /// The functions of one block that parts call.
        pub struct Functions<A: Handlers> {
            $(pub(super) $part: $part::Functions<A>,)+
        }

        impl<A: Handlers> Functions<A> {
            /// A block without such functions.
            pub const NONE: Self = Self { $($part: $part::Functions::NONE,)+ };
        }
    };
}

functions! {
    commands,
    life,
    queue,
    store,
}

impl<A: Handlers> Functions<A> {
    /// Fails to compile when the last of these blocks has a function that another one has. The compiler reports two functions
    /// with one name by itself.
    pub const fn once(blocks: &[Self]) {
        commands::once(blocks);
    }
}

impl<A: Handlers> fmt::Debug for Functions<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Functions").finish_non_exhaustive()
    }
}

impl<A: Handlers> Clone for Functions<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Handlers> Copy for Functions<A> {}

/// The functions of one block that the part `$part` calls, each with the type by which the part calls it.
macro_rules! called {
    ($part:ident { $(#[doc = $when:literal] $function:ident: $Run:ty;)+ }) => {
        /// The functions of one block that the part calls.
        pub(in crate::agent) struct Functions<A: Handlers> {
            $(pub(super) $function: Option<$Run>,)+
        }

        impl<A: Handlers> Functions<A> {
            pub(super) const NONE: Self = Self { $($function: None,)+ };
        }

        impl<A: Handlers> Clone for Functions<A> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<A: Handlers> Copy for Functions<A> {}

        impl<A: Handlers> super::Functions<A> {
            $(#[doc = $when]
            pub const fn $function(mut self, run: $Run) -> Self {
                self.$part.$function = Some(run);
                self
            })+
        }
    };
}

/// The functions of an agent that its parts call, a list with an entry for each block. `Main` is a type that only the main block
/// knows, so that of two main blocks the compiler reports one mistake.
pub trait FunctionsOf<Main>: Handlers {
    #[doc(hidden)]
    const FUNCTIONS: &'static [Functions<Self>] = &[];
}

/// An agent whose parts find its functions.
pub trait HasFunctions: FunctionsOf<<Self as OneBlockWithoutPart>::Main> {}

impl<A: FunctionsOf<<A as OneBlockWithoutPart>::Main>> HasFunctions for A {}

/// The parts of an agent that has a part for each kind of functions, and the `Declared` ones.
pub type WithAllFunctions<Declared> = (Commands, (Life, Declared));

/// The `Declared` parts of an agent, and those that a version of the protocol needs.
#[cfg(feature = "v2")]
pub type OfAllVersions<Declared> =
    (Declared, (queue::Hold, (own_work::OwnWork, (controls::Controls, baseline::Baseline))));

/// The `Declared` parts of an agent. Version 1 needs no others.
#[cfg(not(feature = "v2"))]
pub type OfAllVersions<Declared> = Declared;

/// The function of the agent `$A` in the field `$part.$function` of its blocks. An agent has one at most.
macro_rules! function {
    ($A:ty, $part:ident.$function:ident) => {{
        let mut found = None;
        acp_handlers::each!(block in <$A>::FUNCTIONS, {
            if let Some(function) = block.$part.$function {
                found = Some(function);
            }
        });
        found
    }};
}

pub(in crate::agent) use {called, function};
