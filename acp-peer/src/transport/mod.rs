//! Transports: the sources and sinks of messages.
//!
//! A connection runs over any pair of message streams, one for each direction: standard input and output ([`Stdio`]), any pair of byte streams ([`ByteStream`]), memory ([`memory`]).
//!
//! To serve an editor, an agent needs only `serve_stdio`. For any other transport, an agent calls `serve` with the
//! transport and the [`Limits`] of the connection, and a client calls `connect_over`. For a socket or
//! a pipe of tokio, use a [`ByteStream`]. If your messages are not the lines of a stream, write a [`Transport`] of your
//! own.
//!
//! # A transport of your own
//!
//! [`Transport::open`] makes the two ends. The source has five duties:
//!
//! - It hands over one message at a time. If a message is longer than [`Limits::line_bytes`], it hands over the
//!   message's beginning, as [`Frame::TooLong`].
//! - After messages that arrived together, it calls [`Outbox::flush`]. (Over several streams, messages leave as soon as
//!   they are written.)
//! - It stops reading while its receiver takes no more: if [`Receive::is_full`], it calls [`Outbox::flush`] and waits
//!   for [`Receive::room`]. An agent always takes more. A client does not while its user takes updates too slowly. Over
//!   a source without this wait, such a client does not hold the agent back, and ends the turn with an error.
//! - It stops reading while too many bytes are unsent: it waits for [`Outbox::below_hard`]. (Over several streams, it
//!   waits before each request, for [`OutboxStream::below_hard`] of the answer's stream. It leaves this wait out if the
//!   wait would delay other requests.)
//! - It ends when its input ends, or when the outbox is closed.
//!
//! The receiving end, a [`Source`], hands each message to the connection's [`Receive`]. The sending end is an
//! [`Outbox`]. It writes one message a line to any writer of tokio. From these lines, you may take the messages out
//! again. In this example, messages come and go through channels, as the messages of a web socket do:
//!
//! ```
//! use std::io;
//!
//! use acp_peer::transport::{Frame, Limits, Outbox, Receive, Source, Transport};
//! use tokio::{io::{AsyncBufReadExt, BufReader}, sync::mpsc};
//!
//! struct Channels {
//!     incoming: mpsc::Receiver<String>,
//!     outgoing: mpsc::Sender<String>,
//! }
//!
//! struct Incoming {
//!     messages: mpsc::Receiver<String>,
//!     longest: usize,
//! }
//!
//! impl Transport for Channels {
//!     type Source = Incoming;
//!
//!     fn open(self, limits: &Limits) -> io::Result<(Incoming, Outbox)> {
//!         let (sink, written) = tokio::io::duplex(64 * 1024);
//!         let mut lines = BufReader::new(written).lines();
//!         // This task ends after the last line. If it fails, it drops `written`, and the outbox closes.
//!         tokio::spawn(async move {
//!             while let Ok(Some(line)) = lines.next_line().await {
//!                 if self.outgoing.send(line).await.is_err() {
//!                     return;
//!                 }
//!             }
//!         });
//!         Ok((Incoming { messages: self.incoming, longest: limits.line_bytes }, Outbox::new(limits, sink)))
//!     }
//! }
//!
//! impl Source for Incoming {
//!     async fn run<R: Receive>(mut self, receive: &mut R, outbox: &Outbox) -> io::Result<()> {
//!         loop {
//!             let message = tokio::select! {
//!                 message = self.messages.recv() => message,
//!                 () = outbox.closed() => None,
//!             };
//!             let Some(message) = message else { return Ok(()) };
//!             match message.as_bytes() {
//!                 bytes if bytes.len() > self.longest => receive.frame(Frame::TooLong(&bytes[..self.longest.min(4096)])),
//!                 bytes => receive.frame(Frame::Line(bytes)),
//!             }
//!             if receive.is_full() || self.messages.is_empty() {
//!                 outbox.flush(); // the answers to messages that arrived together
//!             }
//!             tokio::select! {
//!                 () = receive.room() => {} // while the receiver takes no more, nothing more is read
//!                 () = outbox.closed() => return Ok(()),
//!             }
//!             outbox.below_hard().await; // while too many bytes are unsent, no message is read
//!         }
//!     }
//! }
//! #
//! # use acp_runtime::prelude::*;
//! #
//! # #[acp_agent]
//! # #[derive(Clone)]
//! # struct Echo;
//! #
//! # #[acp_agent]
//! # impl Echo {
//! #     async fn prompt(&self) -> StopReason { StopReason::EndTurn }
//! # }
//! #
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! #     let (say, incoming) = mpsc::channel(1);
//! #     let (outgoing, mut told) = mpsc::channel(1);
//! #     let served = tokio::spawn(Echo.serve(Channels { incoming, outgoing }, Limits::new().line_bytes(100)));
//! #     let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#;
//! #     say.send(initialize.to_owned()).await.unwrap();
//! #     let answer = told.recv().await.unwrap();
//! #     assert!(answer.contains(r#""protocolVersion":1"#), "{answer}");
//! #     say.send(format!(r#"{{"jsonrpc":"2.0","id":2,"method":"{}"}}"#, "x".repeat(100))).await.unwrap();
//! #     let answer = told.recv().await.unwrap();
//! #     assert!(answer.contains("-32600") && answer.contains("100"), "{answer}");
//! #     drop(say);
//! #     served.await.unwrap().unwrap();
//! #     assert_eq!(told.recv().await, None);
//! # }
//! ```
//!
//! # Several streams
//!
//! A transport with several streams makes its outbox with [`Outbox::routed`], and reads whole messages from each
//! [`OutboxStream`]. A stream that nobody reads does not delay the other streams. The topics of an agent are the ids of
//! its sessions. Every message about a session belongs to its topic, and so does every request to the client on behalf
//! of a session. If a turn's updates and its answer go to one stream, the updates come first. In this example, each
//! session has a stream, and each message comes with the stream for its answer:
//!
//! ```
//! use std::{collections::HashMap, io, sync::{Arc, Mutex}};
//!
//! use acp_peer::transport::{Frame, Limits, Outbox, OutboxStream, Receive, Source, Transport};
//! use tokio::sync::mpsc;
//!
//! struct Routed {
//!     connection: OutboxStream,
//!     sessions: Arc<Mutex<HashMap<String, OutboxStream>>>,
//!     inbound: mpsc::Receiver<Arrived>,
//! }
//!
//! /// A message, and the stream for its answer.
//! type Arrived = (String, OutboxStream);
//!
//! /// The code that listens to the client passes a request on by this function. It sends messages that need no answer to
//! /// `inbound` at once.
//! async fn request(inbound: &mpsc::Sender<Arrived>, message: String, stream: OutboxStream) {
//!     stream.below_hard().await; // while too many answers are unread there, wait
//!     let _ = inbound.send((message, stream)).await;
//! }
//!
//! struct Inbound {
//!     messages: mpsc::Receiver<Arrived>,
//!     longest: usize,
//! }
//!
//! impl Transport for Routed {
//!     type Source = Inbound;
//!
//!     fn open(self, limits: &Limits) -> io::Result<(Inbound, Outbox)> {
//!         let Self { connection, sessions, inbound } = self;
//!         let outbox = Outbox::routed(connection, move |session| sessions.lock().ok()?.get(session).cloned());
//!         Ok((Inbound { messages: inbound, longest: limits.line_bytes }, outbox))
//!     }
//! }
//!
//! impl Source for Inbound {
//!     async fn run<R: Receive>(mut self, receive: &mut R, outbox: &Outbox) -> io::Result<()> {
//!         loop {
//!             let arrived = tokio::select! {
//!                 arrived = self.messages.recv() => arrived,
//!                 () = outbox.closed() => None,
//!             };
//!             let Some((message, stream)) = arrived else { return Ok(()) };
//!             let frame = match message.as_bytes() {
//!                 bytes if bytes.len() > self.longest => Frame::TooLong(&bytes[..self.longest.min(4096)]),
//!                 bytes => Frame::Line(bytes),
//!             };
//!             receive.frame_from(frame, &stream);
//!             tokio::select! {
//!                 () = receive.room() => {} // while the receiver takes no more, nothing more is read
//!                 () = outbox.closed() => return Ok(()),
//!             }
//!         }
//!     }
//! }
//! ```
//!
//! See [Transports](https://agentclientprotocol.com/protocol/v1/transports).

