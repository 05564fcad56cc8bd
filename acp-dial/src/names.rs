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

pub(crate) const PROMPT: &str = "session/prompt";
pub(crate) const UPDATE: &str = "session/update";
pub(crate) const RESUME: &str = "session/resume";

/// Requests that begin the connection, or open a session: a connection that takes the place of this one repeats their params.
pub(crate) const BEGIN: [&str; 5] = [INITIALIZE, "session/new", "session/load", RESUME, "session/fork"];

/// A session's history comes before the answer of these. So its stream is open before they are sent.
pub(crate) const REPLAY: [&str; 2] = ["session/load", RESUME];

/// When these are answered, the session's stream ends.
pub(crate) const END_SESSION: [&str; 2] = ["session/close", "session/delete"];

/// Notifications that may be sent twice: the second one changes nothing.
pub(crate) const REPEATABLE: [&str; 2] = ["session/cancel", CANCEL_REQUEST];
