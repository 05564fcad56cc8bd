//! A message for a hook, and the hook's decision on it.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use acp_peer::{Error, wire::own};

/// A message on its way between the agent and its client, as a hook sees it.
#[derive(Clone, Copy, Debug)]
pub struct Passing<'m> {
    kind: Kind,
    id: Option<&'m RawValue>,
    number: u64,
    method: &'m str,
    body: Body<'m>,
}

/// The kind of a message that a hook sees: it decides what becomes of the hook's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It has to be answered.
    Request,
    /// It is not answered.
    Notification,
    /// The answer to a request: a result or an error.
    Answer,
}

/// The part of a message that a hook reads or replaces.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)] // `Passing` reads it
pub enum Body<'m> {
    Params(Option<&'m RawValue>),
    Result(&'m RawValue),
    Error(&'m Error),
}

/// The decision on a message. The [module](super) says what becomes of each kind of message.
#[derive(Debug)]
#[non_exhaustive]
pub enum Pass {
    /// The message goes on unchanged.
    On,
    /// The message goes on with these params or with this result; all other parts stay. An answer with an
    /// error has no result, so it goes on unchanged: [`Answer`](Self::Answer) replaces an error.
    As(Box<RawValue>),
    /// A request or a notification goes on as one of another method, with these params. The answer to it is still an answer
    /// to the method that was asked for.
    ///
    /// An answer is held back, and its request is made again, with this method and these params: the side that has answered
    /// gets another request with the same id. A hook that does this must come to an end.
    To {
        /// The other method.
        method: String,
        /// The params of the other method.
        params: Box<RawValue>,
    },
    /// A request is answered with this value, and does not go on. A notification is dropped. The result or the error of an answer
    /// is replaced by this result.
    Answer(Box<RawValue>),
    /// As [`Answer`](Self::Answer), but with an error.
    Refuse(Error),
}

impl Pass {
    /// Makes an [`As`](Self::As) with a value.
    ///
    /// # Errors
    ///
    /// The value cannot be written as JSON: for example, a map with keys that are no strings.
    pub fn with(value: &impl Serialize) -> serde_json::Result<Self> {
        serde_json::value::to_raw_value(value).map(Self::As)
    }

    /// Makes a [`To`](Self::To) with a value.
    ///
    /// # Errors
    ///
    /// The value cannot be written as JSON.
    pub fn to(method: impl Into<String>, params: &impl Serialize) -> serde_json::Result<Self> {
        Ok(Self::To { method: method.into(), params: serde_json::value::to_raw_value(params)? })
    }

    /// Makes an [`Answer`](Self::Answer) with a value. `()` is `{}`, as in the answer of a handler.
    ///
    /// # Errors
    ///
    /// The value cannot be written as JSON.
    pub fn answer(value: &impl Serialize) -> serde_json::Result<Self> {
        own::answer(value).map(Self::Answer)
    }
}

impl<'m> Passing<'m> {
    #[doc(hidden)] // the connection and the proxy make it
    pub fn new(kind: Kind, id: Option<&'m RawValue>, number: u64, method: &'m str, body: Body<'m>) -> Self {
        Self { kind, id, number, method, body }
    }

    /// Whether it is a request, a notification or an answer.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The JSON text of the id; `None` for a notification. An answer has the id of its request. Several open requests can have
    /// one id; [`number`](Self::number) tells them apart.
    pub fn id(&self) -> Option<&'m str> {
        self.id.map(RawValue::get)
    }

    /// The number of the message; for an answer, that of its request. No other message of these hooks has it.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The method; for an answer, the method of its request.
    pub fn method(&self) -> &'m str {
        self.method
    }

    /// Whether it is the answer to this method.
    pub fn answers(&self, method: &str) -> bool {
        self.kind == Kind::Answer && self.method == method
    }

    /// The JSON text of the params or of the result; `null` if there is none, as in an answer with an error.
    pub fn text(&self) -> &'m str {
        match self.body {
            Body::Params(Some(raw)) | Body::Result(raw) => raw.get(),
            Body::Params(None) | Body::Error(_) => "null",
        }
    }

    /// The error, if the answer is one.
    pub fn error(&self) -> Option<&'m Error> {
        match self.body {
            Body::Error(error) => Some(error),
            _ => None,
        }
    }

    /// Reads the params, or the result. Absent params are read as `null`, for example as `None`; a hook that gives `null` back leaves
    /// them absent.
    ///
    /// ```
    /// use acp_hooks::{Pass, Passing};
    /// use acp_schema::v1::NewSessionRequest;
    ///
    /// /// Sessions without MCP servers.
    /// fn alone(message: &Passing<'_>) -> Pass {
    ///     let Ok(mut request) = message.read::<NewSessionRequest>() else { return Pass::On };
    ///     request.mcp_servers.clear();
    ///     Pass::with(&request).unwrap_or(Pass::On)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The JSON has another shape, or the answer is an [error](Self::error).
    pub fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        if let Body::Error(error) = self.body {
            let text = format!("the answer has no result: it is the error {}", error.code());
            return Err(serde::de::Error::custom(text));
        }
        serde_json::from_str(self.text())
    }
}
