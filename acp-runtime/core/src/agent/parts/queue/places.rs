//! The prompts that wait while their session has a turn, for agents that do not refuse them.
//!
//! A prompt gets its place when it arrives, and keeps it until it is answered or its turn begins. The places of a session are
//! in the order of arrival. Each waiting call looks at its place again whenever something has changed ([`Places::next`]), and
//! goes on only if the place allows it. So turns begin in the order of arrival, and nothing has to hand a turn over.
//!
//! The handler `steer` is asked in the same order, and only beside a turn that has begun: the first step of the turn's own handler
//! is over. Before this, the turn takes no text in, because its author has had no chance to say that it does.
//!
//! The lock of this table is taken before the lock of a session's turn, and never while a message is written.

use std::{
    collections::VecDeque,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

use crate::{
    agent::model::{Handlers, SlotOf},
    rpc::CancellationToken,
    session::Steered,
    values::{MessageId, StopReason},
    wire::{Error, Result},
};

/// The waiting prompts of one session.
#[derive(Default)]
pub struct Places(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    places: VecDeque<Place>,
    /// Set when the last prompt has left.
    emptied: CancellationToken,
    /// The session has a turn that has begun, and a prompt could go to it.
    has_begun: bool,
    /// Set when the last prompt is answered whose answer comes before the end of the turn. `None` if no turn waits for it.
    answered: Option<CancellationToken>,
}

struct Place {
    by: Sent,
    /// A cancel rejects it at once. Otherwise it is answered behind the turn that runs.
    is_rejected_at_once: bool,
    /// The call of the prompt. Set when its request is withdrawn.
    call: CancellationToken,
    state: State,
    /// The cancellation of the turn that the prompt went to.
    beside: Option<CancellationToken>,
    /// Drops the handler `steer`, while it runs.
    steering: Option<CancellationToken>,
    /// The end of the turn that the prompt went to, once it has ended.
    end: Option<End>,
    /// The user's message, until the prompt that the turn has taken in is answered, if it is answered before the turn's end.
    message: Option<MessageId>,
    /// The client has cancelled what the session does.
    is_cancelled: bool,
    /// Tells the waiting call to look again.
    changed: Arc<Notify>,
}

/// How the client sent a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sent {
    /// As `session/prompt`.
    #[default]
    Prompt,
    /// As `_session/steering`: the turn takes it in, or it begins one.
    Steering,
    /// As `_session/steering` that begins no turn.
    SteeringOnly,
}

/// What a session needs to know of a prompt that arrives.
pub(super) struct Arriving {
    /// It may go to the handler `steer`.
    pub(super) steers: bool,
    /// It gets a place also while no turn runs.
    pub(super) needs_place: bool,
    /// A cancel rejects it at once.
    pub(super) is_rejected_at_once: bool,
    /// The number of prompts that may wait.
    pub(super) most: usize,
}

/// The end of a turn: the stop reason, or an error.
type End = Result<StopReason>;

enum State {
    /// The handler `steer` will be asked when the turn has begun and the prompts before this one allow it.
    Unasked,
    /// The handler `steer` takes its first step. No other prompt of the session is asked about meanwhile.
    Asking,
    /// The handler `steer` has not answered yet.
    Steering,
    /// It waits for a turn of its own.
    Queued,
    /// The turn has taken it in.
    Joined,
    /// The handler `steer` has failed.
    Failed(Error),
}

/// What a waiting call does next.
pub(super) enum Next {
    /// Its turn has begun.
    Begin(Sent),
    /// Its turn would begin. It asks the gate, and then again.
    Ask,
    /// The turn has taken it in as this message. It is answered with it, tells [`Places::told`], and looks again.
    Joined(MessageId),
    /// The turn has taken in what `_session/steering` sent. That is answered, and leaves.
    Injected,
    /// No turn runs, and `_session/steering` is not to begin one. It is answered, and leaves.
    NoTurn,
    /// It asks the handler `steer`, tells [`Places::asked`], and then looks again.
    Steer(Beside),
    /// It is over, and [`Places::verdict`] has the answer.
    Answer,
    /// It looks again when this is notified.
    Wait(Arc<Notify>),
}

