//! The common parts of the methods that open a session.

use crate::{
    agent::{
        capability_checks,
        declaration::default_shared,
        kinds::Reopening,
        model::{CallContext, Directories, Handlers},
        opened_session::OpenedSession,
    },
    dialect::Opening,
    values::{McpServer, SessionId},
    wire::{Error, Result},
};

/// The types that a handler may answer: the session's state, or the state with more parts.
// There is no `Send` bound on the session here. The compiler checks it where the struct names the type. So a session
// that is not `Send` is one error, and not one error for each handler.
macro_rules! answers {
    ($method:ident) => {
        crate::agent::call::answers! {
            [A: crate::agent::model::Handlers<Session = S, Config = C>, S, C: crate::config::ConfigOptions]
                $method: crate::agent::opened_session::OpenedSession<S, C> as Itself =
                |opened| Ok(opened.shared(crate::agent::declaration::default_shared::<A>()?));
            [A: crate::agent::model::Handlers<Session = S, Config = C, Shared = H>, S, C: crate::config::ConfigOptions, H]
                $method: crate::agent::opened_session::OpenedSession<S, C, H> as WithShared =
                |opened| Ok(opened.keep_shared::<A>());
            [A: crate::agent::model::Handlers<Session = S, Shared = H>, S, H] $method: (S, H) as WithShared =
                |(session, shared)| Ok(crate::agent::opened_session::OpenedSession::new(session).shared(shared).keep_shared::<A>());
            [A: crate::agent::model::Handlers<Session = S>, S] $method: S as Short =
                |session| crate::agent::methods::opening::alone::<A>(session);
        }
    };
}

/// Implements `session/load` and `session/resume`. They differ only in the replay, which only the handler of
/// `session/load` gets.
macro_rules! reopens {
    ($method:ident($request:ident), $opening:ident) => {
        crate::agent::methods::opening::answers!($method);

        impl crate::agent::call::OfSession for $method {}

        impl crate::agent::expansion::OfAnySession for $method {}

        // The handle of the session, if the session is already active.
        crate::agent::expansion::takes! {
            [A: crate::agent::model::Handlers<Config = C>, C: crate::config::ConfigOptions]
                $method: Option<crate::session::SessionHandle<C>> = |parts| Ok(parts.handle());
        }

        impl<A: crate::agent::model::Handlers> crate::agent::call::Called<A> for $method {
            fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<crate::agent::kinds::Reopening<A>> {
                let roots = crate::agent::model::Directories {
                    cwd: &params.cwd,
                    additional_directories: &params.additional_directories,
                };
                let by = crate::dialect::Opening::$opening;
                crate::agent::methods::opening::admit(context, &params.session_id, by, &roots, &params.mcp_servers)
            }
        }

        impl<A: crate::agent::model::Handlers> crate::agent::call::Handled<A> for $method {
            type Params = $request;
            crate::agent::methods::opening::reopening!();
            type Admitted = crate::agent::kinds::Reopening<A>;

            fn relax(params: &mut Self::Params) {
                <A::Parts as crate::agent::model::Part<A>>::relaxes_servers(&mut params.mcp_servers);
            }

            async fn ready(
                context: &mut CallContext<A>,
                call: &mut Self::Admitted,
                _: Option<&Self::Params>,
                _: &mut Option<crate::rpc::Responder>,
            ) -> Result<()> {
                call.ready(context).await;
                Ok(())
            }

            async fn conclude(
                context: &mut CallContext<A>,
                call: &mut Self::Admitted,
                answer: Self::Answer,
            ) -> Result<Self::Response> {
                call.open(context, answer).await
            }
        }
    };
}

/// The answer of a method that opens a session again.
macro_rules! reopening {
    () => {
        type Answer = crate::agent::opened_session::OpenedSession<A::Session, A::Config, A::KeptShared>;
        type Response = Box<serde_json::value::RawValue>;

        fn respond(
            connection: &std::sync::Arc<crate::agent::model::Connection<A>>,
            kept: <Self::Admitted as crate::agent::kinds::Kind<A>>::Kept,
            responder: Option<crate::rpc::Responder>,
            response: Result<Self::Response>,
        ) {
            kept.respond(connection, responder, response);
        }
    };
}

/// A session that was opened without the part that its handlers share.
pub(in crate::agent) fn alone<A: Handlers>(
    session: A::Session,
) -> Result<OpenedSession<A::Session, A::Config, A::KeptShared>> {
    Ok(OpenedSession::new(session).shared(default_shared::<A>()?))
}

/// Checks a call that opens a session again, and announces it.
pub(in crate::agent) fn admit<A: Handlers>(
    context: &CallContext<A>,
    id: &SessionId,
    by: Opening,
    roots: &Directories<'_>,
    servers: &[McpServer],
) -> Result<Reopening<A>> {
    // The session of another principal is not there.
    if context.connection.host.sessions.get(id.as_ref()).is_ok_and(|session| !context.connection.may_open(&session)) {
        return Err(Error::session_not_found(id.as_ref()));
    }
    capability_checks::roots::<A>(roots)?;
    capability_checks::mcp_servers::<A>(servers)?;
    Ok(Reopening::announce(context, id, by, roots))
}

pub(in crate::agent) use {answers, reopening, reopens};
