//! JSON-RPC messages as values. They are for code that reads or writes messages without a connection: a proxy, a log, a
//! test. They are the same in every version of the protocol. The module of a version gives them its own ids and errors.
//!
//! These types are decoded by hand, because `RawValue` does not work with serde's `flatten` and `untagged`.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// Params that know their method: the generated enums of requests and notifications.
pub trait Payload {
    /// The method of this payload.
    fn method(&self) -> &str;
}

/// A call that needs an answer. See the
/// [overview](https://agentclientprotocol.com/protocol/v1/overview#communication-model).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request<Params, Id> {
    /// The id. The answer has the same id.
    pub id: Id,
    /// The method's name on the wire.
    pub method: String,
    /// The params of the method.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub params: Option<Params>,
}

impl<Params, Id> Request<Params, Id> {
    /// A call of any method.
    #[must_use]
    pub fn new(id: impl Into<Id>, method: impl Into<String>, params: impl Into<Option<Params>>) -> Self {
        Self { id: id.into(), method: method.into(), params: params.into() }
    }
}

impl<Params: Payload, Id> Request<Params, Id> {
    /// A call of the method to which the params belong.
    #[must_use]
    pub fn of(id: impl Into<Id>, params: Params) -> Self {
        Self { id: id.into(), method: params.method().to_owned(), params: Some(params) }
    }
}

/// A message that is not answered. See the
/// [overview](https://agentclientprotocol.com/protocol/v1/overview#communication-model).
///
/// ```
/// use acp_runtime::schema::v1::{CancelNotification, ClientNotification, JsonRpcMessage, Notification};
///
/// let cancel = ClientNotification::from(CancelNotification::new("s1"));
/// let message = JsonRpcMessage::wrap(Notification::of(cancel));
/// let line = serde_json::to_string(&message)?;
/// assert_eq!(line, r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notification<Params> {
    /// The method's name on the wire.
    pub method: String,
    /// The params of the method.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub params: Option<Params>,
}

impl<Params> Notification<Params> {
    /// A notification of any method.
    #[must_use]
    pub fn new(method: impl Into<String>, params: impl Into<Option<Params>>) -> Self {
        Self { method: method.into(), params: params.into() }
    }
}

impl<Params: Payload> Notification<Params> {
    /// A notification of the method to which the params belong.
    #[must_use]
    pub fn of(params: Params) -> Self {
        Self { method: params.method().to_owned(), params: Some(params) }
    }
}

fn none<T>() -> Option<T> {
    None
}

/// The answer to a request. It is a result or an error, never both.
///
/// `ErrorId` is the type of an error's id. The id may be null, if the request's id could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Response<R, E, Id, ErrorId> {
    /// The request was served.
    Result {
        /// The id of the request.
        id: Id,
        /// The result of the method.
        result: R,
    },
    /// The request failed.
    Error {
        /// The id of the request, or null if the id could not be read.
        id: ErrorId,
        /// The reason of the failure.
        error: E,
    },
}

impl<R, E, Id, ErrorId: From<Id>> Response<R, E, Id, ErrorId> {
    /// Makes the answer with this outcome.
    #[must_use]
    pub fn new(id: impl Into<Id>, outcome: Result<R, E>) -> Self {
        let id = id.into();
        match outcome {
            Ok(result) => Self::Result { id, result },
            Err(error) => Self::Error { id: id.into(), error },
        }
    }
}

#[derive(Deserialize)]
struct Answer {
    id: Box<RawValue>,
    #[serde(default, deserialize_with = "present")]
    result: Option<Box<RawValue>>,
    error: Option<Box<RawValue>>,
}

/// Reads a member that is present. It may be null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}

/// Reads JSON only. If a message has both a result and an error, the one that is not null counts, because some peers
/// write both members.
impl<'de, R, E, Id, ErrorId> Deserialize<'de> for Response<R, E, Id, ErrorId>
where
    R: DeserializeOwned,
    E: DeserializeOwned,
    Id: DeserializeOwned,
    ErrorId: DeserializeOwned,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Answer { id, result, error } = Answer::deserialize(deserializer)?;
        match (result, error) {
            (Some(result), Some(_)) if result.get() != "null" => {
                Err(D::Error::custom("an answer has a result or an error, not both"))
            }
            (_, Some(error)) => Ok(Self::Error { id: read(&id)?, error: read(&error)? }),
            (Some(result), None) => Ok(Self::Result { id: read(&id)?, result: read(&result)? }),
            (None, None) => Err(D::Error::custom("an answer has neither a result nor an error")),
        }
    }
}

