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

pub(crate) use cancellation::{CancellationToken, DropGuard};
pub(crate) use dispatch::Dispatcher;
pub use dispatch::Receive;
pub(crate) use incoming::Entered;
pub use limits::Limits;
pub(crate) use outbox::Address;
#[cfg(unix)]
pub(crate) use outbox::Direct;
pub use outbox::{Closed, Outbox, OutboxStream, StreamReader};
pub(crate) use peer::Peer;
pub(crate) use responder::Responder;
pub(crate) use role::Role;
pub(crate) use serve::serve;
pub(crate) use tasks::Start;
pub(crate) use tasks::Tasks;
