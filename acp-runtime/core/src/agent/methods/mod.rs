//! What the runtime does around each handler: what it checks before, what it lends, what it makes of the answer.

use std::marker::PhantomData;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    capability_checks,
    context::CallContext,
    contract::{Handlers, NewSession},
    params::{self, Params},
};
use crate::{
    TARGET,
    schema::{
        Method,
        v1::{methods, *},
    },
    wire::{Error, Result},
};

/// A method that a handler of the agent `A` can serve.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a method that an agent handles")]
pub trait Handled<A: Handlers>: Send + Sync + 'static {
    /// The parameters on the wire.
    type Params: Params;
    /// What a handler's return value becomes.
    type Answer: Send;
    /// The result on the wire.
    type Response: Serialize;

    /// Checks the request and takes what its handler needs. Runs in the order of arrival and never waits.
    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()>;

    /// Waits for what must be over before the handler runs.
    fn ready(context: &mut CallContext<A>) -> impl Future<Output = Result<()>> + Send {
        let _ = context;
        async { Ok(()) }
    }

    /// Makes the response of the handler's answer. Dropped while it waits, it has changed nothing.
    fn conclude(
        context: &mut CallContext<A>,
        answer: Self::Answer,
    ) -> impl Future<Output = Result<Self::Response>> + Send;

    /// Makes the response of a failure. Never waits: it also runs when the handler's future is dropped.
    fn fail(context: &mut CallContext<A>, error: Error) -> Result<Self::Response> {
        let _ = context;
        Err(error)
    }
}

/// A method whose calls belong to a session, so that its handler may take `&SessionId`.
pub trait OfSession {}

/// An extension request, declared with `#[ext("_vendor/name")]`.
pub struct Ext;

/// An extension notification, declared with `#[ext(notification = "_vendor/name")]`.
pub struct ExtNotification;

/// An extension method, declared with `#[ext(M)]`: what it takes and answers, its marker says.
pub struct ExtOf<M>(PhantomData<fn() -> M>);

impl OfSession for methods::LoadSession {}
impl OfSession for methods::ResumeSession {}
impl OfSession for methods::CloseSession {}
impl OfSession for methods::DeleteSession {}
impl OfSession for methods::Prompt {}
impl OfSession for methods::Cancel {}

/// The types of a method whose handler's answer is the response as it stands.
macro_rules! answers_itself {
    ($params:ty => $response:ty) => {
        type Params = $params;
        type Answer = $response;
        type Response = $response;

        async fn conclude(_: &mut CallContext<A>, answer: $response) -> Result<$response> {
            Ok(answer)
        }
    };
}

impl<A: Handlers> Handled<A> for methods::NewSession {
    type Params = NewSessionRequest;
    type Answer = NewSession<A::Session, A::Config>;
    type Response = NewSessionResponse;

    fn admit(_: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        capability_checks::roots::<A>(&params.cwd, &params.additional_directories)?;
        capability_checks::mcp_servers::<A>(&params.mcp_servers)
    }

    async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
        let opened = context.open_new(answer)?;
        let mut response = NewSessionResponse::new(opened.id);
        response.modes = opened.modes;
        response.config_options = opened.config_options;
        response.meta = opened.meta;
        Ok(response)
    }
}

/// `session/load` and `session/resume` differ only in the replay, which is the handler's.
macro_rules! reopens {
    ($method:ident, $request:ident, $response:ident, replays: $replays:literal) => {
        impl<A: Handlers> Handled<A> for methods::$method {
            type Params = $request;
            type Answer = NewSession<A::Session, A::Config>;
            type Response = $response;

            fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
                capability_checks::roots::<A>(&params.cwd, &params.additional_directories)?;
                capability_checks::mcp_servers::<A>(&params.mcp_servers)?;
                context.announce(&params.session_id);
                if $replays {
                    context.begin_replay(&params.session_id);
                }
                Ok(())
            }

            async fn ready(context: &mut CallContext<A>) -> Result<()> {
                context.begin_opening().await;
                Ok(())
            }

            async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
                let opened = context.open_named(answer).await?;
                let mut response = $response::new();
                response.modes = opened.modes;
                response.config_options = opened.config_options;
                response.meta = opened.meta;
                Ok(response)
            }
        }
    };
}
reopens!(LoadSession, LoadSessionRequest, LoadSessionResponse, replays: true);
reopens!(ResumeSession, ResumeSessionRequest, ResumeSessionResponse, replays: false);

