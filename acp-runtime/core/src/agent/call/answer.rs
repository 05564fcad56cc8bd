//! Converts a handler's return value to the answer for the client.

use acp_handlers::{Fallible, Plain};

use crate::{
    agent::{call::Handled, heard::heard, model::Handlers},
    wire::{Error, Result},
};

/// The types that a handler of the method `M` may answer.
///
/// `Shape` separates conversions that the compiler could not tell apart; the compiler infers it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an answer to `{M}`",
    label = "not an answer of this method",
    note = "`initialize` answers `Initialized` or `()`, `prompt` and commands `StopReason` or `PromptResponse`, `steer` `Steered`\n`new_session`, and the draft `fork_session`, answer `Session`, `(SessionId, Session)` or `OpenedSession`; `load_session`, `resume_session` and `restore_session` answer `Session` or `OpenedSession`; with `shared = Core` on the struct, all of these also `(Session, Core)`\nan extension answers a type that derives `serde::Serialize` (of `#[ext(methods::Name)]` what the schema says); with `opens` in `#[method(..)]` what `new_session` does\nnotifications, `session_opened` and `session_ended` answer `()`, the other methods `()` or their `..Response`",
    note = "`Session` is the type that `#[acp_agent(session = ..)]` names on the struct"
)]
pub trait IntoAnswer<M: Handled<A>, A: Handlers, Shape> {
    /// The answer as the runtime represents it.
    fn answer(self) -> Result<M::Answer>;
}

/// The types that a handler of the method `M` may return: an answer, or a `Result` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what this handler returns",
    label = "expected an answer of this method, or a `Result` of one",
    note = "`initialize` answers `Initialized` or `()`, `prompt` and commands `StopReason` or `PromptResponse`, `steer` `Steered`\n`new_session`, and the draft `fork_session`, answer `Session`, `(SessionId, Session)` or `OpenedSession`; `load_session`, `resume_session` and `restore_session` answer `Session` or `OpenedSession`; with `shared = Core` on the struct, all of these also `(Session, Core)`\nan extension answers a type that derives `serde::Serialize` (of `#[ext(methods::Name)]` what the schema says); with `opens` in `#[method(..)]` what `new_session` does\nnotifications, `session_opened` and `session_ended` answer `()`, the other methods `()` or their `..Response`",
    note = "`Session` is the type that `#[acp_agent(session = ..)]` names on the struct"
)]
pub trait IntoHandlerResult<M: Handled<A>, A: Handlers, Shape> {
    /// The result of the handler of this name, as the runtime represents it. Tells the subscriber of an error.
    fn finish(self, handler: &str) -> Result<M::Answer>;
}

/// The error of a handler: any type that converts into [`Error`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a handler",
    label = "does not convert into `acp_runtime::Error`",
    note = "help: return `acp_runtime::Error`, made by `Error::internal_error(text)` or its like; an error type of your own converts after `impl From<YourError> for acp_runtime::Error`",
    note = "`std::io::Error`, `serde_json::Error` and, with the feature `anyhow`, `anyhow::Error` convert as they are"
)]
pub trait IntoHandlerError {
    /// The error that answers the request.
    fn into_error(self) -> Error;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Error>> IntoHandlerError for E {
    fn into_error(self) -> Error {
        self.into()
    }
}

impl<M: Handled<A>, A: Handlers, Shape, T: IntoAnswer<M, A, Shape>, E: IntoHandlerError>
    IntoHandlerResult<M, A, Fallible<Shape>> for std::result::Result<T, E>
{
    fn finish(self, handler: &str) -> Result<M::Answer> {
        match self {
            Ok(answer) => answer.answer(),
            Err(error) => Err(heard(handler, error.into_error())),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<M: Handled<A>, A: Handlers, Shape, T: IntoAnswer<M, A, Shape>> IntoHandlerResult<M, A, Plain<Shape>> for T {
    fn finish(self, _: &str) -> Result<M::Answer> {
        self.answer()
    }
}

/// Marks a session together with its id.
pub struct WithId;

/// The types that a handler may answer: the answer itself, and perhaps a short form of it. Or, in lines: the generics of the
/// impl, the method, the type with its shape, and the way to the answer.
macro_rules! answers {
    ($method:ident: $answer:ty $(, $short:ty = |$value:pat_param| $form:expr)?) => {
        crate::agent::call::answers! {
            [A: crate::agent::model::Handlers] $method: $answer as Itself = |answer| Ok(answer);
            $([A: crate::agent::model::Handlers] $method: $short as Short = |$value| Ok($form);)?
        }
    };
    ($([$($generic:tt)*] $method:ty: $given:ty as $shape:ident = |$value:pat_param| $answer:expr;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generic)*> crate::agent::call::IntoAnswer<$method, A, crate::agent::call::$shape> for $given {
            fn answer(self) -> crate::wire::Result<<$method as crate::agent::call::Handled<A>>::Answer> {
                let $value = self;
                $answer
            }
        }
    )+};
}

pub(in crate::agent) use answers;
