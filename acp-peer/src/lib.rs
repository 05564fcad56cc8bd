//! One side of a connection of the Agent Client Protocol. The crate knows JSON-RPC, and of the protocol's methods only
//! `$/cancel_request`. It serves the open requests in both directions, the duty to answer, cancellation, the bounds on
//! memory, and the transports. Agents are written with the package `acp-agent-runtime`, and clients with `acp-client`. Both build on this
//! crate. Use it alone for a program that is neither, for example a proxy that forwards messages as they are.
//!
//! A program implements [`Role`] for its side. A [`Transport`](transport::Transport) opens the two ends of the
//! connection. [`serve`] runs it: a [`Dispatcher`] passes each message that arrives to the role, and the [`Peer`] sends.
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//!
//! use acp_peer::{
//!     Address, Dispatcher, Invalid, Limits, Peer, Responder, Role, serve,
//!     transport::{Source, Transport, memory},
//! };
//! use serde_json::value::RawValue;
//!
//! /// Answers each request with its params.
//! struct Echo {
//!     peer: Arc<Peer>,
//! }
//!
//! impl Role for Echo {
//!     fn peer(&self) -> &Arc<Peer> {
//!         &self.peer
//!     }
//!
//!     fn request(self: &Arc<Self>, responder: Responder, _method: &str, params: Option<&RawValue>) {
//!         responder.respond(Ok(params));
//!     }
//!
//!     fn notification(self: &Arc<Self>, _method: &str, _params: Option<&RawValue>) {}
//!
//!     fn invalid(&self, Invalid { to, id, error, .. }: Invalid<'_>) {
//!         self.peer.refuse(to, id, &error);
//!     }
//!
//!     fn abandon(&self) {}
//! }
//!
//! /// Serves the connection until the other side hangs up, and gives its peer at once.
//! fn start(transport: impl Transport<Source: 'static>) -> std::io::Result<Arc<Peer>> {
//!     let limits = Limits::new();
//!     let (source, outbox) = transport.open(&limits)?;
//!     let echo = Arc::new(Echo { peer: Peer::new(outbox.clone(), &limits) });
//!     let peer = echo.peer.clone();
//!     tokio::spawn(async move {
//!         let mut dispatcher = Dispatcher::new(echo.clone(), limits.line_bytes);
//!         serve(&echo, source.run(&mut dispatcher, &outbox), Duration::from_secs(1)).await
//!     });
//!     Ok(peer)
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (near, far) = memory::pair();
//! let (near, _far) = (start(near)?, start(far)?);
//! let answer = near.request(Address::Connection, "example/echo", &["hello"]).await?;
//! assert_eq!(answer.get(), r#"["hello"]"#);
//! # Ok(())
//! # }
//! ```
//!
//! See [the protocol's overview](https://agentclientprotocol.com/protocol/v1/overview) and
//! [Transports](https://agentclientprotocol.com/protocol/v1/transports).

#![cfg_attr(docsrs, feature(doc_cfg))] // on docs.rs, an item names the feature that it needs

/// The target of this crate's events, which is that of the whole toolkit. A subscriber filters the events by it.
pub const TARGET: &str = "acp_runtime";

#[doc(hidden)] // for agents and clients of the toolkit; the names below are for others
pub mod rpc;
pub mod transport;
#[doc(hidden)] // as `rpc`
pub mod wire;

pub use rpc::{
    Address, CancellationToken, Closed, Dispatcher, DropGuard, Entered, Invalid, Limits, Outbox, OutboxStream, Peer,
    Receive, Responder, Role, StreamReader, Then, serve,
};
pub use wire::error::{Cancelled, Error, Result};
