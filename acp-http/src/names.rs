//! The names of the transport: its headers, media types and the methods that it routes by.
//!
//! See [the transport's proposal](https://agentclientprotocol.com/rfds/streamable-http-websocket-transport).

use axum::http::HeaderName;

/// The id of a connection: in the answer to `initialize`, and in each request behind it.
pub const CONNECTION_ID: HeaderName = HeaderName::from_static("acp-connection-id");

/// The id of the session that a message or a stream is about.
pub const SESSION_ID: HeaderName = HeaderName::from_static("acp-session-id");

pub(crate) const JSON: &str = "application/json";
pub(crate) const EVENT_STREAM: &str = "text/event-stream";

pub(crate) const INITIALIZE: &str = "initialize";
pub(crate) const PROMPT: &str = "session/prompt";

/// Requests behind whose answer nothing is said of the session any more.
pub(crate) const ENDS_SESSION: [&str; 2] = ["session/close", "session/delete"];

/// The answer of a load goes to the stream of the connection, which its client reads already.
pub(crate) const LOAD: &str = "session/load";

/// Requests that may name a session which the client does not follow yet. Some clients send no header with them.
pub(crate) const MAY_LACK_SESSION: [&str; 4] = [LOAD, "session/resume", "session/fork", "session/delete"];
