//! Turns: prompts and commands.

use super::Kind;
use crate::{
    TARGET,
    agent::{
        model::{Arrival, CallContext, Connection, Handlers, Part, PartsOfCall, SessionOf, SlotOf},
        work::Try,
    },
    rpc::{CancellationToken, Responder},
    values::{PromptRequest, PromptResponse, SessionId, StopReason},
    wire::{Error, Result},
};

/// A turn of a session, or a prompt that has a place behind one.
pub struct TurnCall<A: Handlers> {
    pub(crate) slot: SlotOf<A>,
    own: PartsOfCall<A>,
}

/// What the handler of a turn gets of it.
pub struct TurnLent<'c, A: Handlers> {
    pub(crate) session: &'c SessionOf<A>,
    /// `None` when a parameter has it.
    pub(crate) state: Option<&'c mut A::Session>,
}

/// The slot of a turn, and the cancellation of its call. When the slot is dropped, code that waits for the turn's end goes on.
pub struct TurnKept<A: Handlers>(SlotOf<A>, CancellationToken);

impl<A: Handlers> Kind<A> for TurnCall<A> {
    type Lent<'c> = TurnLent<'c, A>;
    type Kept = TurnKept<A>;
    const IS_TURN: bool = true;

    fn session_id(&self) -> Option<&SessionId> {
        Some(self.slot.session().handle.id())
    }

    fn lend(&mut self) -> TurnLent<'_, A> {
        let (session, state) = self.slot.lend();
        TurnLent { session, state }
    }

    fn lent_id<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionId> {
        Some(lent.session.handle.id())
    }

    fn active<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionOf<A>> {
        Some(lent.session)
    }

    fn leave(self, context: CallContext<A>) -> TurnKept<A> {
        TurnKept(self.slot, context.cancel)
    }
}

impl<A: Handlers> TurnCall<A> {
    /// Makes the call the turn of an active session. If the session has another turn, a part may give the call a place behind it.
    ///
    /// # Errors
    ///
    /// The session is not active, or it is busy.
    pub(crate) fn arrive(context: &mut CallContext<A>, id: &SessionId, may_join: bool) -> Result<Self> {
        let connection = &context.connection;
        let rejects = connection.line.dialect().inserts_prompts();
        let slot = connection.host.sessions.prompted(id, rejects, |mut slot| {
            let own = slot.session().clone();
            if !connection.has(&own) {
                return Err(Error::session_not_found(id.as_ref()));
            }
            let arrival = Arrival { connection, cancel: &context.cancel, may_join };
            let has_place = connection.host.parts.arrives(own.parts(), &arrival, &mut slot)?;
            if has_place || slot.begin(&context.cancel)? {
                return Ok(slot);
            }
            Err(Error::invalid_request(connection.line.dialect().busy()))
        })?;
        context.enter(slot.session());
        Ok(Self { slot, own: PartsOfCall::<A>::default() })
    }

    /// Reports the begin of the turn. Returns the responder if the end of the turn must still answer the call.
    pub(crate) fn begin(
        &self,
        context: &CallContext<A>,
        prompt: &PromptRequest,
        responder: Responder,
    ) -> Option<Responder> {
        let (session, mut responder) = (self.slot.session(), Some(responder));
        if self.slot.is_waiting() {
            tracing::debug!(target: TARGET, session = %session.handle.id(), "a prompt waits");
            context.connection.host.parts.waits(session.parts(), context, &self.slot, prompt, &mut responder);
            return responder;
        }
        session.handle.output().told_by(&context.connection.line).turn_began(prompt, responder)
    }

    /// A function that the task of the turn calls after its steps.
    pub(crate) fn watch(&mut self) -> Option<Box<dyn FnMut() -> bool + Send>> {
        A::Parts::watches(self.slot.session().parts(), &mut self.own)
    }

