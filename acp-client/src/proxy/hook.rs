//! A message for a hook, and the hook's decision on it.

use acp_runtime_core::Error;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::Side;

/// A message on its way.
#[derive(Debug)]
pub struct Passing<'m> {
    pub(super) from: Side,
    pub(super) method: &'m str,
    pub(super) body: Body<'m>,
}

/// The part of a message that a hook reads or replaces.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body<'m> {
    Params(Option<&'m RawValue>),
    Result(&'m RawValue),
    Error(&'m Error),
}

/// The decision on a message.
#[derive(Debug)]
#[non_exhaustive]
pub enum Pass {
    /// The message goes on unchanged.
    On,
    /// The message goes on with these params or with this result; all other parts stay. An answer with an error gets
    /// this result instead.
    As(Box<RawValue>),
    /// The proxy answers a request with this value itself, and does not pass the request on. It drops a notification.
    /// It replaces the result of an answer by this value.
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
    pub fn with(value: &impl serde::Serialize) -> serde_json::Result<Self> {
        serde_json::value::to_raw_value(value).map(Self::As)
    }
}

impl Passing<'_> {
    /// The sender.
    pub fn sender(&self) -> Side {
        self.from
    }

    /// The method; for an answer, the method of its request.
    pub fn method(&self) -> &str {
        self.method
    }

    /// The JSON text of the params or of the result; `null` if there is none.
    pub fn text(&self) -> &str {
        match self.body {
            Body::Params(Some(raw)) | Body::Result(raw) => raw.get(),
            Body::Params(None) | Body::Error(_) => "null",
        }
    }

    /// The error, if the answer is one.
    pub fn error(&self) -> Option<&Error> {
        match self.body {
            Body::Error(error) => Some(error),
            _ => None,
        }
    }

    /// Reads the params, or the result.
    ///
    /// ```
    /// use acp_client::{proxy::{Pass, Proxy}, values::NewSessionRequest};
    ///
    /// let proxy = Proxy::new().from_client("session/new", |message| {
    ///     let Ok(mut request) = message.read::<NewSessionRequest>() else { return Pass::On };
    ///     request.mcp_servers.clear();
    ///     Pass::with(&request).unwrap_or(Pass::On)
    /// });
    /// # let _ = proxy;
    /// ```
    ///
    /// # Errors
    ///
    /// The JSON has another shape.
    pub fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.text())
    }
}
