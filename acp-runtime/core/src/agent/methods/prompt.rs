//! `session/prompt`: a turn of an active session. The session must not have another turn.
//!
//! See [Prompt turn](https://agentclientprotocol.com/protocol/v1/prompt-turn).

use super::{Served, handler, method};
use crate::{
    agent::model::CallContext,
    values::{ContentBlock, PromptRequest, PromptResponse},
    wire::Result,
};

handler! {
    /// `session/prompt`: a turn, from the user's prompt to the reason why the agent stopped. Every agent has this
    /// handler.
    ///
    /// Often `async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason>`.
    ///
    /// See [Prompt turn](https://agentclientprotocol.com/protocol/v1/prompt-turn).
    prompt
}
method!(prompt = Prompt(PromptRequest) -> PromptResponse);

pub(super) const SERVED: Served = Served::unadvertised::<prompt>();

/// The parameters of a turn besides its request, and its answers. A command is a turn, too.
macro_rules! turn {
    ($method:ident($params:ty), $prompt:expr, $relax:path, may_join: $may_join:literal) => {
        impl crate::agent::call::OfSession for $method {}

        impl crate::agent::expansion::OfActiveSession for $method {}

        crate::agent::expansion::takes! {
            [A: crate::agent::model::Handlers<Session = S>, S: 'static] $method: &'c mut S, SESSION =
                |parts| parts.lent.state.take().ok_or_else(|| crate::agent::call::absent("the session"));
            [A: crate::agent::model::Handlers<Config = C>, C: crate::config::ConfigOptions]
                $method: crate::session::Turn<C> =
                |parts| Ok(crate::session::Turn::new(parts.lent.session.handle.clone(), parts.client()));
        }

        crate::agent::call::answers! {
            $method: crate::values::PromptResponse,
            crate::values::StopReason = |reason| crate::values::PromptResponse::new(reason)
        }

        impl<A: crate::agent::model::Handlers> crate::agent::call::Handled<A> for $method {
            type Params = $params;
            type Answer = crate::values::PromptResponse;
            type Response = crate::values::PromptResponse;
            type Admitted = crate::agent::kinds::TurnCall<A>;

            fn relax(params: &mut Self::Params) {
                $relax(params, <A::Parts as crate::agent::model::Part<A>>::relaxes_prompt);
            }

            fn begin(
                context: &CallContext<A>,
                turn: &Self::Admitted,
                params: &Self::Params,
                responder: crate::rpc::Responder,
            ) -> Option<crate::rpc::Responder> {
                match $prompt(params) {
                    Some(request) => turn.begin(context, request, responder),
                    None => Some(responder),
                }
            }

            fn watch(turn: &mut Self::Admitted) -> Option<crate::agent::work::Watch> {
                turn.watch()
            }

            async fn ready(
                context: &mut CallContext<A>,
                turn: &mut Self::Admitted,
                params: Option<&Self::Params>,
                responder: &mut Option<crate::rpc::Responder>,
            ) -> Result<()> {
                turn.ready(context, params.and_then($prompt), responder).await
            }

            async fn conclude(
                context: &mut CallContext<A>,
                _: &mut Self::Admitted,
                answer: Self::Answer,
            ) -> Result<Self::Response> {
                Ok(crate::agent::kinds::conclude(context, answer))
            }

            fn fail(
                context: &mut CallContext<A>,
                turn: &mut Self::Admitted,
                error: crate::wire::Error,
            ) -> Result<Self::Response> {
                turn.fail(context, error)
            }

            fn settle(context: &CallContext<A>, turn: &mut Self::Admitted) -> Option<crate::agent::work::Try<'static>> {
                turn.settle(context)
            }

            fn respond(
                connection: &std::sync::Arc<crate::agent::model::Connection<A>>,
                kept: <Self::Admitted as crate::agent::kinds::Kind<A>>::Kept,
                responder: Option<crate::rpc::Responder>,
                response: Result<Self::Response>,
            ) {
                kept.end(connection, responder, response);
            }
        }

        impl<A: crate::agent::model::Handlers> crate::agent::call::Called<A> for $method {
            fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<Self::Admitted> {
                let request = $prompt(params).ok_or_else(|| crate::agent::call::absent("the request"))?;
                crate::agent::capability_checks::content(&context.connection, &request.prompt)?;
                crate::agent::kinds::TurnCall::arrive(context, &request.session_id, $may_join)
            }
        }
    };
}
pub(in crate::agent) use turn;

turn!(prompt(PromptRequest), itself, relax, may_join: true);

fn itself(params: &PromptRequest) -> Option<&PromptRequest> {
    Some(params)
}

fn relax(params: &mut PromptRequest, drop: impl FnOnce(&mut Vec<ContentBlock>)) {
    drop(&mut params.prompt);
}