/// The cancellations of the turn that a prompt goes to, and of the handler `steer`.
pub(super) type Beside = (CancellationToken, CancellationToken);

/// Whether the handler `steer` is asked about a prompt.
enum Asks {
    Now,
    Later,
    Never,
}

impl Places {
    /// Begins the turn of a prompt, or gives the prompt a place. `slot` is its hold on the session.
    pub(super) fn arrive<A: Handlers>(
        &self,
        slot: &mut SlotOf<A>,
        call: &CancellationToken,
        arriving: Arriving,
    ) -> Result<()> {
        let Arriving { steers, needs_place, is_rejected_at_once, most } = arriving;
        let mut queue = self.lock();
        let waiting = queue.places.len();
        if waiting == 0 && !needs_place && slot.begin(call)? {
            return Ok(());
        }
        if waiting >= most {
            let text = format!("the session is busy: {waiting} prompts wait for their turn, and no more may");
            return Err(Error::invalid_request(text));
        }
        // A turn that is cancelled takes nothing in any more.
        let takes_in = |turn: &CancellationToken| !turn.is_cancelled();
        let beside = if steers { slot.session().running().filter(takes_in) } else { None };
        let (state, steering) = match &beside {
            Some(_) => (State::Unasked, Some(CancellationToken::new())),
            None => (State::Queued, None),
        };
        let (call, changed) = (call.clone(), Arc::default());
        queue.places.push_back(Place {
            by: Sent::Prompt,
            is_rejected_at_once,
            call,
            state,
            beside,
            steering,
            end: None,
            message: None,
            is_cancelled: false,
            changed,
        });
        Ok(())
    }

    /// The prompt with this place was sent by `_session/steering`.
    pub(super) fn sent(&self, call: &CancellationToken, by: Sent) {
        let mut queue = self.lock();
        if let Some(at) = queue.find(call) {
            let place = &mut queue.places[at];
            (place.by, place.is_rejected_at_once) = (by, true);
        }
    }

    /// Whether the handler `steer` is to be asked about this prompt now.
    pub(super) fn steering(&self, call: &CancellationToken) -> Option<Beside> {
        let mut queue = self.lock();
        let at = queue.find(call)?;
        queue.ask(at)
    }

    /// The handler `steer` has taken its first step.
    pub(super) fn asked(&self, call: &CancellationToken) {
        let mut queue = self.lock();
        if let Some(place) = queue.find(call).and_then(|at| queue.places.get_mut(at))
            && matches!(place.state, State::Asking)
        {
            place.state = State::Steering;
        }
        queue.tell();
    }

    /// The handler of the session's turn has taken its first step.
    pub(super) fn begun(&self) {
        let mut queue = self.lock();
        queue.has_begun = true;
        queue.tell();
    }

