//! The JSON-RPC error object. It is also the error of every handler. Its texts go to the peer, so this code copies no
//! part of a payload into them.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::quoted::{Redacted, Short};

/// The result of a handler, and of every function that this crate offers to handlers.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure, as the peer gets it: a code, one sentence for people, and optional data.
///
/// A handler may return any error that converts into this one. The conversions from [`std::io::Error`] and
/// [`serde_json::Error`] keep the kind and the place of the failure, but not its text. Such a text may quote content,
/// and an error answer must not send content back.
///
/// The error keeps its cause as its [source](std::error::Error::source). The peer never gets it; the `tracing` target
/// `acp_runtime::handler_errors` tells of it.
///
/// See [Error handling](https://agentclientprotocol.com/protocol/v1/overview#error-handling).
///
/// ```
/// use acp_peer::Error;
///
/// let error = Error::invalid_params("`since` lies in the future").with_data(serde_json::json!({ "field": "since" }));
/// assert_eq!(error.code(), Error::INVALID_PARAMS);
/// assert_eq!(error.to_string(), "`since` lies in the future (code -32602)");
/// ```
#[derive(Clone)]
pub struct Error {
    code: i32,
    /// Whether the subscriber was told of it.
    is_heard: bool,
    /// Whether the peer's answer could not be read: it has refused nothing.
    is_unreadable: bool,
    message: Cow<'static, str>,
    /// Apart, because most errors have neither, and each result of a function has room for an error.
    more: Option<Box<More>>,
}

#[derive(Clone, Default)]
struct More {
    data: Option<Value>,
    source: Option<Source>,
}

/// Shared, because errors can be cloned.
type Source = Arc<dyn std::error::Error + Send + Sync>;

/// An error as it stands on the wire.
#[derive(Serialize, Deserialize)]
struct OnWire<M, D> {
    code: i32,
    message: M,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    data: Option<D>,
}

fn none<D>() -> Option<D> {
    None
}

/// The name in the data of an error of a request that may have arrived or not.
const IN_DOUBT: &str = "acp_peer/in_doubt";

impl Error {
    /// The line is not JSON.
    pub const PARSE_ERROR: i32 = -32700;
    /// The line is JSON but not a request, or the request is not allowed now.
    pub const INVALID_REQUEST: i32 = -32600;
    /// The method does not exist, or this agent does not have it.
    pub const METHOD_NOT_FOUND: i32 = -32601;
    /// The method exists, but its params do not fit.
    pub const INVALID_PARAMS: i32 = -32602;
    /// The handler failed.
    pub const INTERNAL_ERROR: i32 = -32603;
    /// The client must `authenticate` first.
    pub const AUTH_REQUIRED: i32 = -32000;
    /// The session, file or other resource does not exist.
    pub const RESOURCE_NOT_FOUND: i32 = -32002;
    /// The request was cancelled before it had a result.
    pub const REQUEST_CANCELLED: i32 = -32800;

