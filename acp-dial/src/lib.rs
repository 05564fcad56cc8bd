//! The client's side of the Agent Client Protocol over HTTP and WebSocket: a [`Transport`](acp_peer::transport::Transport) that leads to an agent
//! behind a URL.
//!
//! Clients have it as `acp_client::http`, with the feature `http` of `acp-client`: `Endpoint::url("https://agent.example.com/acp")`, or, with
//! options, `Endpoint::over(Http::new("https://agent.example.com/acp").bearer(token))`. Use this crate alone for a program that is no client,
//! such as a proxy.
//!
//! ```
//! use std::time::Duration;
//!
//! use acp_dial::{Backoff, Http};
//! use acp_peer::transport::{Limits, Transport};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> std::io::Result<()> {
//! let agent = Http::new("wss://agent.example.com/acp")
//!     .bearer("the token of a login")
//!     .backoff(Backoff::new().attempts(20))
//!     .connect_timeout(Duration::from_secs(5));
//! let (source, outbox) = agent.open(&Limits::new())?;
//! # drop((source, outbox));
//! # Ok(())
//! # }
//! ```
//!
//! # Lost connections
//!
//! A stream or a WebSocket that is lost is opened again, after a [pause](Backoff), behind the last message that was read. So each message is read
//! once, in order. This needs a server whose streams can be resumed, as those of `acp-http`. The connection ends, and its error says why, if
//! the server does not have all that was missed, does not come back in time, or cannot resume at all. Then connect again, and load the
//! sessions. A stream that ends as HTTP says has lost nothing, and is opened again at any server.
//!
//! # A server that is gone
//!
//! A server that does not know the connection any more says 404: it was started again, its balancer has led the client to another process, or
//! the client was away for too long. Then another connection begins in its place: with `initialize` as before, without the old cookies, and
//! with `session/resume` for each session that was open. The sessions of the client go on, and what it has not sent yet is sent. It hears
//! of the following alone:
//!
//! - A request that may have reached the lost agent fails, with an error that says so: most often a prompt whose turn was interrupted. What
//!   the agent had kept of it is in the history, which a load brings.
//! - A question that was not answered, such as one for a permission, is withdrawn.
//! - Each session says its options and its mode as they are.
//!
//! What the agent had said at the end and nobody had read is lost, unless the agent has kept it. A server that ends in an orderly way
//! says all before: then nothing is lost, and no request fails. A session that cannot be resumed is refused by the agent when it is used next.
//!
//! This needs an agent that can resume sessions, and that speaks the same version of the protocol as before. Other connections end, and
//! with [`Http::begin_again`](field@Http::begin_again) set to false, all do.
//!
//! # A message in doubt
//!
//! When a connection is lost before the server has accepted a message, the agent may have the message or not. What is done depends on what the
//! message means if it reaches the agent twice:
//!
//! | message | what is done |
//! |---|---|
//! | one that surely did not reach the server | it is sent again |
//! | an answer, `session/cancel`, `$/cancel_request` | it is sent again: twice means the same as once |
//! | a request | it is not sent again. Its answer is waited for as long as its session is heard of, and [`Http::doubt_timeout`](field@Http::doubt_timeout) longer. Then it fails, with an error that says that it may not have arrived. If the server says after a resume that the agent works on the prompt, there is no doubt |
//! | another notification | it is not sent again; a warning is logged |
//!
//! # What servers do differently
//!
//! An answer is taken from whichever stream it comes over. The history of a session comes before the answer of its load: if that comes over
//! another stream, it waits until the session's stream has been silent for 100 ms. A request about a session that is not open is answered over the
//! stream of the connection by some servers, and over the one of the session by others, which is open until then. If it is answered 404, it is
//! sent again without the header of its session, which some servers do not know before. A server that has no stream for a session may say all
//! over the stream of the connection. Cookies are kept and sent back, so a balancer finds the process of a connection. Redirects are not followed.
//!
//! Memory is bounded as over pipes: while the client takes no messages, no stream is read. A message that is longer than
//! [`Limits::line_bytes`](acp_peer::transport::Limits) is lost, as over pipes; over a WebSocket, it ends the connection.
//!
//! See [the transport's proposal](https://agentclientprotocol.com/rfds/streamable-http-websocket-transport) and [the draft on
//! resuming](https://agentclientprotocol.com/rfds/durable-resumable-http-transport).

mod again;
mod backoff;
mod conversation;
mod durable;
mod http;
mod message;
mod names;
mod net;
mod open;
mod options;
mod refusal;
mod shared;
mod socket;
mod source;
mod sse;

pub use backoff::Backoff;
pub use options::Http;
#[doc(hidden)]
pub use source::HttpSource;
