//! Prompts that arrive during a turn, of an agent with `turns = "queue"` or `turns = "steer"`. The programs of other agents have
//! no code of it.

use std::{mem, pin::Pin, sync::Arc};

use super::{CallContext, Kept};
use crate::{
    TARGET,
    agent::{
        connection::Connection,
        contract::{Handlers, SessionEvent},
        gate,
        methods::Steering,
    },
    rpc::{CancellationToken, Responder},
    schema::Method,
    session::{
        Session, Steered, TurnSlot,
        waiting::{Beside, Next, Waiting},
    },
    values::{PromptRequest, PromptResponse, SessionId, methods},
    wire::{Error, Result},
};

impl<A: Handlers> Connection<A> {
    /// `None` as the compiler knows, for an agent that refuses prompts during a turn.
    #[inline]
    pub(crate) fn waiting(&self) -> Option<&Waiting> {
        if const { A::IDENTITY.queues() } { self.waiting.as_deref()?.downcast_ref() } else { None }
    }
}

/// Whether the turn that runs may take the call in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Steerable {
    Yes,
    No,
}

impl<A: Handlers> CallContext<A> {
    /// Makes the call the turn of an active session. If the session has another turn, the call gets a place behind it.
    pub(super) fn begin_turn_or_wait(&mut self, id: &SessionId, steerable: Steerable) -> Result<()> {
        let Some(waiting) = self.connection.waiting() else { return Ok(()) };
        let session = self.connection.sessions.to_prompt(id)?;
        let is_steered = steerable == Steerable::Yes && A::STEER.is_some() && A::IDENTITY.steers();
        let slot = waiting.arrive(session.clone(), &self.cancel, is_steered)?;
        self.enter(id, session);
        self.kept.slot = Some(slot);
        Ok(())
    }

    /// Whether the call is a prompt whose turn has not begun.
    pub(crate) fn is_waiting(&self) -> bool {
        self.kept.slot.as_ref().is_some_and(TurnSlot::is_waiting)
    }

    pub(crate) fn place_in_line(&self) -> PlaceInLine<A> {
        PlaceInLine { connection: self.connection.clone(), call: self.cancel.clone() }
    }

    /// Called once for a prompt that waits, when it has arrived.
    pub(super) fn accepted(&self, prompt: &PromptRequest, responder: Responder) -> Option<Responder> {
        let Some(session) = &self.session else { return Some(responder) };
        tracing::debug!(target: TARGET, session = %session.handle.id(), "a prompt waits");
        let responder = self.connection.line.dialect().prompt_waits(session.handle.output(), prompt, responder);
        if A::STEER.is_some()
            && let Some(waiting) = self.connection.waiting()
            && let Some(beside) = waiting.steering(session, &self.cancel)
        {
            self.ask_steer(prompt, beside);
        }
        responder
    }

    /// Asks the handler `steer` about the prompt of this call.
    fn ask_steer(&self, prompt: &PromptRequest, (turn, steering): Beside) {
        let (Some(run), Some(session), Some(waiting)) = (A::STEER, &self.session, self.connection.waiting()) else {
            return;
        };
        let mut context = Self::new(self.connection.clone());
        context.enter(session.handle.id(), session.clone());
        context.cancel = steering;
        if A::STORE.is_some() {
            context.steer_by(prompt);
        }
        run(SessionEvent::steering(context, Steering::new(prompt.clone(), turn)));
        waiting.asked(session, &self.cancel);
    }

    /// Watches for the begin of this turn: its handler has taken the first step. The turn's task calls the returned function after
    /// each step that was not the last one, until it returns true.
    pub(crate) fn watch_begin(&mut self) -> Option<impl FnMut() -> bool + Send + use<A>> {
        let lent = self.asked().lent.insert(CancellationToken::new()).clone();
        let mut of = Some((self.connection.clone(), Arc::downgrade(self.session.as_ref()?)));
        Some(move || {
            if lent.is_cancelled()
                && let Some((connection, session)) = of.take()
                && let (Some(waiting), Some(session)) = (connection.waiting(), session.upgrade())
            {
                waiting.begun(&session);
            }
            of.is_none()
        })
    }

    /// The turn's handler gets the call now, and takes its first step.
    pub(crate) fn lent(&self) {
        if let Some(lent) = self.asked.as_ref().and_then(|asked| asked.lent.as_ref()) {
            lent.cancel();
        }
    }

