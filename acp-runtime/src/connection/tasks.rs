//! Running handlers: in place as far as they get without waiting, else as tasks of their own.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll, Waker},
};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::outbox::Outbox;

/// Where a handler starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// In place, so that calls take effect in the order of their arrival; as a task once it has to wait.
    Here,
    /// As a task: a turn may compute for long before it first waits.
    Task,
}

type Handler = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The handlers at work on one connection.
pub struct Tasks {
    tracker: TaskTracker,
    outbox: Outbox,
}

impl Tasks {
    pub(crate) fn new(outbox: Outbox) -> Self {
        Self { tracker: TaskTracker::new(), outbox }
    }

    /// Starts a handler. When `withdrawn` fires, its future is dropped where it stands.
    ///
    /// A panic ends the future, not the connection: the drop of what it held answers the call.
    pub(crate) fn start(
        &self,
        handler: impl Future<Output = ()> + Send + 'static,
        start: Start,
        withdrawn: Option<CancellationToken>,
    ) {
        self.start_boxed(Box::pin(handler), start, withdrawn);
    }

    /// The type of the future is forgotten: all this, and tokio's task, would be compiled anew for each handler.
    fn start_boxed(&self, mut handler: Handler, start: Start, withdrawn: Option<CancellationToken>) {
        if start == Start::Here {
            let mut idle = Context::from_waker(Waker::noop());
            match catch_unwind(AssertUnwindSafe(|| handler.as_mut().poll(&mut idle))) {
                Ok(Poll::Pending) => {}
                Ok(Poll::Ready(())) | Err(_) => return,
            }
        }
        self.spawn(handler, withdrawn);
    }

    fn spawn(&self, handler: Handler, withdrawn: Option<CancellationToken>) {
        let outbox = self.outbox.clone();
        self.tracker.spawn(async move {
            // Also after a panic: the answer of the drop guard waits in the buffer.
            let _flush = FlushAtEnd(outbox);
            match withdrawn {
                None => handler.await,
                Some(withdrawn) => {
                    withdrawn.run_until_cancelled(handler).await;
                }
            }
        });
    }

    /// Waits for all handlers to end, but not for ever.
    pub(crate) async fn drain(&self, deadline: tokio::time::Instant) {
        self.tracker.close();
        if tokio::time::timeout_at(deadline, self.tracker.wait()).await.is_err() {
            tracing::warn!(handlers = self.tracker.len(), "handlers did not end when the client hung up");
        }
    }
}

struct FlushAtEnd(Outbox);

impl Drop for FlushAtEnd {
    fn drop(&mut self) {
        self.0.flush();
    }
}
