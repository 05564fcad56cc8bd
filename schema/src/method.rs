//! The common parts of all methods of the protocol: a name, a direction, params and a result.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The receiver of a method: [`Method::SIDE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Side {
    /// The agent. Its client sends the message.
    Agent,
    /// The client. Its agent sends the message.
    Client,
    /// Either side. The method is about the messages themselves, for example `$/cancel_request`.
    Protocol,
    /// A component between client and agent, in a chain of proxies.
    Proxy,
}

/// Whether a method is answered: [`Method::KIND`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MethodKind {
    /// The receiver answers it with a result or an error.
    Request,
    /// The receiver does not answer it.
    Notification,
}

/// A method of the protocol or of a vendor, as a type. It names the other types of the method.
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
    /// The name on the wire, for example `session/new`.
    const NAME: &'static str;
    /// The name of the function that handles the method, for example `new_session`.
    const HANDLER: &'static str;
    /// The receiver.
    const SIDE: Side;
    /// Whether the method is answered.
    const KIND: MethodKind;
    /// The names of the fields that the params may have, those of all their forms. `None` if the schema allows other names,
    /// or says nothing about them.
    const FIELDS: Option<&'static [&'static str]> = None;
    /// The type of the params.
    type Params: Serialize + DeserializeOwned + Send + 'static;
    /// The type of the answer; `()` for notifications.
    type Response: Serialize + DeserializeOwned + Send + 'static;
}

/// The marker of a request: a method that is answered. Generated markers implement it.
///
/// It is a bound of functions that wait for an answer, such as `Client::call` of the runtime. If you write a
/// marker by hand, implement it beside [`Method`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the marker of a request",
    label = "a method that is answered is needed here",
    note = "help: a notification is sent with `notify`",
    note = "help: markers stand in the module `methods` of a schema: `methods::Review` for `ReviewRequest`"
)]
pub trait RequestMethod: Method {}

/// The marker of a notification: a method that is not answered. Generated markers implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the marker of a notification",
    label = "a method that is not answered is needed here",
    note = "help: a request is sent with `call`, which waits for its answer",
    note = "help: markers stand in the module `methods` of a schema: `methods::Dismiss` for `DismissNotification`"
)]
pub trait NotificationMethod: Method {}

/// The marker of a method that the agent receives: one whose `x-side` in the schema is `agent` or `protocol`. Generated
/// markers implement it.
#[diagnostic::on_unimplemented(
    message = "the method `{Self}` is not one that an agent receives",
    label = "its side in the schema is another one",
    note = "help: a client calls methods whose `x-side` is `agent`; it handles those of the side `client`"
)]
pub trait AgentMethod: Method {}

/// The marker of a method that the client receives: one whose `x-side` in the schema is `client` or `protocol`. Generated
/// markers implement it.
#[diagnostic::on_unimplemented(
    message = "the method `{Self}` is not one that a client receives",
    label = "its side in the schema is another one",
    note = "help: an agent calls methods whose `x-side` is `client`; it handles those of the side `agent`"
)]
pub trait ClientMethod: Method {}
