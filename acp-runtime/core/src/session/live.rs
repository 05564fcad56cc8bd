//! One active session: its options, its state, and its turn if there is one.
//!
//! A `Session` is one object from its opening until its close or delete. It has a `SessionHandle` (id, options, output;
//! authors may keep it), the author's state, and the turn. While there is a turn, the state belongs to it. Cancellation
//! is a token that stays set, and it exists before the turn is visible. During a load there are two outputs: the replay's
//! output, which ends before the answer is made, and the session's output.
//!
//! # What holds, with its tests
//!
//! - *One truth.* A load of an active session replaces the state and the part that handlers share, and nothing else
//!   (`wire::truth::reopening::a_loaded_session_keeps_its_one_state_of_options`,
//!   `wire::state::shared::a_load_that_fails_leaves_the_shared_part`).
//! - *One at a time.* A call that opens or ends a session holds a `Transition`. Such calls run one after another
//!   (`wire::truth::reopening::two_loads_come_one_after_the_other`), and no turn begins meanwhile
//!   (`wire::truth::reopening::no_turn_begins_while_a_session_is_loaded`).
//!   `hostile::schedules::a_session_at_random_on_threads` mixes everything.
//! - *Turns are reported in order.* The message that reports the end of a turn frees the session, under the lock of the
//!   buffer: not before (`runtime::dialect::toy_tests::the_end_of_a_turn_is_told_before_the_begin_of_the_next`), and not
//!   after (`runtime::dialect::toy_tests::a_client_that_knows_of_the_end_of_a_turn_may_prompt`).
//! - *A session pays for what it uses.* The ids of tool calls, lasting permissions and listeners have one place
//!   (`session/extras`), which a session gets when it first needs it
//!   (`runtime::session::claims::a_session_has_a_place_for_extras_when_it_needs_it_until_it_ends`).
//! - *An end is an end.* A close takes the state through an `Ending`, which gives it back if the handler fails
//!   (`wire::truth::ending::an_end_that_fails_can_be_tried_again`). After the answer of a successful end, the session's
//!   output sends nothing (`wire::truth::silence::nothing_is_said_behind_the_answer_that_ends_a_session`), and its
//!   options do not change (`wire::truth::silence::a_change_of_options_that_an_end_overtakes_is_refused`).
//! - *Every wait ends.* A change of options that waits for a client ends with its request
//!   (`wire::truth::changing::a_set_that_waits_for_the_client_can_be_withdrawn`), its turn
//!   (`wire::truth::changing::a_cancelled_turn_does_not_wait_for_a_set`) or its session
//!   (`wire::truth::changing::a_close_ends_what_waits_behind_a_set`). The agent's own change ends with the client's
//!   cancel (`wire::truth::changing::a_cancel_ends_changes_of_the_agent_that_wait`). A hook that would wait for itself
//!   gets an error (`wire::truth::changing::a_hook_that_changes_options_through_a_handle_is_told_so`), and so does a hook
//!   that would wait for another session's hook, which waits for it
//!   (`wire::state::handles::hooks_that_would_wait_for_each_other_are_told_so`).

use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::handle::SessionHandle;
use crate::{
    config::ConfigOptions,
    rpc::CancellationToken,
    wire::{Error, Result},
};

/// A session that takes prompts. It lives from its opening until it is closed or deleted. If it is opened again
/// meanwhile, only its state is replaced.
pub struct Session<C: ConfigOptions, S, P> {
    pub(crate) handle: SessionHandle<C>,
    turn_state: Mutex<TurnState<S>>,
    /// What the agent has of the session.
    own: P,
}

/// The owner of the state.
enum TurnState<S> {
    /// No turn has the state. It is `None` while a call that ends the session has it.
    Free(Option<S>),
    /// The running turn has the state.
    Taken(Running),
}

/// The running turn.
#[derive(Clone)]
struct Running {
    cancel: CancellationToken,
    ended: CancellationToken,
}

impl<C: ConfigOptions, S, P> Session<C, S, P> {
    pub(crate) fn new(handle: SessionHandle<C>, state: S, own: P) -> Arc<Self> {
        Arc::new(Self { handle, turn_state: Mutex::new(TurnState::Free(Some(state))), own })
    }

    /// What the agent has of the session.
    pub(crate) fn own(&self) -> &P {
        &self.own
    }

    /// Takes the state for a turn, which `cancel` cancels. `None` while another turn has it.
    #[inline]
    fn take_turn(&self, cancel: &CancellationToken) -> Result<Option<S>> {
        let mut turn_state = self.turn_state();
        let TurnState::Free(state) = &mut *turn_state else { return Ok(None) };
        let Some(state) = state.take() else {
            return Err(Error::invalid_request(
                "the session is busy: a call that should have ended it still has its state",
            ));
        };
        *turn_state = TurnState::Taken(Running { cancel: cancel.clone(), ended: CancellationToken::new() });
        Ok(Some(state))
    }

    /// The cancellation of the running turn.
    pub(crate) fn running(&self) -> Option<CancellationToken> {
        match &*self.turn_state() {
            TurnState::Taken(running) => Some(running.cancel.clone()),
            TurnState::Free(_) => None,
        }
    }

