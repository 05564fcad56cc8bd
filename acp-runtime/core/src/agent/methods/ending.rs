//! The common parts of the methods that end a session. The session ends only when the handler has succeeded.

macro_rules! ends {
    ($method:ident, $request:ident, $response:ident, $ended:ident, stored: $stored:literal) => {
        crate::agent::methods::answers!($method: $response, () => $response::new());

        impl crate::agent::methods::OfSession for $method {}

        impl<A: crate::agent::contract::Handlers> crate::agent::methods::Handled<A> for $method {
            type Params = $request;
            type Answer = $response;
            type Response = $response;
            const ENDS: Option<crate::session::Ended> = Some(crate::session::Ended::$ended);

            fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
                // A session that is not active may still be stored, so the handler decides.
                if $stored {
                    context.announce(&params.session_id, true);
                    return Ok(());
                }
                context.announce_known(&params.session_id)
            }

            async fn ready(context: &mut CallContext<A>) -> Result<()> {
                if context.begin_ending().await || $stored { Ok(()) } else { Err(context.unknown_session()) }
            }

            async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
                if const { A::STORE.is_some() }
                    && let Err(error) = context.end_stored(crate::session::Ended::$ended).await
                {
                    return Self::fail(context, error);
                }
                context.end_session();
                if const { A::STORE.is_some() } {
                    context.leave_stored(crate::session::Ended::$ended).await;
                }
                Ok(answer)
            }

            fn fail(context: &mut CallContext<A>, error: Error) -> Result<Self::Response> {
                if context.has_ended() {
                    // It was withdrawn too late: only the right to write the session was still on its way back.
                    return Ok($response::new());
                }
                context.keep_session(crate::session::Ended::$ended);
                Err(error)
            }
        }
    };
}

pub(super) use ends;