fn read<T: DeserializeOwned, E: serde::de::Error>(raw: &RawValue) -> Result<T, E> {
    serde_json::from_str(raw.get()).map_err(E::custom)
}

/// A message on the wire, with its required `"jsonrpc": "2.0"`.
///
/// The method's name decides how received params are decoded:
///
/// ```
/// use acp_runtime::schema::v1::{ClientRequest, JsonRpcMessage, RawValue, Request};
///
/// let line = r#"{"jsonrpc":"2.0","id":7,"method":"session/list","params":{"cursor":"p2"}}"#;
/// let message: JsonRpcMessage<Request<Box<RawValue>>> = serde_json::from_str(line)?;
/// let Request { method, params, .. } = message.into_inner();
/// match ClientRequest::parse(&method, &*params.expect("this one has some")) {
///     Some(Ok(ClientRequest::ListSessionsRequest(list))) => assert_eq!(list.cursor.as_deref(), Some("p2")),
///     Some(other) => panic!("params that do not fit, or another method: {other:?}"),
///     None => panic!("no method of the protocol"),
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JsonRpcMessage<M> {
    jsonrpc: Version,
    #[serde(flatten)]
    message: M,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Version {
    #[serde(rename = "2.0")]
    Two,
}

impl<M> JsonRpcMessage<M> {
    /// Makes a message of a request, a response or a notification.
    #[must_use]
    pub const fn wrap(message: M) -> Self {
        Self { jsonrpc: Version::Two, message }
    }

    /// The request, response or notification.
    #[must_use]
    pub const fn inner(&self) -> &M {
        &self.message
    }

    /// Takes the request, response or notification out.
    #[must_use]
    pub fn into_inner(self) -> M {
        self.message
    }
}

/// Reads JSON only.
impl<'de, M: DeserializeOwned> Deserialize<'de> for JsonRpcMessage<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Marked {
            jsonrpc: Version,
        }
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let Marked { jsonrpc } = read(&raw)?;
        Ok(Self { jsonrpc, message: read(&raw)? })
    }
}

/// Several messages on one line, at least one. An agent of this toolkit answers a batch with an error, because the
/// protocol's transports require one message a line. This type is for peers that use more of JSON-RPC.
///
/// ```
/// use acp_runtime::schema::v1::{JsonRpcBatch, JsonRpcMessage, Notification};
///
/// let exit = JsonRpcMessage::wrap(Notification::<()>::new("_vendor/exit", None));
/// assert_eq!(JsonRpcBatch::new(vec![exit]).map(|batch| batch.as_slice().len()), Ok(1));
/// assert!(serde_json::from_str::<JsonRpcBatch<Notification<()>>>("[]").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct JsonRpcBatch<M>(Vec<JsonRpcMessage<M>>);

/// The error of an empty batch, which JSON-RPC does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a batch holds at least one message")]
pub struct EmptyJsonRpcBatch;

impl<M> JsonRpcBatch<M> {
    /// Makes a batch of these messages.
    ///
    /// # Errors
    ///
    /// The list is empty.
    pub fn new(messages: Vec<JsonRpcMessage<M>>) -> Result<Self, EmptyJsonRpcBatch> {
        if messages.is_empty() { Err(EmptyJsonRpcBatch) } else { Ok(Self(messages)) }
    }

    /// The messages, in order.
    #[must_use]
    pub fn as_slice(&self) -> &[JsonRpcMessage<M>] {
        &self.0
    }

    /// Takes the messages out.
    #[must_use]
    pub fn into_vec(self) -> Vec<JsonRpcMessage<M>> {
        self.0
    }
}

impl<M> TryFrom<Vec<JsonRpcMessage<M>>> for JsonRpcBatch<M> {
    type Error = EmptyJsonRpcBatch;

    fn try_from(messages: Vec<JsonRpcMessage<M>>) -> Result<Self, EmptyJsonRpcBatch> {
        Self::new(messages)
    }
}

/// Reads JSON only.
impl<'de, M: DeserializeOwned> Deserialize<'de> for JsonRpcBatch<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