    /// Cancels the turn, if there is one, and what runs beside it. Also cancels every waiting change of options by the agent.
    pub(crate) fn cancel_work(&self) {
        self.handle.options_in_force().cancel();
        #[cfg(feature = "v2")]
        self.handle.output().cancel_work(&mut || self.cancel_running());
        // Without version 2, nothing counts work.
        self.handle.output().cancel_beside();
        self.cancel_running();
    }

    /// Cancels what runs beside the turn.
    pub(crate) fn cancel_work_beside(&self) {
        #[cfg(feature = "v2")]
        self.handle.output().cancel_work(&mut || {});
        self.handle.output().cancel_beside();
    }

    fn cancel_running(&self) {
        if let TurnState::Taken(running) = &*self.turn_state() {
            running.cancel.cancel();
        }
    }

    /// Cancels the turn, if there is one, and waits for its end.
    pub(crate) async fn end_turn(&self) {
        let running = match &*self.turn_state() {
            TurnState::Taken(running) => running.clone(),
            TurnState::Free(_) => return,
        };
        running.cancel.cancel();
        running.ended.cancelled().await;
    }

    /// Takes the state for the call that ends the session. The turn must have ended before.
    pub(super) fn take_state(&self) -> Option<S> {
        match &mut *self.turn_state() {
            TurnState::Free(state) => state.take(),
            TurnState::Taken(_) => None,
        }
    }

    /// Reads the state; `None` while a turn or a call that ends the session has it.
    pub(crate) fn with_state<R>(&self, read: impl FnOnce(&S) -> R) -> Option<R> {
        match &*self.turn_state() {
            TurnState::Free(state) => state.as_ref().map(read),
            TurnState::Taken(_) => None,
        }
    }

    /// Replaces the state and returns the old one. The drop of the old state may take long, so the caller drops it
    /// without a lock.
    pub(crate) fn replace_state(&self, state: S) -> Option<S> {
        match &mut *self.turn_state() {
            TurnState::Free(place) => place.replace(state),
            // While a call opens or ends the session, no turn can begin. So this case does not occur.
            TurnState::Taken(_) => Some(state),
        }
    }

    /// Puts a state back. If the session has another state or a turn, the state is returned instead.
    pub(super) fn restore_state(&self, state: S) -> Option<S> {
        match &mut *self.turn_state() {
            TurnState::Free(place @ None) => place.replace(state),
            TurnState::Free(Some(_)) | TurnState::Taken(_) => Some(state),
        }
    }

    /// Whether neither the session nor a turn has the state.
    pub(super) fn is_vacant(&self) -> bool {
        matches!(&*self.turn_state(), TurnState::Free(None))
    }

    fn turn_state(&self) -> MutexGuard<'_, TurnState<S>> {
        self.turn_state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: ConfigOptions, S, P> Drop for Session<C, S, P> {
    fn drop(&mut self) {
        self.handle.release();
    }
}

/// A turn's hold on its session and on the session's state. When the hold is [freed](Self::free) or dropped, the
/// session is ready for the next turn. When it is dropped, code that waits for the end of this turn goes on.
pub struct TurnSlot<C: ConfigOptions, S, P> {
    session: Arc<Session<C, S, P>>,
    /// `None` once the state is given back, and while the prompt [waits](Self::waiting).
    state: Option<S>,
    /// Set when the turn has given its session back. It wakes code that waits for the end of the turn.
    ended: Option<CancellationToken>,
}

impl<C: ConfigOptions, S, P> TurnSlot<C, S, P> {
    /// The hold of a prompt that waits for its turn. It holds nothing yet.
    pub(crate) fn waiting(session: Arc<Session<C, S, P>>) -> Self {
        Self { session, state: None, ended: None }
    }

    /// Whether the prompt waits for its turn.
    pub(crate) fn is_waiting(&self) -> bool {
        self.state.is_none() && self.ended.is_none()
    }

    /// Begins the turn of a prompt that waits. Returns false while the session has another turn.
    pub(crate) fn begin(&mut self, cancel: &CancellationToken) -> Result<bool> {
        self.state = self.session.take_turn(cancel)?;
        if self.state.is_some() {
            self.session.handle.output().forget_message_of_turn();
        }
        Ok(self.state.is_some())
    }

    pub(crate) fn session(&self) -> &Arc<Session<C, S, P>> {
        &self.session
    }

    pub(crate) fn state(&self) -> Option<&S> {
        self.state.as_ref()
    }

    /// The session, and its state for the turn.
    pub(crate) fn lend(&mut self) -> (&Session<C, S, P>, Option<&mut S>) {
        (&self.session, self.state.as_mut())
    }

    /// Gives the state back to the session, once. After that, the session may have another turn.
    pub(crate) fn free(&mut self) {
        let Some(state) = self.state.take() else { return };
        self.session.handle.output().forget_message_of_turn();
        if let TurnState::Taken(running) = mem::replace(&mut *self.session.turn_state(), TurnState::Free(Some(state))) {
            self.ended = Some(running.ended);
        }
    }
}

impl<C: ConfigOptions, S, P> Drop for TurnSlot<C, S, P> {
    fn drop(&mut self) {
        self.free();
        if let Some(ended) = &self.ended {
            ended.cancel();
        }
    }
}
