//! The names of the transport: its headers, media types, and the methods that a client must know.
//!
//! See [the transport's proposal](https://agentclientprotocol.com/rfds/streamable-http-websocket-transport).

use reqwest::header::HeaderName;

/// The id of a connection: in the answer to `initialize`, and in each request behind it.
pub(crate) const CONNECTION_ID: HeaderName = HeaderName::from_static("acp-connection-id");

/// The id of the session that a message or a stream is about.
pub(crate) const SESSION_ID: HeaderName = HeaderName::from_static("acp-session-id");

pub(crate) const JSON: &str = "application/json";
pub(crate) const EVENT_STREAM: &str = "text/event-stream";

pub(crate) const INITIALIZE: &str = "initialize";
pub(crate) const CANCEL_REQUEST: &str = "$/cancel_request";

/// A session's history comes before the answer of these. So its stream is open before they are sent.
pub(crate) const REPLAY: [&str; 2] = ["session/load", "session/resume"];

/// When these are answered, the session's stream ends.
pub(crate) const END_SESSION: [&str; 2] = ["session/close", "session/delete"];

/// Notifications that may be sent twice: the second one changes nothing.
pub(crate) const REPEATABLE: [&str; 2] = ["session/cancel", CANCEL_REQUEST];