    /// Waits until the handler may run.
    pub(crate) async fn ready(
        &mut self,
        context: &mut CallContext<A>,
        prompt: Option<&PromptRequest>,
        responder: &mut Option<Responder>,
    ) -> Result<()> {
        if self.slot.is_waiting() {
            // Boxed, because it would make the future of each turn larger.
            let turn: Try<'_> = Box::pin(self.wait(context, prompt, responder));
            turn.await?;
        }
        let blocks = prompt.map_or(&[][..], |prompt| &prompt.prompt);
        let own = self.slot.session().parts();
        if let Some(work) = context.connection.host.parts.begins(own, &self.slot, &context.cancel, blocks) {
            work.await?;
        }
        A::Parts::runs(&mut self.own);
        Ok(())
    }

    /// Waits until the turn of this prompt has begun.
    async fn wait(
        &mut self,
        context: &mut CallContext<A>,
        prompt: Option<&PromptRequest>,
        responder: &mut Option<Responder>,
    ) -> Result<()> {
        let session = self.slot.session().clone();
        context.connection.host.parts.takes_turn(session.parts(), context, &mut self.slot, prompt, responder).await?;
        // The options in force now are those of the turn.
        context.enter(&session);
        if let Some(prompt) = prompt {
            let telling = session.handle.output().told_by(&context.connection.line);
            if !telling.waiting_turn_began(prompt, responder, &context.cancel) {
                return Err(Error::request_cancelled());
            }
        }
        Ok(())
    }

    /// Work behind the handler, before the answer.
    pub(crate) fn settle(&mut self, context: &CallContext<A>) -> Option<Try<'static>> {
        context.connection.host.parts.ends(self.slot.session().parts(), &self.slot)
    }

    /// The response to a turn whose handler has failed, or was dropped.
    pub(crate) fn fail(&self, context: &CallContext<A>, error: Error) -> Result<PromptResponse> {
        if self.slot.is_waiting() {
            return A::Parts::never_began(self.slot.session().parts(), &context.cancel, error);
        }
        if context.cancel.is_cancelled() {
            return Ok(cancelled(PromptResponse::new(StopReason::Cancelled)));
        }
        tracing::debug!(target: TARGET, "the turn failed");
        Err(error)
    }
}

/// The response to a turn whose handler has answered.
pub(crate) fn conclude<A: Handlers>(context: &CallContext<A>, answer: PromptResponse) -> PromptResponse {
    if context.cancel.is_cancelled() {
        return cancelled(answer);
    }
    tracing::debug!(target: TARGET, stop_reason = ?answer.stop_reason, "the turn ended");
    answer
}

// Without this attribute, each agent's crate would compile the inlined function again.
#[inline(never)]
fn cancelled(mut answer: PromptResponse) -> PromptResponse {
    tracing::debug!(target: TARGET, stop_reason = "Cancelled", "the turn ended");
    answer.stop_reason = StopReason::Cancelled;
    answer
}

impl<A: Handlers> TurnKept<A> {
    /// Ends the turn. The session becomes free for another turn at the moment when the client is told of the end. So
    /// the next turn is reported after this end, and a client that knows of the end finds the session free.
    pub(crate) fn end(self, connection: &Connection<A>, responder: Option<Responder>, outcome: Result<PromptResponse>) {
        let Self(mut slot, cancel) = self;
        let session = slot.session().clone();
        let (output, own, dialect) = (session.handle.output(), session.parts(), connection.line.dialect());
        if slot.is_waiting() {
            let mut leave = || A::Parts::leaves(own, &cancel);
            dialect.turn_never_began(output, responder, outcome, &mut leave);
            return leave();
        }
        let end = outcome.as_ref().map(|response| response.stop_reason).map_err(Error::clone);
        let mut is_free = false;
        let mut free = || {
            // A second time, it would be the end of the next turn.
            if !std::mem::replace(&mut is_free, true) {
                A::Parts::frees(own, &end, &mut || slot.free());
            }
        };
        output.told_by(&connection.line).turn_ended(responder, outcome, &mut free);
        // The dialect may have had nothing to say, or nobody to say it to.
        free();
    }
}