    /// An error with a code of your own; the protocol allows every 32-bit integer.
    pub fn new(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, is_heard: false, is_unreadable: false, message: message.into(), more: None }
    }

    /// The error, of which the subscriber was told.
    #[doc(hidden)] // for the code that calls handlers
    pub fn heard(mut self) -> Self {
        self.is_heard = true;
        self
    }

    #[doc(hidden)]
    pub fn is_heard(&self) -> bool {
        self.is_heard
    }

    /// The error of a request whose answer cannot be read ([`Self::INTERNAL_ERROR`]).
    #[doc(hidden)] // for the code that reads answers
    pub fn unreadable_answer(why: impl Into<Cow<'static, str>>) -> Self {
        Self { is_unreadable: true, ..Self::internal_error(why) }
    }

    /// Whether the peer has sent no such error, but an answer that cannot be read.
    #[doc(hidden)]
    pub fn is_unreadable_answer(&self) -> bool {
        self.is_unreadable
    }

    /// The input is not JSON ([`Self::PARSE_ERROR`]).
    pub fn parse_error() -> Self {
        Self::new(Self::PARSE_ERROR, "the message is not JSON")
    }

    /// The message is not a request, or it comes at a wrong time ([`Self::INVALID_REQUEST`]).
    pub fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Self::INVALID_REQUEST, message)
    }

    /// No handler serves `method` ([`Self::METHOD_NOT_FOUND`]).
    pub fn method_not_found(method: &str) -> Self {
        Self::new(Self::METHOD_NOT_FOUND, format!("no method `{}`", Short(method)))
    }

    /// The params do not fit the method ([`Self::INVALID_PARAMS`]).
    pub fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Self::INVALID_PARAMS, message)
    }

    /// The handler failed, and the client is not the reason ([`Self::INTERNAL_ERROR`]).
    pub fn internal_error(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Self::INTERNAL_ERROR, message)
    }

    /// The client must authenticate before this request ([`Self::AUTH_REQUIRED`]).
    pub fn auth_required() -> Self {
        Self::new(Self::AUTH_REQUIRED, "authentication required")
    }

    /// A file or another resource does not exist ([`Self::RESOURCE_NOT_FOUND`], with `uri` in the data).
    pub fn resource_not_found(uri: impl Into<String>) -> Self {
        let uri = uri.into();
        Self::new(Self::RESOURCE_NOT_FOUND, format!("no resource `{}`", Short(&uri)))
            .with_data(serde_json::json!({ "uri": uri }))
    }

    /// The session does not exist, or is closed ([`Self::RESOURCE_NOT_FOUND`], with `sessionId` in the data). If the id
    /// is longer than any agent's id, it is cut.
    pub fn session_not_found(session_id: &str) -> Self {
        Self::new(Self::RESOURCE_NOT_FOUND, format!("no session `{}`", Short(session_id)))
            .with_data(serde_json::json!({ "sessionId": Short(session_id).to_string() }))
    }

    /// The request was cancelled ([`Self::REQUEST_CANCELLED`]).
    pub fn request_cancelled() -> Self {
        Self::new(Self::REQUEST_CANCELLED, "the request was cancelled")
    }

    /// The connection was lost, and the peer may have received the request or not ([`Self::INTERNAL_ERROR`], with `acp_peer/in_doubt` in
    /// the data). A transport answers so; the peer itself has said nothing.
    ///
    /// ```
    /// use acp_peer::Error;
    ///
    /// let error = Error::in_doubt("the server is away");
    /// assert!(error.is_in_doubt() && error.code() == Error::INTERNAL_ERROR);
    /// assert!(!Error::internal_error("the model is away").is_in_doubt());
    /// ```
    pub fn in_doubt(message: impl Into<Cow<'static, str>>) -> Self {
        Self::internal_error(message).with_data(serde_json::json!({ IN_DOUBT: true }))
    }

    /// Whether the request may have reached the peer or not; see [`in_doubt`](Self::in_doubt).
    pub fn is_in_doubt(&self) -> bool {
        self.data().is_some_and(|data| data[IN_DOUBT] == true)
    }

    /// The same error with `data` for programs. It replaces earlier data.
    #[must_use]
    pub fn with_data(mut self, data: impl Into<Value>) -> Self {
        self.more().data = Some(data.into());
        self
    }

    /// The same error with the error that has led to it, which replaces the one before. The peer does not get it: the
    /// subscriber of the author does.
    ///
    /// An error type of your own keeps what it knows in this way:
    ///
    /// ```
    /// use acp_peer::Error;
    ///
    /// #[derive(Debug)]
    /// struct StoreFailed(std::io::Error);
    ///
    /// impl From<StoreFailed> for Error {
    ///     fn from(StoreFailed(error): StoreFailed) -> Self {
    ///         Error::internal_error("the session could not be stored").with_source(error)
    ///     }
    /// }
    ///
    /// let error = Error::from(StoreFailed(std::io::Error::other("/home/me is full")));
    /// assert_eq!(error.to_string(), "the session could not be stored (code -32603)");
    /// assert!(std::error::Error::source(&error).is_some());
    /// ```
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.more().source = Some(Arc::from(source.into()));
        self
    }

    fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    /// The kind of failure: a constant of this type, or any other code, which is kept unchanged.
    pub fn code(&self) -> i32 {
        self.code
    }

    /// One sentence for people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// More details for programs, beyond the code.
    pub fn data(&self) -> Option<&Value> {
        self.more.as_ref()?.data.as_ref()
    }

    /// The code, the message and the data.
    pub fn into_parts(self) -> (i32, String, Option<Value>) {
        let Self { code, message, more, is_heard: _, is_unreadable: _ } = self;
        (code, message.into_owned(), more.and_then(|more| more.data))
    }

    /// The error for params that do not decode: [`Self::INVALID_PARAMS`] with the expected type and the place, but
    /// without the content.
    ///
    /// ```
    /// # use acp_peer::Error;
    /// let wrong = serde_json::from_str::<u16>(r#""secret""#).unwrap_err();
    /// let error = Error::undecodable_params(&wrong);
    /// assert_eq!(error.message(), "invalid params: expected u16 (line 1, column 8)");
    /// ```
    pub fn undecodable_params(error: &serde_json::Error) -> Self {
        Self::invalid_params(format!("invalid params: {}", Redacted(error)))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (code {})", self.message, self.code)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.more.as_ref()?.source.as_deref().map(|source| source as _)
    }
}

