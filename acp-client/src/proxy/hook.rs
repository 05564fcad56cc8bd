//! What a hook sees, and what it decides.

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

/// The part of a message that a hook is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body<'m> {
    Params(Option<&'m RawValue>),
    Result(&'m RawValue),
    Error(&'m Error),
}

/// What becomes of a message.
#[derive(Debug)]
#[non_exhaustive]
pub enum Pass {
    /// It goes on as it is.
    On,
    /// It goes on with these params, or with this result; all else stays. An error becomes this result.
    As(Box<RawValue>),
    /// A request is answered with this by the proxy, and does not go on. Of a notification, nothing goes on. Of an answer,
    /// this is its result.
    Answer(Box<RawValue>),
    /// The same with an error.
    Refuse(Error),
}

impl Pass {
    /// [`As`](Self::As) with a value.
    ///
    /// # Errors
    ///
    /// The value is none of JSON: a map with keys that are no strings, for example.
    pub fn with(value: &impl serde::Serialize) -> serde_json::Result<Self> {
        serde_json::value::to_raw_value(value).map(Self::As)
    }
}

impl Passing<'_> {
    /// Who sent it.
    pub fn sender(&self) -> Side {
        self.from
    }

    /// The method; of an answer, that of its request.
    pub fn method(&self) -> &str {
        self.method
    }

    /// The JSON text of the params, or of the result; `null` where there is none.
    pub fn text(&self) -> &str {
        match self.body {
            Body::Params(Some(raw)) | Body::Result(raw) => raw.get(),
            Body::Params(None) | Body::Error(_) => "null",
        }
    }

    /// The error, where the answer is one.
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
    /// They have another shape.
    pub fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.text())
    }
}
