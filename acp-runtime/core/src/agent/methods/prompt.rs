//! `session/prompt`: a turn of an active session. The session must not have another turn.
//!
//! See [Prompt turn](https://agentclientprotocol.com/protocol/v1/prompt-turn).

use super::{Handled, Served, handler, method};
use crate::{
    TARGET,
    agent::{
        capability_checks,
        context::{CallContext, Kept, PlaceInLine, Steerable},
        contract::Handlers,
    },
    rpc::Responder,
    values::{ContentBlock, PromptRequest, PromptResponse, StopReason},
    wire::{Error, Result},
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
    ($method:ident) => {
        impl crate::agent::methods::OfSession for $method {}

        impl crate::agent::contract::OfActiveSession for $method {}

        #[diagnostic::do_not_recommend]
        impl<'c, A: crate::agent::contract::Handlers<Session = S>, S: 'static>
            crate::agent::contract::FromCall<'c, $method, A> for &'c mut S
        {
            const SLOT: u32 = crate::agent::contract::slot::SESSION;

            fn from_call(parts: &mut crate::agent::contract::Parts<'c, A, $method>) -> Result<Self> {
                parts.state()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'c, A: crate::agent::contract::Handlers<Config = C>, C: crate::config::ConfigOptions>
            crate::agent::contract::FromCall<'c, $method, A> for crate::session::Turn<C>
        {
            fn from_call(parts: &mut crate::agent::contract::Parts<'c, A, $method>) -> Result<Self> {
                Ok(crate::session::Turn::new(parts.session()?, parts.client()))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A: crate::agent::contract::Handlers>
            crate::agent::contract::IntoAnswer<$method, A, crate::agent::contract::Itself>
            for crate::values::PromptResponse
        {
            fn answer(self) -> Result<crate::values::PromptResponse> {
                Ok(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A: crate::agent::contract::Handlers>
            crate::agent::contract::IntoAnswer<$method, A, crate::agent::contract::Short>
            for crate::values::StopReason
        {
            fn answer(self) -> Result<crate::values::PromptResponse> {
                Ok(crate::values::PromptResponse::new(self))
            }
        }
    };
}
pub(super) use turn;

turn!(prompt);

impl<A: Handlers> Handled<A> for prompt {
    type Params = PromptRequest;
    type Answer = PromptResponse;
    type Response = PromptResponse;

    fn relax(params: &mut Self::Params) {
        capability_checks::drop_content::<A>(&mut params.prompt);
    }

    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        capability_checks::content::<A>(&params.prompt)?;
        context.begin_turn(&params.session_id, Steerable::Yes)
    }

    fn begin(context: &CallContext<A>, params: &Self::Params, responder: Responder) -> Option<Responder> {
        context.turn_began(params, responder)
    }

    const IS_TURN: bool = true;

    fn prompt(params: &Self::Params) -> &[ContentBlock] {
        &params.prompt
    }

    fn turn<'c>(
        context: &'c mut CallContext<A>,
        params: Option<&'c PromptRequest>,
        responder: &'c mut Option<Responder>,
    ) -> impl Future<Output = Result<()>> + Send + 'c {
        context.wait_for_turn(params, responder)
    }

    async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
        if context.cancel.is_cancelled() {
            return Ok(cancelled(answer));
        }
        tracing::debug!(target: TARGET, stop_reason = ?answer.stop_reason, "the turn ended");
        Ok(answer)
    }

    fn fail(context: &mut CallContext<A>, error: Error) -> Result<Self::Response> {
        if const { A::IDENTITY.queues() } && context.is_waiting() {
            return context.never_began(error);
        }
        if context.cancel.is_cancelled() {
            return Ok(cancelled(PromptResponse::new(StopReason::Cancelled)));
        }
        tracing::debug!(target: TARGET, "the turn failed");
        Err(error)
    }

    fn respond(kept: &mut Kept<A>, responder: Option<Responder>, response: Result<Self::Response>) {
        kept.turn_ended(responder, response);
    }

    fn respond_in_line(
        place: &PlaceInLine<A>,
        kept: &mut Kept<A>,
        responder: Option<Responder>,
        response: Result<Self::Response>,
    ) {
        kept.turn_ended_in_line(place, responder, response);
    }
}

/// Makes the answer of a cancelled turn. The stop reason is always `cancelled`, also if the handler gave another one.
/// The rest of its answer is unchanged.
#[inline(never)]
fn cancelled(mut answer: PromptResponse) -> PromptResponse {
    tracing::debug!(target: TARGET, stop_reason = "Cancelled", "the turn ended");
    answer.stop_reason = StopReason::Cancelled;
    answer
}