/// `session/close` and `session/delete`: the session is over when the handler has done its work, and not before.
macro_rules! ends {
    ($method:ident, $request:ident, $response:ident, stored: $stored:literal) => {
        impl<A: Handlers> Handled<A> for methods::$method {
            type Params = $request;
            type Answer = $response;
            type Response = $response;

            fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
                // A session that is not active may still be stored: the handler decides.
                if $stored {
                    context.announce(&params.session_id);
                    return Ok(());
                }
                context.announce_known(&params.session_id)
            }

            async fn ready(context: &mut CallContext<A>) -> Result<()> {
                if context.begin_ending().await || $stored { Ok(()) } else { Err(context.unknown_session()) }
            }

            async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
                context.end_session();
                Ok(answer)
            }

            fn fail(context: &mut CallContext<A>, error: Error) -> Result<Self::Response> {
                context.keep_session();
                Err(error)
            }
        }
    };
}
ends!(CloseSession, CloseSessionRequest, CloseSessionResponse, stored: false);
ends!(DeleteSession, DeleteSessionRequest, DeleteSessionResponse, stored: true);

impl<A: Handlers> Handled<A> for methods::Prompt {
    type Params = PromptRequest;
    type Answer = PromptResponse;
    type Response = PromptResponse;

    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        capability_checks::content::<A>(&params.prompt)?;
        context.begin_turn(&params.session_id)
    }

    async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
        if context.cancel.is_cancelled() {
            return Ok(cancelled(answer));
        }
        tracing::debug!(target: TARGET, stop_reason = ?answer.stop_reason, "the turn ended");
        Ok(answer)
    }

    fn fail(context: &mut CallContext<A>, error: Error) -> Result<Self::Response> {
        if context.cancel.is_cancelled() {
            return Ok(cancelled(PromptResponse::new(StopReason::Cancelled)));
        }
        tracing::debug!(target: TARGET, "the turn failed");
        Err(error)
    }
}

/// However the handler took the cancellation, the client is told so, and in these words. The rest of its answer stands.
fn cancelled(mut answer: PromptResponse) -> PromptResponse {
    tracing::debug!(target: TARGET, stop_reason = "Cancelled", "the turn ended");
    answer.stop_reason = StopReason::Cancelled;
    answer
}

impl<A: Handlers> Handled<A> for methods::Cancel {
    answers_itself!(CancelNotification => ());

    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        context.enter_session(&params.session_id)
    }
}

impl<A: Handlers> Handled<A> for methods::ListSessions {
    type Params = ListSessionsRequest;
    type Answer = ListSessionsResponse;
    type Response = ListSessionsResponse;

    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        if let Some(cwd) = &params.cwd {
            capability_checks::absolute("cwd", cwd.as_ref())?;
        }
        context.wanted_cwd.clone_from(&params.cwd);
        Ok(())
    }

    async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
        let mut response = answer;
        if let Some(wanted) = &context.wanted_cwd {
            response.sessions.retain(|session| session.cwd == *wanted);
        }
        let mut paths = response.sessions.iter().flat_map(|one| one.additional_directories.iter().chain([&one.cwd]));
        if paths.any(|path| !path.is_absolute()) {
            return Err(Error::internal_error(
                "the agent listed a session with a path that is not absolute; the protocol's paths are",
            ));
        }
        drop(paths);
        Ok(response)
    }
}

impl<A: Handlers> Handled<A> for methods::Authenticate {
    answers_itself!(AuthenticateRequest => AuthenticateResponse);

    fn admit(_: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        capability_checks::auth_method::<A>(params.method_id.as_ref())
    }
}

impl<A: Handlers> Handled<A> for methods::Logout {
    answers_itself!(LogoutRequest => LogoutResponse);

    fn admit(_: &mut CallContext<A>, _: &Self::Params) -> Result<()> {
        Ok(())
    }
}

impl<A: Handlers> Handled<A> for Ext {
    type Params = Box<RawValue>;
    type Answer = Box<RawValue>;
    type Response = Box<RawValue>;

    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        enter_named(context, params);
        Ok(())
    }

    async fn conclude(_: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
        Ok(answer)
    }
}

impl<A: Handlers> Handled<A> for ExtNotification {
    type Params = Box<RawValue>;
    type Answer = ();
    type Response = ();

    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        enter_named(context, params);
        Ok(())
    }

    async fn conclude(_: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
        Ok(answer)
    }
}

impl<A: Handlers, M: Method> Handled<A> for ExtOf<M> {
    type Params = Box<RawValue>;
    type Answer = M::Response;
    type Response = M::Response;

    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        enter_named(context, params);
        Ok(())
    }

    async fn conclude(_: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
        Ok(answer)
    }
}

/// An extension belongs to the session that its parameters name, when that is active. Whether it must be, its handler
/// says by what it takes.
fn enter_named<A: Handlers>(context: &mut CallContext<A>, params: &RawValue) {
    if let Some(id) = params::session_id(params)
        && context.enter_session(&id).is_err()
    {
        tracing::debug!(target: TARGET, "an extension names a session that is not active");
    }
}
