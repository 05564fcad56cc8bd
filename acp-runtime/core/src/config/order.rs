//! One change of a session's config at a time: the order of changes, and the events that end a waiting change.
//!
//! A change may wait for the change before it, and for a hook that asks the client. Four things end the wait. The client
//! withdraws its request, which drops the change. The client cancels, which ends the agent's own changes. A call closes the
//! session. Or a hook changes its own session's options through a kept handle: this change would wait for itself, so it is
//! refused.

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
    /// One permit; it goes to the waiting changes in the order of their requests.
    turn: Semaphore,
    closing: Mutex<Closing>,
}

/// The number of calls that are closing the session, and the token that they cancel for waiting changes.
#[derive(Default)]
struct Closing {
    calls: usize,
    /// Made for the first change that waits: most changes never wait.
    begun: Option<CancellationToken>,
    /// As `begun`, for the agent's own changes, which nobody can withdraw: set when the client cancels.
    cancelled: Option<CancellationToken>,
}

impl Closing {
    fn token(&mut self) -> &CancellationToken {
        self.begun.get_or_insert_default()
    }
}

/// The right to change the config. States leave in the order in which this right was held.
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
    /// Waits until the current change is over, and all changes that wait for it already.
    ///
    /// # Errors
    ///
    /// The caller is a hook of this very config.
    pub(super) async fn turn(self: &Arc<Self>) -> Result<Turn> {
        if SETTLING.try_with(|settling| settling.contains(&self.address())).unwrap_or(false) {
            return Err(Error::internal_error(
                "an `on_change` hook changes options of its own session through a handle, and would wait for itself; \
                 it takes the options in the making as a parameter, `&mut Config`",
            ));
        }
        Ok(self.take(self.turn.acquire().await.expect("it is never closed")))
    }

    /// The turn, if no other change is running.
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

    /// Waits for `work`. Returns an error when the change is given up, or when the session is being closed.
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

    /// Ends the waiting changes of the agent itself. Changes that begin to wait later are not ended.
    pub(super) fn cancel(&self) {
        let cancelled = self.closing().cancelled.take();
        if let Some(cancelled) = cancelled {
            cancelled.cancel();
        }
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing().calls > 0
    }

    /// Held by a change of the client while the change is put in force and answered. So a call that closes the session reads
    /// the final options, and its answer is the last.
    pub(super) fn open(&self) -> Result<impl Sized + '_> {
        let closing = self.closing();
        if closing.calls > 0 { Err(closed()) } else { Ok(closing) }
    }

    /// Ends every waiting change, also changes that begin to wait later. From here on, the client changes nothing.
    pub(super) fn close(&self) {
        let mut closing = self.closing();
        closing.calls += 1;
        closing.token().cancel();
    }

    /// Counts one closing call less.
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

/// The error of a change that cannot finish before its session ends.
pub(super) fn closed() -> Error {
    Error::invalid_request("the session is being closed: its options can no longer be changed")
}
