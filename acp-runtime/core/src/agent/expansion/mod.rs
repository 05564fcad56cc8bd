//! The contract between the macros' expansion and the runtime. Authors see this contract in error messages, and use
//! [`FromCall`] to write an extractor of their own.

mod assumed;
pub mod by;
mod check;
mod extract;
mod named;
mod shared;

pub use acp_handlers::slot;
pub use assumed::{OwnConfig, declared, options_of, sent_between_threads, session_sent_between_threads};
pub(in crate::agent) use check::extend_apart;
pub use check::{
    authenticates, changes_once, complete, extend_once, handled, lists_extensions, opens_sessions, shares,
};
pub(in crate::agent) use extract::takes;
pub use extract::{Authenticated, ConnectionContext, FromCall, MethodName, OfActiveSession, OfAnySession, RequestMeta};
pub use named::{ConfigOf, MayName, Named, NamesSession, StateOf};
