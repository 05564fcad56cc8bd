//! One active session: its state, and the one turn it may have.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex as StateMutex, OwnedMutexGuard};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::handle::SessionHandle;
use crate::{
    agent::{AgentDeclaration, Handlers},
    wire::{Error, Result},
};

/// A session that can be prompted.
pub(crate) struct Session<A: Handlers> {
    pub(crate) handle: SessionHandle<A::Config>,
    /// Held by the turn; `None` once the session has ended.
    state: Arc<StateMutex<Option<A::Session>>>,
    turn: Mutex<Option<Running>>,
}

/// The state of a session, in the hands of its turn.
pub(crate) type LentState<A> = OwnedMutexGuard<Option<<A as AgentDeclaration>::Session>>;

/// The turn at work.
#[derive(Clone)]
struct Running {
    cancel: CancellationToken,
    ended: CancellationToken,
}

/// The state of a session that `session/close` or `session/delete` has ended, for their handlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended<S>(pub S);

impl<A: Handlers> Session<A> {
    pub(crate) fn new(handle: SessionHandle<A::Config>, state: A::Session) -> Arc<Self> {
        Arc::new(Self { handle, state: Arc::new(StateMutex::new(Some(state))), turn: Mutex::default() })
    }

    /// Starts a turn that `cancel` cancels. A session has one turn at a time.
    pub(crate) fn begin_turn(self: &Arc<Self>, cancel: &CancellationToken) -> Result<(TurnSlot<A>, LentState<A>)> {
        let mut turn = self.turn();
        let busy = || Error::invalid_request("the session is busy: its last prompt is not answered yet");
        if turn.is_some() {
            return Err(busy());
        }
        let state = self.state.clone().try_lock_owned().map_err(|_| busy())?;
        *turn = Some(Running { cancel: cancel.clone(), ended: CancellationToken::new() });
        drop(turn);
        Ok((TurnSlot(self.clone()), state))
    }

    /// Cancels the turn, if there is one.
    pub(crate) fn cancel_turn(&self) -> bool {
        match &*self.turn() {
            Some(running) => {
                running.cancel.cancel();
                true
            }
            None => false,
        }
    }

    /// Cancels the turn, if there is one, and waits for its end.
    pub(crate) async fn end_turn(&self) {
        let running = self.turn().clone();
        if let Some(running) = running {
            running.cancel.cancel();
            running.ended.cancelled().await;
        }
    }

    /// The state, once. The turn has ended before.
    pub(crate) fn take_state(&self) -> Option<A::Session> {
        self.state.try_lock().ok()?.take()
    }

    fn turn(&self) -> MutexGuard<'_, Option<Running>> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<A: Handlers> Drop for Session<A> {
    fn drop(&mut self) {
        self.handle.end();
    }
}

/// A turn's hold on its session: dropped, the session is free for the next.
pub(crate) struct TurnSlot<A: Handlers>(Arc<Session<A>>);

impl<A: Handlers> TurnSlot<A> {
    /// Frees the session, but tells nobody yet: who waits for the turn's end goes on when this is dropped, which is
    /// after the turn is answered.
    pub(crate) fn free(self) -> Option<DropGuard> {
        self.0.turn().take().map(|running| running.ended.drop_guard())
    }
}

impl<A: Handlers> Drop for TurnSlot<A> {
    fn drop(&mut self) {
        let running = self.0.turn().take();
        if let Some(running) = running {
            running.ended.cancel();
        }
    }
}
