//! A command that runs beside a turn. A cancel drops its function, as it drops other handlers that are no turns.
//!
//! # What holds, with its tests
//!
//! - *It has no turn.* It never has the state of the session, so it neither waits nor makes a turn wait
//!   (`wire::commands::during::a_command_runs_beside_a_turn_and_before_what_waits`).
//! - *None is left.* The session's extras know it (`session/beside`), so a cancel or an end reaches it
//!   (`wire::commands::during::a_call_that_opens_or_ends_the_session_cancels_a_command_and_waits_for_it`).
//!
//! See [Slash commands](https://agentclientprotocol.com/protocol/v1/slash-commands).

use std::sync::Arc;

use super::request::{CommandRequest, relax, requested};
use crate::{
    agent::{
        call::{Called, Handled, OfSession, absent, answers},
        capability_checks,
        expansion::{OfActiveSession, takes},
        kinds::{self, Active, Kind},
        methods::handler,
        model::{CallContext, Connection, Handlers, Part},
    },
    config::ConfigOptions,
    rpc::Responder,
    session::{Arguments, PromptBeside, Turn},
    values::{PromptRequest, PromptResponse, StopReason},
    wire::{Error, Result},
};

handler! {
    /// A slash command that runs at once, also beside a turn: a function with `#[command(during_turns)]`. See
    /// [Commands](../../guide/commands/index.html#commands).
    ///
    /// Often `async fn undo(&self, Shared(core): Shared<Core>, turn: Turn<Config>) -> Result<StopReason>`. It takes and answers what
    /// a [command](crate::agent::handlers::command) does, without `&mut Session`: that belongs to the turn that runs. Its
    /// `Turn<Config>` is that of its own prompt.
    command_during_turns
}

requested!(command_during_turns);

impl OfSession for command_during_turns {}

impl OfActiveSession for command_during_turns {}

takes! {
    [A: Handlers<Config = C>, C: ConfigOptions] command_during_turns: Turn<C> =
        |parts| Ok(Turn::new(parts.lent.0.handle.clone(), parts.client()));
}

answers! {
    command_during_turns: PromptResponse,
    StopReason = |reason| PromptResponse::new(reason)
}

impl<A: Handlers> Handled<A> for command_during_turns {
    type Params = CommandRequest;
    type Answer = PromptResponse;
    type Response = PromptResponse;
    type Admitted = Active<A, PromptBeside>;

    fn relax(params: &mut CommandRequest) {
        relax(params, <A::Parts as Part<A>>::relaxes_prompt);
    }

    /// The user's message has its place among those of the turn.
    fn begin(
        context: &CallContext<A>,
        call: &Self::Admitted,
        params: &CommandRequest,
        responder: Responder,
    ) -> Option<Responder> {
        let Some(prompt) = params.prompt() else { return Some(responder) };
        let output = call.session.handle.output();
        let (responder, told) = output.told_by(&context.connection.line).command_began(prompt, responder);
        if let Some(message) = told {
            call.with.is_named(message);
        }
        output.prompted_beside(&call.with, &prompt.prompt);
        responder
    }

    async fn conclude(
        context: &mut CallContext<A>,
        _: &mut Self::Admitted,
        answer: PromptResponse,
    ) -> Result<PromptResponse> {
        Ok(kinds::conclude(context, answer))
    }

    fn fail(context: &mut CallContext<A>, _: &mut Self::Admitted, error: Error) -> Result<PromptResponse> {
        if context.cancel.is_cancelled() {
            return Ok(kinds::conclude(context, PromptResponse::new(StopReason::Cancelled)));
        }
        Err(error)
    }

    /// A call that opens or ends the session goes on behind the answer, when `kept` is dropped.
    fn respond(
        connection: &Arc<Connection<A>>,
        kept: <Self::Admitted as Kind<A>>::Kept,
        responder: Option<Responder>,
        response: Result<PromptResponse>,
    ) {
        let output = kept.session.handle.output();
        output.told_by(&connection.line).command_ended(responder, response);
    }
}

impl<A: Handlers> Called<A> for command_during_turns {
    fn admit(context: &mut CallContext<A>, params: &CommandRequest) -> Result<Self::Admitted> {
        let request = params.prompt().ok_or_else(|| absent("the request"))?;
        capability_checks::content(&context.connection, &request.prompt)?;
        let (connection, id) = (context.connection.clone(), &request.session_id);
        let mut with = None;
        // A call that opens or ends the session comes before this, and it is refused; or behind, and it is cancelled.
        let rejects = connection.line.dialect().inserts_prompts();
        let slot = connection.host.sessions.prompted(id, rejects, |slot| {
            if connection.has(slot.session()) {
                with = slot.session().handle.output().begin_beside(&context.cancel);
            }
            Ok(slot)
        })?;
        let with = with.ok_or_else(|| Error::session_not_found(id.as_ref()))?;
        let session = slot.session().clone();
        context.enter(&session);
        Ok(Active { session, with })
    }
}
