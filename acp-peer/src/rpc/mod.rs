//! One side of a JSON-RPC connection: the open requests in both directions, the duty to answer, tasks, the output, and
//! the bounds on these.
//!
//! This module knows JSON-RPC. Of a protocol's methods, it knows only `$/cancel_request`. All other methods are known
//! to a [`Role`], which is one side of the protocol.

mod cancellation;
mod dispatch;
mod incoming;
mod limits;
mod outbox;
mod outgoing;
mod peer;
mod responder;
mod role;
#[cfg(test)]
mod role_tests;
mod serve;
mod tasks;

pub use cancellation::{CancellationToken, DropGuard};
pub use dispatch::{Dispatcher, Receive};
pub use incoming::{Entered, id_key};
pub use limits::Limits;
#[cfg(unix)]
pub(crate) use outbox::Direct;
pub use outbox::Filter;
pub use outbox::{Address, Closed, Outbox, OutboxStream, StreamReader};
pub use outgoing::Then;
pub use peer::CANCEL_REQUEST;
pub use peer::Peer;
pub use responder::Responder;
pub use role::{Invalid, Role};
pub use serve::{after, serve};
pub use tasks::{Start, Tasks};