/// Errors are compared as the peer sees them.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        (self.code, &self.message, self.data()) == (other.code, &other.message, other.data())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Error");
        out.field("code", &self.code).field("message", &self.message).field("data", &self.data());
        if let Some(source) = std::error::Error::source(self) {
            out.field("source", &source);
        }
        out.finish()
    }
}

impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        OnWire { code: self.code, message: &*self.message, data: self.data() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Error {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let OnWire { code, message, data } = OnWire::<String, Value>::deserialize(deserializer)?;
        let more = data.map(|data| Box::new(More { data: Some(data), source: None }));
        Ok(Self { code, is_heard: false, is_unreadable: false, message: Cow::Owned(message), more })
    }
}

impl From<std::io::Error> for Error {
    /// [`Error::INTERNAL_ERROR`] with the operating system's text or the kind; a custom error's text is left out. The error is
    /// kept as the source.
    fn from(error: std::io::Error) -> Self {
        Self::of_system(&error).with_source(error)
    }
}

impl From<serde_json::Error> for Error {
    /// [`Error::INTERNAL_ERROR`] with the expected type and the place, but without the content. The error is kept as the source.
    fn from(error: serde_json::Error) -> Self {
        Self::of_json(&error).with_source(error)
    }
}

impl Error {
    /// What the peer is told of the system's error.
    pub(super) fn of_system(error: &std::io::Error) -> Self {
        Self::internal_error(match error.raw_os_error() {
            Some(code) => format!("input or output failed: {}", std::io::Error::from_raw_os_error(code)),
            None => format!("input or output failed: {}", error.kind()),
        })
    }

    /// What the peer is told of an error of JSON.
    pub(super) fn of_json(error: &serde_json::Error) -> Self {
        Self::internal_error(format!("JSON did not decode or encode: {}", Redacted(error)))
    }
}

/// The turn or request was cancelled. `until_cancelled` and similar functions return this error. Pass it on with `?`.
///
/// ```
/// use acp_peer::{Cancelled, Error};
///
/// assert_eq!(Error::from(Cancelled), Error::request_cancelled());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

impl From<Cancelled> for Error {
    fn from(Cancelled: Cancelled) -> Self {
        Self::request_cancelled()
    }
}

#[cfg(test)]
#[path = "error_tests.rs"]
mod tests;
