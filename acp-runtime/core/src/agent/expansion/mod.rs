//! The contract between the macros' expansion and the runtime. Authors see this contract in error messages, and use
//! [`FromCall`] to write an extractor of their own.

mod assumed;
mod check;
mod default;
mod extract;
mod named;
mod sent;
mod state;

pub use assumed::{
    Assumed, Given, MayBeSent, MayShare, OwnConfig, Threads, declared, options_of, sent_between_threads,
    session_sent_between_threads,
};
pub(in crate::agent) use check::extend_apart;
pub use check::{
    authenticates, changes_once, complete, distinct, extend_once, handled, lets_in, lists_extensions, opens_sessions,
    shares, takes_arguments, takes_no_arguments,
};
pub use default::{DefaultOf, MayLackDefault};
pub use extract::{
    Authenticated, ConnectionContext, FromCall, MethodName, OfActiveSession, OfAnySession, RequestMeta, slot,
};
pub use named::{ConfigOf, MayName, Named, NamesSession, StateOf};
pub use sent::{AnyParams, Sent};