    /// What a waiting call does next.
    ///
    /// # Errors
    ///
    /// The session's state is with a call that should have ended it.
    pub(super) fn next<A: Handlers>(
        &self,
        slot: &mut SlotOf<A>,
        call: &CancellationToken,
        is_admitted: bool,
    ) -> Result<Next> {
        let mut queue = self.lock();
        let Some(at) = queue.find(call) else { return Ok(Next::Answer) };
        if let Some(beside) = queue.ask(at) {
            return Ok(Next::Steer(beside));
        }
        let is_steering = queue.places[at].by != Sent::Prompt;
        if is_steering && matches!(queue.places[at].state, State::Joined) {
            return Ok(Next::Injected);
        }
        if let Some(message) = &queue.places[at].message {
            return Ok(Next::Joined(message.clone()));
        }
        let place = &queue.places[at];
        let goes_on = match &place.state {
            _ if call.is_cancelled() => true,
            State::Failed(_) => true,
            State::Queued if place.is_cancelled && place.is_rejected_at_once => true,
            State::Unasked | State::Asking | State::Steering => false,
            State::Joined => place.end.is_some() && queue.ended() == Some(at) && slot.session().running().is_none(),
            State::Queued => at == 0 && queue.ended().is_none() && slot.session().running().is_none(),
        };
        if !goes_on {
            return Ok(Next::Wait(place.changed.clone()));
        }
        if call.is_cancelled() || place.is_cancelled || !matches!(place.state, State::Queued) {
            return Ok(Next::Answer);
        }
        let by = place.by;
        if by == Sent::SteeringOnly {
            return Ok(Next::NoTurn);
        }
        if !is_admitted {
            return Ok(Next::Ask);
        }
        if !slot.begin(call)? {
            return Ok(Next::Wait(place.changed.clone()));
        }
        queue.remove(call);
        Ok(Next::Begin(by))
    }

    /// The answer of a prompt that is over without a turn of its own.
    pub(super) fn verdict(&self, call: &CancellationToken) -> Option<End> {
        let queue = self.lock();
        let place = &queue.places[queue.find(call)?];
        match (&place.state, &place.end) {
            // On a version that answers a prompt when it is inserted, no other error stands for a prompt that was cancelled.
            (State::Failed(_), _) if place.is_cancelled && place.is_inserted() => Some(Ok(StopReason::Cancelled)),
            (State::Failed(error), _) => Some(Err(error.clone())),
            (State::Joined, Some(end)) => Some(end.clone()),
            _ if place.is_cancelled && place.by == Sent::Prompt => Some(Ok(StopReason::Cancelled)),
            _ if place.is_cancelled => Some(Err(Error::request_cancelled())),
            _ if call.is_cancelled() => Some(Err(Error::request_cancelled())),
            _ => None,
        }
    }

    /// The prompt that the turn has taken in is answered.
    pub(super) fn told(&self, call: &CancellationToken) {
        let mut queue = self.lock();
        if let Some(at) = queue.find(call) {
            queue.places[at].message = None;
        }
        queue.tell();
    }

    /// The prompt is answered.
    pub(super) fn leave(&self, call: &CancellationToken) {
        self.lock().remove(call);
    }

    /// The handler `steer` has answered.
    pub(super) fn steered(&self, steering: &CancellationToken, answer: Result<Steered>, message: Option<MessageId>) {
        let mut queue = self.lock();
        let is_it = |place: &&mut Place| place.steering.as_ref().is_some_and(|own| own.is(steering));
        let Some(place) = queue.places.iter_mut().find(is_it) else { return };
        place.state = match answer {
            Ok(Steered::Joined) => State::Joined,
            Ok(Steered::Queued) => State::Queued,
            // Its handler was dropped, or ended because of the cancellation.
            Err(_) if place.is_cancelled => State::Queued,
            Err(error) => State::Failed(error),
        };
        (place.steering, place.message) = (None, message);
        queue.tell();
    }

    /// The session's turn has ended: `free` frees the session.
    pub(super) fn turn_ended(&self, end: &End, free: &mut dyn FnMut()) {
        let mut queue = self.lock();
        free();
        queue.has_begun = false;
        for place in &mut queue.places {
            match place.state {
                // It was never asked about: it has a turn of its own.
                State::Unasked => place.state = State::Queued,
                State::Asking | State::Steering | State::Joined if place.end.is_none() => {
                    place.end = Some(end.clone());
                }
                _ => {}
            }
        }
        queue.tell();
    }

    /// Cancels the prompts that wait.
    pub(super) fn cancel(&self) {
        let dropped = self.lock().cancel();
        dropped.iter().for_each(CancellationToken::cancel);
    }

