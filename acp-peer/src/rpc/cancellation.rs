//! A flag that asks some work to end. Once set it stays set, so code that looks later sees it, too.
//!
//! The token of tokio-util has children, which nobody needs here. It locks for each clone and each look, and adds four crates and
//! 20 kB to an agent. Work that is done does not count there if the token was set before it began.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use tokio::sync::Notify;
use tokio::task::{JoinError, spawn_blocking};

use crate::wire::Cancelled;

/// A token starts unset, is set once, and stays set. Clones are the same token.
///
/// ```
/// use acp_peer::CancellationToken;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let cancel = CancellationToken::new();
/// let work = tokio::spawn({
///     let cancel = cancel.clone();
///     async move { cancel.run_until_cancelled(std::future::pending::<u32>()).await }
/// });
/// cancel.cancel();
/// assert_eq!(work.await.ok(), Some(None), "the work has no result");
/// assert!(cancel.check().is_err(), "work that has not begun must not begin");
/// # }
/// ```
#[derive(Clone, Default)]
pub struct CancellationToken(Arc<Level>);

#[derive(Default)]
struct Level {
    set: AtomicBool,
    waiting: Notify,
}

impl CancellationToken {
    /// An unset token.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the token.
    pub fn cancel(&self) {
        if !self.0.set.swap(true, Ordering::AcqRel) {
            self.0.waiting.notify_waiters();
        }
    }

    /// Whether the token is set.
    pub fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::Acquire)
    }

    /// [`Cancelled`] if the token is set: for work that must not begin any more.
    pub fn check(&self) -> std::result::Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Whether both are the same token.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Waits until the token is set.
    pub async fn cancelled(&self) {
        // The wait is registered before the check, so an event between the check and the wait is not lost.
        let told = self.0.waiting.notified();
        if !self.is_cancelled() {
            told.await;
        }
    }

    /// The result of `work`; `None` if the token was set first. If both happen at the same time, the result counts.
    pub async fn run_until_cancelled<F: Future>(&self, work: F) -> Option<F::Output> {
        let (mut work, mut cancelled) = (pin!(work), pin!(self.cancelled()));
        poll_fn(|cx| match work.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending => cancelled.as_mut().poll(cx).map(|()| None),
        })
        .await
    }

    /// Runs `work` on a thread for blocking work. If the token is set first, the work is dropped if it has not begun; nothing can
    /// stop a thread, so work that has begun goes on.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> std::result::Result<std::result::Result<T, JoinError>, Cancelled> {
        self.check()?;
        let mut running = spawn_blocking(work);
        self.run_until_cancelled(&mut running).await.ok_or_else(|| {
            running.abort();
            Cancelled
        })
    }

    /// Sets the token when it is dropped.
    pub fn drop_guard(self) -> DropGuard {
        DropGuard(self)
    }
}

impl fmt::Debug for CancellationToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CancellationToken").field(&self.is_cancelled()).finish()
    }
}

/// The guard of [`CancellationToken::drop_guard`]: its drop sets the token.
#[derive(Debug)]
pub struct DropGuard(CancellationToken);

impl Drop for DropGuard {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: std::time::Duration = std::time::Duration::from_secs(10);

    #[tokio::test]
    async fn it_is_told_before_and_after() {
        let token = CancellationToken::new();
        let early = tokio::spawn({
            let token = token.clone();
            async move { token.cancelled().await }
        });
        tokio::task::yield_now().await;
        assert!(!token.is_cancelled() && !early.is_finished());
        drop(token.clone().drop_guard());
        let late = async { token.cancelled().await };
        tokio::time::timeout(SOON, async { (early.await.unwrap(), late.await) }).await.expect("both are told");
        assert!(token.is_cancelled());
    }

    #[tokio::test]
    async fn work_that_is_done_counts() {
        let token = CancellationToken::new();
        let pending = std::future::pending::<()>();
        assert_eq!(token.run_until_cancelled(async { 1 }).await, Some(1));
        token.cancel();
        assert_eq!(token.run_until_cancelled(async { 2 }).await, Some(2));
        assert_eq!(token.run_until_cancelled(pending).await, None);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn nobody_waits_for_ever_who_starts_while_it_is_set() {
        for _ in 0..2_000 {
            let token = CancellationToken::new();
            let waiting = tokio::spawn({
                let token = token.clone();
                async move { token.cancelled().await }
            });
            let setting = tokio::spawn(async move { token.cancel() });
            setting.await.unwrap();
            tokio::time::timeout(SOON, waiting).await.expect("it is told").unwrap();
        }
    }
}