use std::future::Future;
use std::io;

pub use self::context::{Context, WithContext};
pub use self::principal::Principal;
pub use self::stdio::{Stdio, StdioSource};
pub use self::stream::{ByteSource, ByteStream};
pub use crate::rpc::{Closed, Limits, Outbox, OutboxStream, Receive, StreamReader};
pub use crate::wire::frame::Frame;

mod context;
pub mod memory;
mod principal;
mod pump;
mod stdio;
mod stream;
mod thread;

/// A way to send and receive messages, which is not open yet. [Implement it](self#a-transport-of-your-own) for a
/// transport of your own.
pub trait Transport {
    /// The receiving end.
    type Source: Source;

    /// What the transport knows of its peer. It is asked before the transport opens.
    fn context(&self) -> Context {
        Context::default()
    }

    /// Gives the transport a context, beside its own.
    ///
    /// ```
    /// use acp_peer::transport::{Context, Transport, memory};
    ///
    /// struct Principal(String);
    ///
    /// let (agent, _client) = memory::pair();
    /// let agent = agent.with_context(Context::new().with(Principal("ann".to_owned())));
    /// assert!(agent.context().get::<Principal>().is_some());
    /// ```
    fn with_context(self, context: Context) -> WithContext<Self>
    where
        Self: Sized,
    {
        WithContext::new(self, context)
    }

    /// Opens both ends. It is called within the runtime on which the connection will run.
    ///
    /// # Errors
    ///
    /// The system's error for the descriptors or streams of the transport.
    fn open(self, limits: &Limits) -> io::Result<(Self::Source, Outbox)>;
}

/// The receiving end of a transport. The connection runs it. [The module](self#a-transport-of-your-own) shows an
/// example.
pub trait Source: Send {
    /// Hands each message to `receive`, until the input ends or the outbox is closed.
    ///
    /// After messages that arrived together, call [`Outbox::flush`] to send the answers. Then wait for
    /// [`Receive::room`] and [`Outbox::below_hard`] before you read on. For several streams, [the module](self#several-streams) shows the
    /// events to wait for.
    ///
    /// # Errors
    ///
    /// Reading failed. All earlier messages were handed over.
    fn run<R: Receive>(self, receive: &mut R, outbox: &Outbox) -> impl Future<Output = io::Result<()>> + Send;
}
