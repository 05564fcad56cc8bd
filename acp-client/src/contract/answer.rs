//! Converts a handler's return value to the answer for the agent.

use std::{
    any::{Any, TypeId},
    io,
    marker::PhantomData,
};

use acp_peer::{Error, Result, wire::own::answer as own_answer};
use serde::Serialize;
use serde_json::value::RawValue;

use super::markers::{Handled, handlers};
use crate::{
    schema::Method,
    values::{
        CreateElicitationResponse, CreateTerminalResponse, ElicitationAction, KillTerminalResponse, PermissionOptionId,
        ReadTextFileResponse, ReleaseTerminalResponse, RequestPermissionOutcome, RequestPermissionResponse,
        SelectedPermissionOutcome, TerminalExitStatus, TerminalId, WaitForTerminalExitResponse, WriteTextFileResponse,
    },
};

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
    /// The answer's form on the wire.
    fn finish(self) -> Result<M::Response>;
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
fn failed<M: Handled>(error: impl IntoHandlerError) -> Error {
    let is_missing = TypeId::of::<M>() == TypeId::of::<handlers::read_text_file>() && error.is_not_found();
    let error = error.into_error();
    if is_missing { Error::new(Error::RESOURCE_NOT_FOUND, error.message().to_owned()) } else { error }
}

/// Marks a handler that returns a `Result`.
pub struct Fallible<Shape>(PhantomData<Shape>);
/// Marks a handler that returns the answer itself.
pub struct Plain<Shape>(PhantomData<Shape>);

impl<M: Handled, Shape, T: IntoAnswer<M, Shape>, E: IntoHandlerError> IntoHandlerResult<M, Fallible<Shape>>
    for std::result::Result<T, E>
{
    fn finish(self) -> Result<M::Response> {
        self.map_err(failed::<M>).and_then(T::answer)
    }
}

#[diagnostic::do_not_recommend]
impl<M: Handled, Shape, T: IntoAnswer<M, Shape>> IntoHandlerResult<M, Plain<Shape>> for T {
    fn finish(self) -> Result<M::Response> {
        self.answer()
    }
}

/// Marks a value that already is the answer.
pub struct Itself;
/// Marks a value that is a short form of the answer.
pub struct Short;
/// Marks the id of the option that the user selected.
pub struct Selected;

macro_rules! short {
    ($($method:ident: $given:ty => |$value:pat_param| $answer:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl IntoAnswer<handlers::$method, Short> for $given {
            fn answer(self) -> Result<<handlers::$method as Handled>::Response> {
                let $value = self;
                Ok($answer)
            }
        }
    )*};
}

short! {
    read_text_file: String => |content| ReadTextFileResponse::new(content);
    write_text_file: () => |()| WriteTextFileResponse::new();
    create_terminal: TerminalId => |id| CreateTerminalResponse::new(id);
    wait_for_terminal_exit: TerminalExitStatus => |status| exited(status);
    kill_terminal: () => |()| KillTerminalResponse::new();
    release_terminal: () => |()| ReleaseTerminalResponse::new();
    request_permission: RequestPermissionOutcome => |outcome| RequestPermissionResponse::new(outcome);
    create_elicitation: ElicitationAction => |action| CreateElicitationResponse::new(action);
}

fn exited(TerminalExitStatus { exit_code, signal, meta, .. }: TerminalExitStatus) -> WaitForTerminalExitResponse {
    let mut response = WaitForTerminalExitResponse::new();
    response.exit_code = exit_code;
    response.signal = signal;
    response.meta = meta;
    response
}

#[diagnostic::do_not_recommend]
impl IntoAnswer<handlers::request_permission, Selected> for PermissionOptionId {
    fn answer(self) -> Result<RequestPermissionResponse> {
        let selected = SelectedPermissionOutcome::new(self);
        Ok(RequestPermissionResponse::new(RequestPermissionOutcome::Selected(selected)))
    }
}

/// `None` means that the user selected nothing. The protocol's word for this is `cancelled`.
#[diagnostic::do_not_recommend]
impl IntoAnswer<handlers::request_permission, Selected> for Option<PermissionOptionId> {
    fn answer(self) -> Result<RequestPermissionResponse> {
        self.map_or_else(
            || Ok(RequestPermissionResponse::new(RequestPermissionOutcome::Cancelled)),
            <PermissionOptionId as IntoAnswer<handlers::request_permission, Selected>>::answer,
        )
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoAnswer<handlers::Ext, Itself> for T {
    fn answer(self) -> Result<Box<RawValue>> {
        own_answer(&self).map_err(Error::from)
    }
}

#[diagnostic::do_not_recommend]
impl IntoAnswer<handlers::ExtNotification, Short> for () {
    fn answer(self) -> Result<()> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<M: Method<Response = T>, T: Serialize + Send + 'static> IntoAnswer<handlers::ExtOf<M>, Itself> for T {
    fn answer(self) -> Result<T> {
        Ok(self)
    }
}
