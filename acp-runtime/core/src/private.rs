//! The names that the expansion of macros uses. Other code must not use them. The list contains the names of the
//! prelude, because the expansion must compile under `#![no_implicit_prelude]`. It contains the primitive types,
//! because an author's types may have the same names.

pub use core::option::Option::{self, None, Some};
pub use core::primitive::{bool, str, u32, usize};

// Options.
pub use crate::config::ConfigOptions;
pub use crate::config::alone::{Alone, returned};
pub use crate::config::argument::Argument;
pub use crate::config::check::{among, apart, check};
pub use crate::config::declaration::OptionDeclaration;
pub use crate::config::initial::{Initial, unreachable};
pub use crate::config::key::{FlattenKey as Group, Key};
pub use crate::config::members::{IntoMembers, MemberList};
pub use crate::config::offer::{Default, offers, resets};
pub use crate::config::option::flattened;
pub use crate::config::table::{Entries, Entry, Outline, Table};
pub use crate::config::value::{OptionValue, SelectValue, Snapshot, ValueDeclaration, cloned, nth};
pub use crate::config::words::{is_word, resets};
#[cfg(test)]
pub use acp_macros::AgentOptions;
pub use std::sync::LazyLock;

// Questions.
#[cfg(feature = "questions")]
pub use crate::client::{
    Questions,
    questions::{
        answer::{answers, can_be_selected},
        form::{Answers, Form, asked},
    },
};

// Agents.
pub use crate::__joined_handlers as joined_handlers;
pub use crate::Error;
pub use crate::agent::blocks::{
    ByMainBlock, Joined, Letter, NamedPart, NamesPart, NamesPartsOnItsStruct, OneBlockPerPart,
};
pub use crate::agent::call::{Admitted, CallGuard, Handled, Parts};
pub use crate::agent::declaration::{
    AgentDeclaration, AgentInfo, AuthDeclaration, DefaultSession, Local, NotLocal, Threaded,
};
pub use crate::agent::declaration::{Hook, IntoHookResult, OnChange, OnEveryChange, running};
pub use crate::agent::declaration::{Keeping, Keeps, OnThread, StaysOnItsThread};
pub use crate::agent::declaration::{SharedByAll, shared_by_handlers, shared_on_one_thread};
pub use crate::agent::expansion::{
    FromCall, authenticates, by, changes_once, complete, extend_once, handled, lists_extensions, opens_sessions, shares,
};
pub use crate::agent::expansion::{MayName, Named};
pub use crate::agent::expansion::{
    OwnConfig, declared, options_of, sent_between_threads, session_sent_between_threads,
};
pub use crate::agent::model::{Block, Call, Extension, Handlers, OneBlockWithoutPart, Route, is_method};
pub use crate::agent::parts::*;
pub use crate::schema::Method;
pub use crate::session::DeclaredCommand;
pub use acp_handlers::{Assumed, Facts, Fallible, Given, Otherwise, distinct};
pub use core::clone::Clone;
pub use core::result::Result::{self, Ok};
pub use std::sync::Arc;

/// The markers of all methods, for the handlers of drafts.
#[cfg(feature = "unstable")]
pub use crate::values::methods as drafts;

/// The markers of the methods that have handlers.
pub use crate::agent::handlers;