    /// Waits until the turn of this prompt has begun.
    pub(crate) async fn wait_for_turn(
        &mut self,
        prompt: Option<&PromptRequest>,
        responder: &mut Option<Responder>,
    ) -> Result<()> {
        let mut is_admitted = !const { A::IDENTITY.is_gated() };
        loop {
            let (Some(waiting), Some(slot)) = (self.connection.waiting(), &mut self.kept.slot) else { return Ok(()) };
            match waiting.next(slot, &self.cancel, is_admitted)? {
                Next::Begin => break,
                Next::Ask => {
                    // The gate may have been shut while the prompt waited.
                    if const { A::IDENTITY.is_gated() } && gate::is_shut(&self.connection, methods::Prompt::NAME) {
                        return Err(Error::auth_required());
                    }
                    is_admitted = true;
                }
                Next::Steer(beside) => {
                    if let Some(prompt) = prompt {
                        self.ask_steer(prompt, beside);
                    }
                }
                Next::Answer => return Err(Error::request_cancelled()),
                Next::Wait(changed) => {
                    self.cancel.run_until_cancelled(changed.notified()).await;
                }
            }
        }
        if let Some(session) = self.session.clone() {
            // The options in force now are those of the turn.
            self.enter(session.handle.id(), session.clone());
            if let Some(prompt) = prompt {
                let dialect = self.connection.line.dialect();
                *responder = dialect.turn_began(session.handle.output(), prompt, responder.take());
            }
        }
        Ok(())
    }

    /// The answer to a prompt whose turn has not begun, and will not.
    pub(crate) fn never_began(&self, error: Error) -> Result<PromptResponse> {
        let (Some(waiting), Some(slot)) = (self.connection.waiting(), &self.kept.slot) else { return Err(error) };
        waiting.verdict(slot, &self.cancel).unwrap_or(Err(error)).map(PromptResponse::new)
    }

    /// The handler `steer` has answered, or failed.
    pub(crate) fn steered(&self, answer: Result<Steered>) {
        if A::STORE.is_some() && matches!(answer, Ok(Steered::Joined)) {
            self.note_steering();
        }
        if let (Some(waiting), Some(session)) = (self.connection.waiting(), &self.session) {
            waiting.steered(session, &self.cancel, answer);
        }
    }

    /// A call that opens or ends the session cancels what waits in it. From here on, nothing more can wait.
    #[inline]
    pub(super) fn cancel_waiting(&self, id: &SessionId) {
        if let Some(waiting) = self.connection.waiting()
            && let Ok(session) = self.connection.sessions.get(id.as_ref())
        {
            waiting.cancel(&session);
        }
    }

    /// Waits until every prompt that waited is answered.
    // Boxed: it would make the future of each call larger that opens or ends a session.
    pub(super) fn none_waits(
        &self,
        session: &Arc<Session<A::Config, A::Session>>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let emptied = self.connection.waiting().and_then(|waiting| waiting.emptied(session));
        Box::pin(async move {
            if let Some(emptied) = emptied {
                emptied.cancelled().await;
            }
        })
    }
}

/// The place of a prompt among the prompts of its connection. Only the runtime can make one.
pub struct PlaceInLine<A: Handlers> {
    connection: Arc<Connection<A>>,
    call: CancellationToken,
}

impl<A: Handlers> Kept<A> {
    /// Ends the turn, and tells the prompts that wait. Answers a prompt that never had a turn.
    pub(crate) fn turn_ended_in_line(
        &mut self,
        place: &PlaceInLine<A>,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
    ) {
        let Self { slot: Some(slot), session: Some(session), .. } = self else { return };
        let Some(waiting) = place.connection.waiting() else { return };
        let output = session.handle.output();
        let dialect = output.line().dialect();
        if slot.is_waiting() {
            let mut leave = || waiting.leave(session, &place.call);
            dialect.turn_never_began(output, responder, outcome, &mut leave);
            return leave();
        }
        let steered = A::IDENTITY.steers();
        let end = steered.then(|| outcome.as_ref().map(|response| response.stop_reason).map_err(Error::clone));
        let mut is_free = false;
        let mut free = || {
            // A second time, it would be the end of the next turn.
            if !mem::replace(&mut is_free, true) {
                waiting.turn_ended(session, end.as_ref(), || slot.free());
            }
        };
        dialect.turn_ended(output, responder, outcome, &mut free);
        // The dialect may have had nothing to say, or nobody to say it to.
        free();
    }
}
