//! What a client's handler serves: a method, a kind of update, or an extension.

use acp_peer::Result;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::values::{Meta, SessionId};

/// A method or kind of update that a client's handler can serve.
#[diagnostic::on_unimplemented(message = "`{Self}` is not something that a client handles")]
pub trait Handled: Send + Sync + 'static {
    /// The type of the handler's parameter.
    type Params: Send + 'static;
    /// The type of the handler's answer.
    type Response: Serialize + Send + 'static;

    /// Decodes the message of the agent.
    ///
    /// # Errors
    ///
    /// The message has another shape.
    fn decode(method: &str, params: Option<&RawValue>) -> Result<Received<Self>>;
}

/// A decoded message of the agent.
pub struct Received<M: Handled + ?Sized> {
    /// `None` once they are taken.
    pub(super) params: Option<M::Params>,
    pub(super) session: Option<SessionId>,
    pub(super) meta: Option<Meta>,
}

/// A method or update that belongs to a session. Its handler may take `&SessionId`.
pub trait OfSession {}
