//! The names that the expansion of `#[acp_client]` uses. Other code must not use them.

pub use core::{
    marker::{Send, Sync},
    option::Option::{self, None, Some},
    primitive::{bool, str, u32},
};

pub use acp_handlers::{Assumed, Facts, Fallible, Given, Otherwise, distinct};

#[path = "keys.rs"]
pub mod keys;

#[cfg(feature = "unstable")]
pub use crate::values::methods as drafts;
pub use crate::{
    contract::{
        Base, Call, FromCall, Handled, Handlers, IntoAnswer, Lent, Parts, Stated, all_terminal_methods, extend_once,
        extension_of_client, handlers, sent_between_threads, shared_between_threads,
    },
    schema::Method,
    values::ClientCapabilities,
};
