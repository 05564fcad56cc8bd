//! Prompts that arrive during a turn, of an agent with `turns = "queue"` or `turns = "steer"`.
//!
//! # What holds, with its tests
//!
//! - *Prompts wait in order.* A prompt during a turn has a place in `places`, and begins when the places before it are gone
//!   (`wire::waiting::queue::many_prompts_at_once_are_answered_in_the_order_of_their_arrival`). `steer` is asked in the
//!   same order, beside a turn whose handler has taken its first step: the turn's task tells of it
//!   (`wire::waiting::order::steer_is_asked_when_the_turn_has_taken_its_first_step`), and each waiting call asks for
//!   itself. On a version that answers a prompt when it is inserted, it is asked about one prompt after another
//!   (`hostile::version_2::found::a_prompt_that_joins_the_turn_does_not_overtake_one_that_waits`).
//! - *What the turn takes in is answered before its end*, on such a version: a client that then waits for `idle` has not missed it
//!   (`runtime::dialect::v2::turns_tests::what_the_turn_takes_in_is_answered_before_its_end`).
//! - *`_session/steering` goes the same way* (`steering`), and its answer says what became of it
//!   (`wire::waiting::steering::a_turn_takes_in_what_steering_sends`).
//! - *None is left.* A cancel or an end of the session reaches all of them
//!   (`wire::waiting::queue::a_call_that_opens_or_ends_the_session_cancels_what_waits_and_comes_behind_it`).

mod checks;
#[cfg(feature = "v2")]
mod hold;
mod method;
mod places;
mod steering;

use std::sync::Arc;

pub use checks::{is_steered, steers};
#[cfg(feature = "v2")]
pub(super) use hold::Hold;
pub use method::steer;

use self::{
    method::{Steerable, Steering},
    places::{Arriving, Beside, Next, Places, Sent},
    steering::{Outcome, Steerings},
};
use crate::{
    agent::{
        kinds::Active,
        model::{Arrival, Call, CallContext, Handlers, KeptAgent, Part, SessionOf, SlotOf},
        names::Names,
        parts::{HasFunctions, called, event::SessionEvent, function},
        work::{Try, Watch, Work},
    },
    dialect::MessageTracker,
    rpc::{CancellationToken, Responder},
    schema::Method,
    values::{InitializeResponse, PromptRequest, PromptResponse, StopReason, methods},
    wire::{Error, Result},
};

/// The part of agents whose prompts wait. If `STEERS`, they go to the handler `steer`.
#[derive(Debug)]
pub struct Queue<const STEERS: bool> {
    steerings: Steerings,
}

called! {
    queue {
        /// Runs when a prompt arrives during a turn.
        steer: fn(SessionEvent<A, steer>);
    }
}

impl<A: HasFunctions, const STEERS: bool> Part<A> for Queue<STEERS> {
    type OfConnection = ();
    type OfSession = Arc<Places>;
    /// Set when the handler of the turn gets the call.
    type OfCall = Option<CancellationToken>;

    const WATCHES: bool = STEERS;
    const WORDS: Names = if STEERS { Names::These(&["steer"]) } else { Names::NONE };
    const PROMPTS: Names = if STEERS { Names::These(&[steering::STEERING]) } else { Names::NONE };

    fn new(_: &KeptAgent<A>) -> Self {
        Self { steerings: Steerings::default() }
    }

    fn advertises(response: &mut InitializeResponse) {
        if STEERS {
            steering::advertise::<A>(response);
        }
    }

