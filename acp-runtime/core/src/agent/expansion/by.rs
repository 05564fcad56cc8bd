//! What each handler takes, for errors: a trait for each handler, whose text lists its parameters. The expansion asks it for
//! the types that [`FromCall`] is not implemented for by authors: references, and the names of the runtime. Only the text
//! differs, because all of them are [`FromCall`]. The test `guide` compares the lists with the page `parameters`.

#![expect(non_camel_case_types, reason = "a trait has the name of its handler, as the markers have")]

use super::FromCall;
use crate::{
    agent::{call::Parts, handlers, model::Handlers},
    wire::Result,
};

macro_rules! by {
    ($($handler:ident: $message:literal, $takes:literal;)*) => {$(
        #[doc = $takes]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "not something this call can provide",
            note = $takes,
            note = "any handler also takes `Client`, `RequestMeta`, `ConnectionContext`, `Authenticated`, and a type of your own that implements `FromCall`"
        )]
        pub trait $handler<'c, A: Handlers>: Sized {
            /// [`FromCall::SLOT`].
            const SLOT: u32;

            /// [`FromCall::from_call`].
            fn take(parts: &mut Parts<'c, A, handlers::$handler>) -> Result<Self>;
        }

        #[diagnostic::do_not_recommend]
        impl<'c, A: Handlers, T: FromCall<'c, handlers::$handler, A>> $handler<'c, A> for T {
            const SLOT: u32 = T::SLOT;

            fn take(parts: &mut Parts<'c, A, handlers::$handler>) -> Result<Self> {
                T::from_call(parts)
            }
        }
    )*};
}

by! {
    initialize: "`{Self}` cannot be a parameter of `initialize`",
        "`initialize` takes `InitializeRequest`";
    authenticate: "`{Self}` cannot be a parameter of `authenticate`",
        "`authenticate` takes `AuthenticateRequest`";
    logout: "`{Self}` cannot be a parameter of `logout`",
        "`logout` takes `LogoutRequest`";
    new_session: "`{Self}` cannot be a parameter of `new_session`",
        "`new_session` takes `NewSessionRequest`, `&SessionId`";
    load_session: "`{Self}` cannot be a parameter of `load_session`",
        "`load_session` takes `LoadSessionRequest`, `Option<SessionHandle<Config>>`, `Option<Shared<T>>`, `Replay`, `&SessionId`";
    resume_session: "`{Self}` cannot be a parameter of `resume_session`",
        "`resume_session` takes `ResumeSessionRequest`, `Option<SessionHandle<Config>>`, `Option<Shared<T>>`, `&SessionId`";
    restore_session: "`{Self}` cannot be a parameter of `restore_session`",
        "`restore_session` takes `Option<SessionHandle<Config>>`, `Option<Shared<T>>`, `OpenedBy`, `Restored<Session>`, `Kept`, `Roots`, `History`, `&SessionId`";
    list_sessions: "`{Self}` cannot be a parameter of `list_sessions`",
        "`list_sessions` takes `ListSessionsRequest`";
    close_session: "`{Self}` cannot be a parameter of `close_session`",
        "`close_session` takes `CloseSessionRequest`, `SessionHandle<Config>`, `Shared<T>`, `ClosedSession<Session>`, `&SessionId`";
    delete_session: "`{Self}` cannot be a parameter of `delete_session`",
        "`delete_session` takes `DeleteSessionRequest`, `Option<SessionHandle<Config>>`, `Option<Shared<T>>`, `Option<ClosedSession<Session>>`, `&SessionId`";
    cancel: "`{Self}` cannot be a parameter of `cancel`",
        "`cancel` takes `CancelNotification`, `SessionHandle<Config>`, `Shared<T>`, `&SessionId`";
    session_opened: "`{Self}` cannot be a parameter of `session_opened`",
        "`session_opened` takes `SessionHandle<Config>`, `Shared<T>`, `OpenedBy`, `&SessionId`";
    session_ended: "`{Self}` cannot be a parameter of `session_ended`",
        "`session_ended` takes `SessionHandle<Config>`, `Shared<T>`, `ClosedSession<Session>`, `Option<ClosedSession<Session>>`, `Ended`, `&SessionId`";
    prompt: "`{Self}` cannot be a parameter of `prompt`",
        "`prompt` takes `&mut Session`, `PromptRequest`, `SessionHandle<Config>`, `Shared<T>`, `Turn<Config>`, `&SessionId`";
    command: "`{Self}` cannot be a parameter of a command",
        "a command takes `&mut Session`, `PromptRequest`, `SessionHandle<Config>`, `Shared<T>`, `Turn<Config>`, `Arguments`, `&SessionId`";
    steer: "`{Self}` cannot be a parameter of `steer`",
        "`steer` takes `PromptRequest`, `SessionHandle<Config>`, `Shared<T>`, `TurnHandle<Config>`, `&SessionId`";
    command_during_turns: "`{Self}` cannot be a parameter of a command with `during_turns`",
        "a command with `during_turns` takes `PromptRequest`, `Turn<Config>`, `Arguments`, `SessionHandle<Config>`, `Shared<T>`, `&SessionId`; the turn that runs has the `&mut Session`";
}
