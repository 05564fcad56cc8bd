//! The common parts of the methods that end a session. The session ends only when the handler has succeeded.

macro_rules! ends {
    ($method:ident, $request:ident, $response:ident, $ended:ident, stored: $stored:literal) => {
        crate::agent::call::answers!($method: $response, () = |()| $response::new());

        impl crate::agent::call::OfSession for $method {}

        impl<A: crate::agent::model::Handlers> crate::agent::call::Handled<A> for $method {
            type Params = $request;
            type Answer = $response;
            type Response = $response;
            type Admitted = crate::agent::kinds::EndingCall<A>;

            async fn ready(
                context: &mut CallContext<A>,
                call: &mut Self::Admitted,
                _: Option<&Self::Params>,
                _: &mut Option<crate::rpc::Responder>,
            ) -> Result<()> {
                call.ready(context, $stored).await
            }

            async fn conclude(
                context: &mut CallContext<A>,
                call: &mut Self::Admitted,
                answer: Self::Answer,
            ) -> Result<Self::Response> {
                match call.conclude(context).await {
                    Ok(()) => Ok(answer),
                    Err(error) => Self::fail(context, call, error),
                }
            }

            fn fail(context: &mut CallContext<A>, call: &mut Self::Admitted, error: Error) -> Result<Self::Response> {
                if call.has_ended() {
                    // It was withdrawn too late: only the right to write the session was still on its way back.
                    return Ok($response::new());
                }
                call.undo(context);
                Err(error)
            }

            fn respond(
                connection: &std::sync::Arc<crate::agent::model::Connection<A>>,
                kept: crate::agent::model::EndingKept<A>,
                responder: Option<crate::rpc::Responder>,
                response: Result<Self::Response>,
            ) {
                if let Some(responder) = responder {
                    responder.respond(response);
                }
                kept.tell(connection);
            }
        }

        impl<A: crate::agent::model::Handlers> crate::agent::call::Called<A> for $method {
            fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<Self::Admitted> {
                let (connection, id) = (&context.connection, &params.session_id);
                // A session that is not active may still be stored, so the handler decides.
                crate::agent::kinds::EndingCall::ask(connection, id, crate::session::Ended::$ended, $stored)
            }
        }
    };
}

pub(super) use ends;
