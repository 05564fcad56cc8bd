//! Converts a handler's return value to the answer for the agent.

use std::{any::Any, io};

use acp_handlers::{Fallible, Plain};
use acp_peer::{Error, Result};

use super::handled::Handled;
use crate::{schema::Method, values::methods};

/// The types that a handler of the method `M` may answer. `Shape` separates conversions that the compiler could not
/// tell apart; the compiler infers it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an answer to `{M}`",
    label = "not an answer of this method",
    note = "`read_text_file` answers `String`; `create_terminal` `TerminalId`; `wait_for_terminal_exit` `TerminalExitStatus`; `create_elicitation` `ElicitationAction`\n`request_permission` answers `RequestPermissionOutcome`, the `PermissionOptionId` that was selected, or an `Option` of it\n`write_text_file`, `kill_terminal`, `release_terminal`, notifications and updates answer `()`; all methods their `..Response`\nan extension answers a type that derives `serde::Serialize` (of `#[ext(methods::Name)]` what the schema says)"
)]
pub trait IntoAnswer<M: Handled, Shape> {
    /// The answer's form on the wire.
    fn answer(self) -> Result<M::Response>;
}

/// The types that a handler of the method `M` may return: an answer, or a `Result` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a client's `{M}` handler returns",
    label = "expected an answer of this method, or a `Result` of one",
    note = "`read_text_file` answers `String`; `create_terminal` `TerminalId`; `wait_for_terminal_exit` `TerminalExitStatus`; `create_elicitation` `ElicitationAction`\n`request_permission` answers `RequestPermissionOutcome`, the `PermissionOptionId` that was selected, or an `Option` of it\n`write_text_file`, `kill_terminal`, `release_terminal`, notifications and updates answer `()`; all methods their `..Response`\nan extension answers a type that derives `serde::Serialize` (of `#[ext(methods::Name)]` what the schema says)"
)]
pub trait IntoHandlerResult<M: Handled, Shape> {
    /// The answer to `method`, in its form on the wire.
    fn finish(self, method: &str) -> Result<M::Response>;
}

/// The error of a handler: any type that converts into [`Error`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a handler",
    label = "does not convert into `acp_client::handlers::Error`",
    note = "help: return `acp_client::handlers::Error`, made by `Error::internal_error(text)` or its like; an error type of your own converts after `impl From<YourError> for acp_client::handlers::Error`",
    note = "`std::io::Error`, `serde_json::Error` and `acp_client::Error` convert as they are"
)]
pub trait IntoHandlerError {
    /// The error that answers the request.
    fn into_error(self) -> Error;

    /// Whether the system found no such file.
    fn is_not_found(&self) -> bool;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Error> + 'static> IntoHandlerError for E {
    fn into_error(self) -> Error {
        self.into()
    }

    fn is_not_found(&self) -> bool {
        let error = (self as &dyn Any).downcast_ref::<io::Error>();
        error.is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
    }
}

/// A handler's error as the agent gets it. A file that is missing has a code of its own.
fn failed(method: &str, error: impl IntoHandlerError) -> Error {
    let is_missing = method == methods::ReadTextFile::NAME && error.is_not_found();
    let error = error.into_error();
    if is_missing { Error::new(Error::RESOURCE_NOT_FOUND, error.message().to_owned()) } else { error }
}

impl<M: Handled, Shape, T: IntoAnswer<M, Shape>, E: IntoHandlerError> IntoHandlerResult<M, Fallible<Shape>>
    for std::result::Result<T, E>
{
    fn finish(self, method: &str) -> Result<M::Response> {
        self.map_err(|error| failed(method, error)).and_then(T::answer)
    }
}

#[diagnostic::do_not_recommend]
impl<M: Handled, Shape, T: IntoAnswer<M, Shape>> IntoHandlerResult<M, Plain<Shape>> for T {
    fn finish(self, _: &str) -> Result<M::Response> {
        self.answer()
    }
}

/// Marks the id of the option that the user selected.
pub struct Selected;
