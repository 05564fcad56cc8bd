//! The common parts of the methods that open a session.

/// The types that a handler may answer: the session's state, or the state with more parts.
// There is no `Send` bound on the session here. The compiler checks it where the struct names the type. So a session
// that is not `Send` is one error, and not one error for each handler.
macro_rules! answers {
    ($method:ident) => {
        #[diagnostic::do_not_recommend]
        impl<A: crate::agent::contract::Handlers<Session = S, Config = C>, S, C>
            crate::agent::contract::IntoAnswer<$method, A, crate::agent::contract::Itself>
            for crate::agent::contract::OpenedSession<S, C>
        where
            C: crate::config::ConfigOptions,
        {
            fn answer(self) -> Result<crate::agent::contract::OpenedSession<S, C, A::KeptShared>> {
                Ok(self.shared(crate::agent::contract::default_shared::<A>()?))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A: crate::agent::contract::Handlers<Session = S, Config = C, Shared = H>, S, C, H>
            crate::agent::contract::IntoAnswer<$method, A, crate::agent::contract::WithShared>
            for crate::agent::contract::OpenedSession<S, C, H>
        where
            C: crate::config::ConfigOptions,
        {
            fn answer(self) -> Result<crate::agent::contract::OpenedSession<S, C, A::KeptShared>> {
                Ok(self.keep_shared::<A>())
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A: crate::agent::contract::Handlers<Session = S, Shared = H>, S, H>
            crate::agent::contract::IntoAnswer<$method, A, crate::agent::contract::WithShared> for (S, H)
        {
            fn answer(self) -> Result<crate::agent::contract::OpenedSession<S, A::Config, A::KeptShared>> {
                let (session, shared) = self;
                Ok(crate::agent::contract::OpenedSession::new(session).shared(shared).keep_shared::<A>())
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A: crate::agent::contract::Handlers<Session = S>, S>
            crate::agent::contract::IntoAnswer<$method, A, crate::agent::contract::Short> for S
        {
            fn answer(self) -> Result<crate::agent::contract::OpenedSession<S, A::Config, A::KeptShared>> {
                let shared = crate::agent::contract::default_shared::<A>()?;
                Ok(crate::agent::contract::OpenedSession::new(self).shared(shared))
            }
        }
    };
}

/// Implements `session/load` and `session/resume`. They differ only in the replay, which only the handler of
/// `session/load` gets.
macro_rules! reopens {
    ($method:ident($request:ident), $opening:ident, $opened:ident) => {
        crate::agent::methods::opening::answers!($method);

        impl crate::agent::methods::OfSession for $method {}

        impl crate::agent::contract::OfAnySession for $method {}

        /// The handle of the session, if the session is already active.
        #[diagnostic::do_not_recommend]
        impl<'c, A: crate::agent::contract::Handlers<Config = C>, C: crate::config::ConfigOptions>
            crate::agent::contract::FromCall<'c, $method, A> for Option<crate::session::SessionHandle<C>>
        {
            fn from_call(parts: &mut crate::agent::contract::Parts<'c, A, $method>) -> Result<Self> {
                Ok(parts.handle())
            }
        }

        impl<A: crate::agent::contract::Handlers> crate::agent::methods::Handled<A> for $method {
            type Params = $request;
            type Answer = crate::agent::contract::OpenedSession<A::Session, A::Config, A::KeptShared>;
            type Response = Box<serde_json::value::RawValue>;
            const OPENS: Option<crate::session::Opened> = Some(crate::session::Opened::$opened);

            fn relax(params: &mut Self::Params) {
                capability_checks::drop_mcp_servers::<A>(&mut params.mcp_servers);
            }

            fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
                context.open_in(&params.cwd);
                capability_checks::roots::<A>(&params.cwd, &params.additional_directories)?;
                capability_checks::mcp_servers::<A>(&params.mcp_servers)?;
                context.announce(&params.session_id, false);
                if crate::dialect::Opening::$opening == crate::dialect::Opening::Load {
                    context.begin_replay(&params.session_id);
                }
                Ok(())
            }

            async fn ready(context: &mut CallContext<A>) -> Result<()> {
                context.begin_opening().await;
                Ok(())
            }

            async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
                context.open_named(crate::dialect::Opening::$opening, answer, None).await
            }
        }
    };
}

pub(super) use {answers, reopens};
