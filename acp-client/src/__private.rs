//! The names that the expansion of `#[acp_client]` uses. Other code must not use them.

pub use core::{
    marker::{Send, Sync},
    option::Option::{self, None, Some},
    primitive::{bool, str, u32},
};

pub use acp_handlers::{Assumed, Given};

#[path = "keys.rs"]
pub mod keys;

pub use crate::{
    contract::{
        AnyParams, Base, Call, Fallible, FromCall, Handled, Handlers, IntoAnswer, Lent, Parts, Sent, Stated,
        all_terminal_methods, distinct, extend_once, handlers, sent_between_threads, shared_between_threads,
    },
    schema::Method,
    values::ClientCapabilities,
};