    fn receives<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        if STEERS { self.steerings.receive(call) } else { Some(call) }
    }

    fn arrives(&self, own: &Arc<Places>, arrival: &Arrival<'_, A>, slot: &mut SlotOf<A>) -> Result<bool> {
        let Arrival { connection, cancel, may_join } = arrival;
        let steers = STEERS && const { function!(A, queue.steer).is_some() } && *may_join;
        let arriving = Arriving {
            steers,
            needs_place: STEERS && self.steerings.are_for(slot.session().handle.id()),
            is_rejected_at_once: connection.line.dialect().inserts_prompts(),
            most: connection.limits.waiting_prompts,
        };
        own.arrive::<A>(slot, cancel, arriving)?;
        Ok(true)
    }

    fn waits(
        &self,
        own: &Arc<Places>,
        context: &CallContext<A>,
        slot: &SlotOf<A>,
        prompt: &PromptRequest,
        responder: &mut Option<Responder>,
    ) {
        let (dialect, output) = (context.connection.line.dialect(), slot.session().handle.output());
        match responder.as_ref().and_then(|responder| self.steerings.take(slot.session().handle.id(), responder)) {
            Some(by) if STEERS => own.sent(&context.cancel, by),
            _ => *responder = responder.take().and_then(|responder| dialect.prompt_waits(output, prompt, responder)),
        }
        if let Some(beside) = own.steering(&context.cancel) {
            ask(own, context, slot, prompt, beside);
        }
    }

    fn cancels(own: &Arc<Places>, _: &SessionOf<A>) {
        own.cancel();
    }

    async fn takes_turn(
        &self,
        own: &Arc<Places>,
        context: &CallContext<A>,
        slot: &mut SlotOf<A>,
        prompt: Option<&PromptRequest>,
        responder: &mut Option<Responder>,
    ) -> Result<()> {
        take_turn(own, context, slot, prompt, responder).await
    }

    /// Watches for the begin of the turn: its handler has taken the first step.
    fn watches(own: &Arc<Places>, call: &mut Option<CancellationToken>) -> Option<Watch> {
        let lent = call.insert(CancellationToken::new()).clone();
        let mut places = Some(Arc::downgrade(own));
        Some(Box::new(move || {
            if lent.is_cancelled()
                && let Some(places) = places.take().and_then(|places| places.upgrade())
            {
                places.begun();
            }
            places.is_none()
        }))
    }

    fn runs(call: &mut Option<CancellationToken>) {
        if let Some(lent) = call {
            lent.cancel();
        }
    }

    fn ends(&self, own: &Arc<Places>, slot: &SlotOf<A>) -> Option<Try<'static>> {
        answered::<A>(own, slot)
    }

    fn frees(own: &Arc<Places>, end: &Result<StopReason>, free: &mut dyn FnMut()) {
        own.turn_ended(end, free);
    }

    fn never_began(own: &Arc<Places>, call: &CancellationToken, error: Error) -> Result<PromptResponse> {
        own.verdict(call).unwrap_or(Err(error)).map(PromptResponse::new)
    }

    fn leaves(own: &Arc<Places>, call: &CancellationToken) {
        own.leave(call);
    }

    fn passes(own: &Arc<Places>, _: &SessionOf<A>) -> Option<Work<'static, ()>> {
        let emptied = own.emptied()?;
        Some(Box::pin(async move { emptied.cancelled().await }))
    }
}

/// Waits until the turn of a prompt begins that has a place.
async fn take_turn<A: HasFunctions>(
    own: &Arc<Places>,
    context: &CallContext<A>,
    slot: &mut SlotOf<A>,
    prompt: Option<&PromptRequest>,
    responder: &mut Option<Responder>,
) -> Result<()> {
    let connection = &context.connection;
    let mut is_admitted = false;
    loop {
        match own.next::<A>(slot, &context.cancel, is_admitted)? {
            Next::Begin(Sent::Prompt) => return Ok(()),
            Next::Begin(_) => {
                Outcome::StartedNewTurn.answer(responder);
                return Ok(());
            }
            Next::Injected => {
                Outcome::Injected.answer(responder);
                return Err(Error::request_cancelled());
            }
            Next::NoTurn => {
                Outcome::PromptRequired { reason: "noRunningTurn" }.answer(responder);
                return Err(Error::request_cancelled());
            }
            Next::Joined(message) => {
                if let Some(responder) = responder.take() {
                    connection.line.dialect().joined(responder, &message);
                }
                own.told(&context.cancel);
            }
            Next::Ask => {
                // Another part may refuse it by now.
                let (prompt, cancel) = (methods::Prompt::NAME, &context.cancel);
                if let Some(work) = connection.host.parts.prepares(connection, prompt, None, cancel) {
                    cancel.run_until_cancelled(work).await.unwrap_or(Ok(()))?;
                }
                connection.host.parts.admits(connection, methods::Prompt::NAME)?;
                is_admitted = true;
            }
            Next::Steer(beside) => {
                if let Some(prompt) = prompt {
                    ask(own, context, slot, prompt, beside);
                }
            }
            Next::Answer => return Err(Error::request_cancelled()),
            Next::Wait(changed) => {
                context.cancel.run_until_cancelled(changed.notified()).await;
            }
        }
    }
}

/// Waits at the end of a turn until the prompts are answered that the turn has taken in, and those that its cancel rejects.
fn answered<A: Handlers>(own: &Places, slot: &SlotOf<A>) -> Option<Try<'static>> {
    if slot.is_waiting() {
        return None;
    }
    let answered = own.answered()?;
    Some(Box::pin(async move {
        answered.cancelled().await;
        Ok(())
    }))
}

/// Asks the handler `steer` about the prompt of this call.
fn ask<A: HasFunctions>(
    own: &Arc<Places>,
    context: &CallContext<A>,
    slot: &SlotOf<A>,
    prompt: &PromptRequest,
    (turn, steering): Beside,
) {
    let Some(run) = (const { function!(A, queue.steer) }) else { return };
    let session = slot.session();
    // A session that is recorded notes the prompt when the turn has taken it in. Some clients are told of it then.
    let is_told = context.connection.line.dialect().inserts_prompts();
    let said = (is_told || session.handle.output().recorder().is_some()).then(|| prompt.prompt.clone());
    let message = MessageTracker::whole();
    let with = Steerable { places: own.clone(), said, message: message.clone() };
    let (mut beside, active) = Active::of(context.connection.clone(), session, with);
    beside.cancel = steering;
    run(SessionEvent::new((beside, active), Steering::new(prompt.clone(), turn, message)));
    own.asked(&context.cancel);
}
