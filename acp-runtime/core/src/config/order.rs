//! The order of changes: a session's config has one change at a time. Also the events that end a waiting change.
//!
//! A change may wait for the change before it, or for a hook that asks the client. Four events end the wait. If the
//! client withdraws its request, the change is dropped. If the client cancels, the agent's own changes end. If a call
//! closes the session, all changes end. If a hook changes its own session's options through a handle, this change is
//! refused, because it would wait for itself. So is a change of another session whose hooks wait for this one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::rpc::CancellationToken;
use crate::wire::{Cancelled, Error, Result};

tokio::task_local! {
    /// The orders whose hooks are running in this future. The innermost is the last.
    static SETTLING: Vec<Arc<Order>>;
}

/// The orders whose hooks wait for another order: each with that order.
static WAITING: Mutex<Vec<(Arc<Order>, Arc<Order>)>> = Mutex::new(Vec::new());

/// The hooks of some orders wait for another one, as long as this value lives.
struct Waiting<'o> {
    hooks: &'o [Arc<Order>],
    order: &'o Arc<Order>,
}

/// Whether the order is one of these.
fn is_in(order: &Arc<Order>, orders: &[Arc<Order>]) -> bool {
    orders.iter().any(|other| Arc::ptr_eq(other, order))
}

impl<'o> Waiting<'o> {
    /// `None` if there are no hooks, or if the other order would wait for one of them.
    fn of(hooks: &'o [Arc<Order>], order: &'o Arc<Order>) -> Option<Self> {
        if hooks.is_empty() {
            return None;
        }
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reached = vec![order.clone()];
        let mut next = 0;
        while let Some(here) = reached.get(next).cloned() {
            if is_in(&here, hooks) {
                return None;
            }
            for (from, to) in waiting.iter() {
                if Arc::ptr_eq(from, &here) && !is_in(to, &reached) {
                    reached.push(to.clone());
                }
            }
            next += 1;
        }
        waiting.extend(hooks.iter().map(|hook| (hook.clone(), order.clone())));
        Some(Self { hooks, order })
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        for hook in self.hooks {
            let is_ours =
                |(from, to): &(Arc<Order>, Arc<Order>)| Arc::ptr_eq(from, hook) && Arc::ptr_eq(to, self.order);
            if let Some(place) = waiting.iter().position(is_ours) {
                waiting.swap_remove(place);
            }
        }
    }
}

/// The order of the changes of one config.
pub(crate) struct Order {
    /// Has one permit. The changes get it in the order in which they wait.
    turn: Semaphore,
    closing: Mutex<Closing>,
}

/// The number of calls that are closing the session, and the token that they cancel for waiting changes.
#[derive(Default)]
struct Closing {
    calls: usize,
    /// Made for the first change that waits, because most changes never wait.
    begun: Option<CancellationToken>,
    /// As `begun`, but for the agent's own changes. The client cannot withdraw these, so this token is set when it
    /// cancels.
    cancelled: Option<CancellationToken>,
}

impl Closing {
    fn token(&mut self) -> &CancellationToken {
        self.begun.get_or_insert_default()
    }
}

/// The right to change the config. Changed configs are published in the order of their turns.
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
    /// Waits until the current change and all earlier waiting changes are over.
    ///
    /// # Errors
    ///
    /// A hook of this config calls this function, or a hook for which a hook of this config waits.
    pub(super) async fn turn(self: &Arc<Self>) -> Result<Turn> {
        let hooks = SETTLING.try_with(Clone::clone).unwrap_or_default();
        let waiting = Waiting::of(&hooks, self);
        if waiting.is_none() && !hooks.is_empty() {
            return Err(Error::internal_error(if is_in(self, &hooks) {
                "an `on_change` hook changes options of its own session through a handle, and would wait for itself; it \
                 takes the options in the making as a parameter, `&mut Config`, or spawns a task, which changes them when \
                 the hook has ended"
            } else {
                "an `on_change` hook changes options of another session, whose hook waits for this one; spawn a task, which \
                 changes them when the hook has ended"
            }));
        }
        Ok(self.take(self.turn.acquire().await.expect("it is never closed")))
    }

    /// The turn; `None` if another change is running.
    pub(super) fn turn_at_once(self: &Arc<Self>) -> Option<Turn> {
        self.turn.try_acquire().ok().map(|permit| self.take(permit))
    }

    fn take(self: &Arc<Self>, permit: SemaphorePermit<'_>) -> Turn {
        permit.forget();
        Turn(Arc::clone(self))
    }

    /// Runs the hooks of a change. The change must have its turn.
    pub(super) async fn settling<T>(self: &Arc<Self>, hooks: impl Future<Output = T>) -> T {
        let mut settling = SETTLING.try_with(Clone::clone).unwrap_or_default();
        settling.push(self.clone());
        SETTLING.scope(settling, hooks).await
    }

    /// Waits for `work`. Returns an error if the change is given up, or if the session is being closed.
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

    /// Ends the waiting changes of the agent itself. It does not end changes that begin to wait later.
    pub(super) fn cancel(&self) {
        let cancelled = self.closing().cancelled.take();
        if let Some(cancelled) = cancelled {
            cancelled.cancel();
        }
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing().calls > 0
    }

    /// A change of the client holds the result while it is put in force and answered. So a call that closes the session
    /// reads the final options, and its answer comes last.
    pub(super) fn open(&self) -> Result<impl Sized + '_> {
        let closing = self.closing();
        if closing.calls > 0 { Err(closed()) } else { Ok(closing) }
    }

    /// Ends every waiting change, and later every change that begins to wait. From here on, the client cannot change
    /// options.
    pub(super) fn close(&self) {
        let mut closing = self.closing();
        closing.calls += 1;
        closing.token().cancel();
    }

    /// Reduces the number of closing calls by one.
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
}

/// The error of a change that cannot finish before its session ends.
pub(super) fn closed() -> Error {
    Error::invalid_request("the session is being closed: its options can no longer be changed")
}
