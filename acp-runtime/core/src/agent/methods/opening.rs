//! The common parts of the methods that open a session.

use crate::{
    agent::{
        capability_checks,
        kinds::Reopening,
        model::{CallContext, Directories, Handlers},
    },
    dialect::Opening,
    values::{McpServer, SessionId},
    wire::Result,
};

/// The types that a handler may answer: the session's state, or the state with more parts.
// There is no `Send` bound on the session here. The compiler checks it where the struct names the type. So a session
// that is not `Send` is one error, and not one error for each handler.
macro_rules! answers {
    ($method:ident) => {
        #[diagnostic::do_not_recommend]
        impl<A: crate::agent::model::Handlers<Session = S, Config = C>, S, C>
            crate::agent::call::IntoAnswer<$method, A, crate::agent::call::Itself>
            for crate::agent::opened_session::OpenedSession<S, C>
        where
            C: crate::config::ConfigOptions,
        {
            fn answer(self) -> Result<crate::agent::opened_session::OpenedSession<S, C, A::KeptShared>> {
                Ok(self.shared(crate::agent::declaration::default_shared::<A>()?))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A: crate::agent::model::Handlers<Session = S, Config = C, Shared = H>, S, C, H>
            crate::agent::call::IntoAnswer<$method, A, crate::agent::call::WithShared>
            for crate::agent::opened_session::OpenedSession<S, C, H>
        where
            C: crate::config::ConfigOptions,
        {
            fn answer(self) -> Result<crate::agent::opened_session::OpenedSession<S, C, A::KeptShared>> {
                Ok(self.keep_shared::<A>())
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A: crate::agent::model::Handlers<Session = S, Shared = H>, S, H>
            crate::agent::call::IntoAnswer<$method, A, crate::agent::call::WithShared> for (S, H)
        {
            fn answer(self) -> Result<crate::agent::opened_session::OpenedSession<S, A::Config, A::KeptShared>> {
                let (session, shared) = self;
                Ok(crate::agent::opened_session::OpenedSession::new(session).shared(shared).keep_shared::<A>())
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A: crate::agent::model::Handlers<Session = S>, S>
            crate::agent::call::IntoAnswer<$method, A, crate::agent::call::Short> for S
        {
            fn answer(self) -> Result<crate::agent::opened_session::OpenedSession<S, A::Config, A::KeptShared>> {
                let shared = crate::agent::declaration::default_shared::<A>()?;
                Ok(crate::agent::opened_session::OpenedSession::new(self).shared(shared))
            }
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

        /// The handle of the session, if the session is already active.
        #[diagnostic::do_not_recommend]
        impl<'c, A: crate::agent::model::Handlers<Config = C>, C: crate::config::ConfigOptions>
            crate::agent::expansion::FromCall<'c, $method, A> for Option<crate::session::SessionHandle<C>>
        {
            fn from_call(parts: &mut crate::agent::call::Parts<'c, A, $method>) -> Result<Self> {
                Ok(parts.handle())
            }
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

/// Checks a call that opens a session again, and announces it.
pub(in crate::agent) fn admit<A: Handlers>(
    context: &CallContext<A>,
    id: &SessionId,
    by: Opening,
    roots: &Directories<'_>,
    servers: &[McpServer],
) -> Result<Reopening<A>> {
    capability_checks::roots::<A>(roots)?;
    capability_checks::mcp_servers::<A>(servers)?;
    Ok(Reopening::announce(context, id, by, roots))
}

pub(in crate::agent) use {answers, reopening, reopens};
