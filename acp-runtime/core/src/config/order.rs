//! One change of a session's config at a time: in which order changes are made, and what ends one that waits.
//!
//! A change may wait: for the change before it, and for a hook that asks the client. Four things end the wait. The
//! client withdraws its request, which drops the change. The client cancels, which ends changes of the agent's own. The session is being closed. And a hook that changes its own
//! session's options through a kept handle would wait for itself, so that is refused.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::rpc::CancellationToken;
use crate::wire::error::{Cancelled, Error, Result};

tokio::task_local! {
    /// The orders whose hooks are running in this future, innermost last.
    static SETTLING: Vec<usize>;
}

/// The order of the changes of one config.
pub(crate) struct Order {
    /// One permit, which goes to those who ask in the order in which they ask.
    turn: Semaphore,
    closing: Mutex<Closing>,
}

/// How many calls are closing the session, and what they set for changes that wait.
#[derive(Default)]
struct Closing {
    calls: usize,
    /// Made for the first change that waits: most never do.
    begun: Option<CancellationToken>,
    /// The same for changes of the agent's own, which nobody can withdraw: set when the client cancels.
    cancelled: Option<CancellationToken>,
}

impl Closing {
    fn token(&mut self) -> &CancellationToken {
        self.begun.get_or_insert_default()
    }
}

/// The right to change the config. States leave in the order in which this was held.
pub(crate) struct Turn(Arc<Order>);

impl Turn {
    pub(super) fn order(&self) -> &Arc<Order> {
        &self.0
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.turn.add_permits(1);
    }
}

impl Default for Order {
    fn default() -> Self {
        Self { turn: Semaphore::new(1), closing: Mutex::default() }
    }
}

impl Order {
    /// Waits until the change that is under way is over, and those that wait for it already.
    ///
    /// # Errors
    ///
    /// A hook of this very config is what asks.
    pub(super) async fn turn(self: &Arc<Self>) -> Result<Turn> {
        if SETTLING.try_with(|settling| settling.contains(&self.address())).unwrap_or(false) {
            return Err(Error::internal_error(
                "an `on_change` hook changes options of its own session through a handle, and would wait for itself; \
                 it takes the options in the making as a parameter, `&mut Config`",
            ));
        }
        Ok(self.take(self.turn.acquire().await.expect("it is never closed")))
    }

    /// The turn, if no other change is under way.
    pub(super) fn turn_at_once(self: &Arc<Self>) -> Option<Turn> {
        self.turn.try_acquire().ok().map(|permit| self.take(permit))
    }

    fn take(self: &Arc<Self>, permit: SemaphorePermit<'_>) -> Turn {
        permit.forget();
        Turn(Arc::clone(self))
    }

    /// Runs the hooks of a change that has its turn.
    pub(super) async fn settling<T>(&self, hooks: impl Future<Output = T>) -> T {
        let mut settling = SETTLING.try_with(Clone::clone).unwrap_or_default();
        settling.push(self.address());
        SETTLING.scope(settling, hooks).await
    }

    /// What a change waits for, or an error when the change is given up, or the session is being closed.
    pub(super) async fn wait<T>(
        &self,
        given_up: Option<&CancellationToken>,
        work: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let (closing, cancelled) = {
            let mut closing = self.closing();
            let cancelled = given_up.is_none().then(|| closing.cancelled.get_or_insert_default().clone());
            (closing.token().clone(), cancelled)
        };
        let work = async {
            match given_up.or(cancelled.as_ref()) {
                Some(given_up) => given_up.run_until_cancelled(work).await.unwrap_or_else(|| Err(Cancelled.into())),
                None => work.await,
            }
        };
        closing.run_until_cancelled(work).await.unwrap_or_else(|| Err(closed()))
    }

    /// Ends the changes of the agent's own that wait. Those that begin to wait later are not.
    pub(super) fn cancel(&self) {
        let cancelled = self.closing().cancelled.take();
        if let Some(cancelled) = cancelled {
            cancelled.cancel();
        }
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing().calls > 0
    }

    /// For a change of the client's, which is put in force and answered while this is held: what a call that closes the session
    /// reads of the options from then on is what they are, and its answer is the last.
    pub(super) fn open(&self) -> Result<impl Sized + '_> {
        let closing = self.closing();
        if closing.calls > 0 { Err(closed()) } else { Ok(closing) }
    }

    /// Ends every change that waits, also those that begin to wait later. The client changes nothing from here on.
    pub(super) fn close(&self) {
        let mut closing = self.closing();
        closing.calls += 1;
        closing.token().cancel();
    }

    /// One call less is closing the session.
    pub(super) fn reopen(&self) {
        let mut closing = self.closing();
        closing.calls = closing.calls.saturating_sub(1);
        if closing.calls == 0 {
            closing.begun = None;
        }
    }

    fn closing(&self) -> MutexGuard<'_, Closing> {
        self.closing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }
}

/// The error of a change that the end of its session leaves no time for.
pub(super) fn closed() -> Error {
    Error::invalid_request("the session is being closed: its options can no longer be changed")
}
