//! What every method of the protocol has: a name, a direction, params and a result.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Who receives a method: [`Method::SIDE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Side {
    /// The agent; its client sends it.
    Agent,
    /// The client; its agent sends it.
    Client,
    /// Both may receive it: it is about the messages themselves, as `$/cancel_request` is.
    Protocol,
    /// A component between the two, in a chain of proxies.
    Proxy,
}

/// Whether a method is answered: [`Method::KIND`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MethodKind {
    /// It is answered with a result or an error.
    Request,
    /// It is not answered.
    Notification,
}

/// A method of the protocol, or of a vendor, as a type: the key to the types that belong together.
///
/// The generated `methods` modules have one for each method of the schema.
///
/// ```
/// use acp_runtime::schema::v1::methods::NewSession;
/// use acp_runtime::schema::{Method, MethodKind, Side};
///
/// assert_eq!(NewSession::NAME, "session/new");
/// assert_eq!(NewSession::HANDLER, "new_session");
/// assert_eq!((NewSession::SIDE, NewSession::KIND), (Side::Agent, MethodKind::Request));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a method of a schema",
    label = "not the marker of a method",
    note = "help: markers are generated from a schema, in its module `methods`; without one, write `#[ext(\"_vendor/name\")]`"
)]
pub trait Method: Send + Sync + 'static {
    /// The name on the wire, `session/new`.
    const NAME: &'static str;
    /// The name of the function that handles it, `new_session`.
    const HANDLER: &'static str;
    /// Who receives it.
    const SIDE: Side;
    /// Whether it is answered.
    const KIND: MethodKind;
    /// What is sent.
    type Params: Serialize + DeserializeOwned + Send + 'static;
    /// What is answered; `()` for notifications.
    type Response: Serialize + DeserializeOwned + Send + 'static;
}
