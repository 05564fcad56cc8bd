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

/// Requests whose answer has the id of a session that they have opened.
pub(crate) const NEW_SESSION: [&str; 2] = ["session/new", "session/fork"];

/// Requests that open the session which they name.
pub(crate) const OPENS_SESSION: [&str; 2] = [LOAD, RESUME];

/// Requests behind whose answer nothing is said of the session any more.
pub(crate) const ENDS_SESSION: [&str; 2] = ["session/close", "session/delete"];

/// The answer of a load goes to the stream of the connection, which its client reads already.
pub(crate) const LOAD: &str = "session/load";

/// Continues a session.
pub(crate) const RESUME: &str = "session/resume";

/// Messages about a session that its client follows: they need the header. With all others, some clients send none: those of methods that
/// their SDK does not know, and of sessions that are not followed yet.
pub(crate) const NEEDS_SESSION: [&str; 5] =
    [PROMPT, "session/cancel", "session/set_mode", "session/set_config_option", "session/close"];