    /// Set when the prompts are answered whose answers come before the end of the turn. `None` if there are none.
    pub(super) fn answered(&self) -> Option<CancellationToken> {
        let mut queue = self.lock();
        queue.owes().then(|| queue.answered.get_or_insert_default().clone())
    }

    /// Set when the last prompt has left. `None` if none waits.
    pub(super) fn emptied(&self) -> Option<CancellationToken> {
        let queue = self.lock();
        (!queue.places.is_empty()).then(|| queue.emptied.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Whether the prompt is answered when it is inserted. Such prompts are inserted in the order of their arrival.
    fn is_inserted(&self) -> bool {
        self.is_rejected_at_once && self.by == Sent::Prompt
    }
}

impl Queue {
    /// The cancellations for the handler `steer`, if it is to be asked about the prompt at this place now.
    fn ask(&mut self, at: usize) -> Option<Beside> {
        match self.asks(at, self.has_begun) {
            Asks::Later => None,
            Asks::Never => {
                self.places[at].state = State::Queued;
                None
            }
            Asks::Now => {
                let place = &mut self.places[at];
                place.state = State::Asking;
                place.beside.clone().zip(place.steering.clone())
            }
        }
    }

    fn remove(&mut self, call: &CancellationToken) {
        let Some(place) = self.find(call).and_then(|at| self.places.remove(at)) else { return };
        self.tell();
        if self.places.is_empty() {
            mem::take(&mut self.emptied).cancel();
        }
        // A handler of a prompt that was withdrawn.
        if let Some(steering) = place.steering {
            steering.cancel();
        }
    }

    fn find(&self, call: &CancellationToken) -> Option<usize> {
        self.places.iter().position(|place| place.call.is(call))
    }

    /// Whether `steer` is asked about the prompt at this place. `has_begun` is true if the turn has begun.
    fn asks(&self, at: usize, has_begun: bool) -> Asks {
        let place = &self.places[at];
        if !matches!(place.state, State::Unasked) || place.call.is_cancelled() {
            return Asks::Later;
        }
        // A turn that is cancelled takes nothing in any more.
        let takes_in = place.beside.as_ref().is_some_and(|turn| !turn.is_cancelled());
        let mut is_next = true;
        for before in self.places.range(..at) {
            match before.state {
                State::Asking => is_next = false,
                // It was withdrawn, and leaves.
                _ if before.call.is_cancelled() => {}
                // No prompt overtakes one that waits for a turn of its own.
                State::Queued => return Asks::Never,
                State::Unasked => is_next = false,
                // It may be inserted, and before this one.
                State::Steering if before.is_inserted() => is_next = false,
                State::Steering | State::Joined | State::Failed(_) => {}
            }
        }
        match has_begun && is_next {
            _ if !takes_in || place.is_cancelled => Asks::Never,
            true => Asks::Now,
            false => Asks::Later,
        }
    }

    /// The first prompt that joined a turn which has ended. It is answered before anything else goes on.
    fn ended(&self) -> Option<usize> {
        self.places.iter().position(|place| matches!(place.state, State::Joined) && place.end.is_some())
    }

    /// Cancels all, and returns the tokens of their handlers.
    fn cancel(&mut self) -> Vec<CancellationToken> {
        self.places.iter_mut().for_each(|place| place.is_cancelled = true);
        self.tell();
        self.places.iter().filter_map(|place| place.steering.clone()).collect()
    }

    /// Whether a prompt waits for an answer that comes before the end of the turn: a cancel rejects it, or the turn has taken it in, and
    /// the client knows its message.
    fn owes(&self) -> bool {
        let is_owed = |place: &Place| match place.state {
            State::Joined => place.message.is_some(),
            _ => place.is_cancelled && place.is_rejected_at_once,
        };
        self.places.iter().any(is_owed)
    }

    fn tell(&mut self) {
        if !self.owes()
            && let Some(answered) = self.answered.take()
        {
            answered.cancel();
        }
        self.places.iter().for_each(|place| place.changed.notify_one());
    }
}
