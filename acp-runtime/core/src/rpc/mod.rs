//! One end of a JSON-RPC connection: requests in flight both ways, the duty to answer, tasks, what is sent, and how much of
//! all that there may be.
//!
//! It knows JSON-RPC and no method of a protocol but `$/cancel_request`. What requests and notifications mean is a
//! [`Role`]'s: a side of the protocol, built on this.

pub(crate) mod cancellation;
mod dispatch;
mod incoming;
pub(crate) mod limits;
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
pub use outbox::{Address, Closed, Outbox, OutboxStream, StreamReader};
pub use outgoing::Then;
pub use peer::Peer;
pub use responder::Responder;
pub use role::{Invalid, Role};
pub use serve::serve;
pub use tasks::{Start, Tasks};
