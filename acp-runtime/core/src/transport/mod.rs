//! Where messages come from and go to. A connection runs over anything that is a duplex of messages: standard input
//! and output ([`Stdio`]), any pair of byte streams ([`ByteStream`]), memory ([`memory`]).
//!
//! Serves <https://agentclientprotocol.com/protocol/v1/transports>.

use std::future::Future;
use std::io;

pub use self::stdio::{Stdio, StdioSource};
pub use self::stream::{ByteSource, ByteStream};
pub use crate::rpc::{Closed, Limits, Outbox, Receive};
pub use crate::wire::frame::Frame;

pub mod memory;
mod pump;
mod stdio;
mod stream;
mod thread;

/// A duplex of messages that is not open yet.
pub trait Transport {
    /// Its receiving end.
    type Source: Source;

    /// Opens both ends. Called within the runtime that the connection will run on.
    ///
    /// # Errors
    ///
    /// What the system says about the descriptors or streams underneath.
    fn open(self, limits: &Limits) -> io::Result<(Self::Source, Outbox)>;
}

/// The receiving end of a transport.
pub trait Source: Send {
    /// Hands each message to `receive`, until the input ends or the outbox is closed.
    ///
    /// After what arrived together, [`Outbox::flush`] sends the answers; then [`Outbox::below_hard`] says when to go
    /// on.
    ///
    /// # Errors
    ///
    /// Reading failed. Everything that came before was handed over.
    fn run<R: Receive>(self, receive: &mut R, outbox: &Outbox) -> impl Future<Output = io::Result<()>> + Send;
}
