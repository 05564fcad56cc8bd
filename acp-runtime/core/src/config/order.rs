//! One change of a session's config at a time: in which order changes are made, and what ends one that waits.
//!
//! A change may wait: for the change before it, and for a hook that asks the client. Three things end the wait. The
//! client withdraws its request, which drops the change. The session is being closed. And a hook that changes its own
//! session's options through a kept handle would wait for itself, so that is refused.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedMutexGuard;

use crate::rpc::CancellationToken;
use crate::wire::error::{Cancelled, Error, Result};

tokio::task_local! {
    /// The orders whose hooks are running in this future, innermost last.
    static SETTLING: Vec<usize>;
}

/// The order of the changes of one config.
#[derive(Default)]
pub(crate) struct Order {
    turn: Arc<tokio::sync::Mutex<()>>,
    closing: Mutex<Closing>,
}

/// How many calls are closing the session, and what they have set.
#[derive(Default)]
struct Closing {
    calls: usize,
    begun: CancellationToken,
}

/// The right to change the config. States leave in the order in which this was held.
pub(crate) type Turn = OwnedMutexGuard<()>;

impl Order {
    /// Waits until no other change is under way.
    ///
    /// # Errors
    ///
    /// A hook of this very config is what asks.
    pub(super) async fn turn(&self) -> Result<Turn> {
        // Without this look the wait could end for a change that need not wait at all: when the task's budget is used up.
        if let Some(turn) = self.turn_at_once() {
            return Ok(turn);
        }
        if SETTLING.try_with(|settling| settling.contains(&self.address())).unwrap_or(false) {
            return Err(Error::internal_error(
                "an `on_change` hook changes options of its own session through a handle, and would wait for itself; \
                 it takes the options in the making as a parameter, `&mut Config`",
            ));
        }
        Ok(Arc::clone(&self.turn).lock_owned().await)
    }

    /// The turn, if no other change is under way.
    pub(super) fn turn_at_once(&self) -> Option<Turn> {
        Arc::clone(&self.turn).try_lock_owned().ok()
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
        let closing = self.closing().begun.clone();
        let work = async {
            match given_up {
                Some(given_up) => given_up.run_until_cancelled(work).await.unwrap_or_else(|| Err(Cancelled.into())),
                None => work.await,
            }
        };
        closing.run_until_cancelled(work).await.unwrap_or_else(|| Err(closed()))
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing().calls > 0
    }

    /// Puts a change of the client's in force, unless the session is being closed: what the call that closes it reads
    /// of the options then is what they are.
    pub(super) fn unless_closing(&self, commit: impl FnOnce()) -> Result<()> {
        let closing = self.closing();
        if closing.calls > 0 {
            return Err(closed());
        }
        commit();
        Ok(())
    }

    /// Ends every change that waits, also those that begin to wait later. The client changes nothing from here on.
    pub(super) fn close(&self) {
        let mut closing = self.closing();
        closing.calls += 1;
        closing.begun.cancel();
    }

    /// One call less is closing the session.
    pub(super) fn reopen(&self) {
        let mut closing = self.closing();
        closing.calls = closing.calls.saturating_sub(1);
        if closing.calls == 0 {
            closing.begun = CancellationToken::new();
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
