//! Runs handlers. A handler runs in place until it waits, then as a task of its own.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker, ready},
};

use tokio::sync::watch;

use super::{
    cancellation::CancellationToken,
    outbox::{Outbox, StreamSender},
};
use crate::TARGET;

/// The place where a handler starts.
#[derive(Debug)]
pub enum Start {
    /// In place, so that calls take effect in the order of their arrival. If the handler has to wait, it becomes a
    /// task. The value is the stream of the answer, if the transport named one.
    Here(Option<Arc<dyn StreamSender>>),
    /// As a task, because a turn may compute for long before it waits for the first time.
    Task,
}

type Handler = Pin<Box<dyn Future<Output = ()> + Send>>;
/// A handler whose future stays on its thread.
type LocalHandler = Pin<Box<dyn Future<Output = ()>>>;

/// The running handlers of one connection.
pub struct Tasks {
    running: watch::Sender<usize>,
    most: usize,
    outbox: Outbox,
}

impl Tasks {
    /// Allows `most` handlers at once. Callers must check [`is_full`](Self::is_full).
    pub fn new(outbox: Outbox, most: usize) -> Self {
        Self { running: watch::Sender::new(0), most, outbox }
    }

    /// Whether the limit of handlers is reached.
    pub fn is_full(&self) -> bool {
        *self.running.borrow() >= self.most
    }

    /// Starts a handler. When `withdrawn` is set, the handler's future is dropped at its next `.await`.
    ///
    /// A panic ends the handler's future, but not the connection. The drop of the future's responder answers the call.
    pub fn start(
        &self,
        handler: impl Future<Output = ()> + Send + 'static,
        start: Start,
        withdrawn: Option<CancellationToken>,
    ) {
        self.start_boxed(Box::pin(handler), start, withdrawn);
    }

    /// As [`start`](Self::start), for a handler that stays on its thread. A `LocalSet` must run its tasks.
    pub fn start_local(
        &self,
        handler: impl Future<Output = ()> + 'static,
        start: Start,
        withdrawn: Option<CancellationToken>,
    ) {
        self.start_local_boxed(Box::pin(handler), start, withdrawn);
    }

    /// Takes a boxed future. Without the box, this code and tokio's task would be compiled again for each handler.
    fn start_boxed(&self, mut handler: Handler, start: Start, withdrawn: Option<CancellationToken>) {
        if let Start::Here(way) = start {
            if !is_unfinished(handler.as_mut()) {
                return;
            }
            handler = Box::pin(Steps::new(handler, &self.outbox, way));
        }
        tokio::spawn(self.task(handler, withdrawn));
    }

    fn start_local_boxed(&self, mut handler: LocalHandler, start: Start, withdrawn: Option<CancellationToken>) {
        if let Start::Here(way) = start {
            if !is_unfinished(handler.as_mut()) {
                return;
            }
            handler = Box::pin(Steps::new(handler, &self.outbox, way));
        }
        tokio::task::spawn_local(self.task(handler, withdrawn));
    }

    fn task<F: Future<Output = ()> + Unpin>(
        &self,
        handler: F,
        withdrawn: Option<CancellationToken>,
    ) -> impl Future<Output = ()> + use<F> {
        self.running.send_modify(|running| *running += 1);
        // The guard also flushes after a panic, because the answer of the responder's drop waits in the buffer.
        let end = AtEnd { running: self.running.clone(), outbox: self.outbox.clone() };
        async move {
            let _end = end;
            match withdrawn {
                None => handler.await,
                Some(withdrawn) => {
                    withdrawn.run_until_cancelled(handler).await;
                }
            }
        }
    }

    /// Waits until all handlers have ended, or until the deadline.
    pub async fn drain(&self, deadline: tokio::time::Instant) {
        let mut running = self.running.subscribe();
        if tokio::time::timeout_at(deadline, running.wait_for(|running| *running == 0)).await.is_err() {
            tracing::warn!(target: TARGET, handlers = *running.borrow(), "handlers did not end when the other side hung up");
        }
    }
}

/// Runs the handler as far as possible without waiting. Returns true if the handler has to wait.
fn is_unfinished(handler: Pin<&mut (dyn Future<Output = ()> + '_)>) -> bool {
    let mut idle = Context::from_waker(Waker::noop());
    let polled = catch_unwind(AssertUnwindSafe(|| handler.poll(&mut idle)));
    matches!(polled, Ok(Poll::Pending))
}

/// A handler step by step. While the client does not read, no next step begins: the step could make an answer, and
/// there is no room for it. This matters because up to [`Limits::concurrent_handlers`](crate::transport::Limits)
/// handlers may be running. A turn is not stopped in this way: it waits for room itself, and must notice its
/// cancellation.
struct Steps<F> {
    handler: F,
    outbox: Outbox,
    way: Option<Arc<dyn StreamSender>>,
    /// Only set while there is no room.
    room: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<F> Steps<F> {
    fn new(handler: F, outbox: &Outbox, way: Option<Arc<dyn StreamSender>>) -> Self {
        Self { handler, outbox: outbox.clone(), way, room: None }
    }
}

impl<F: Future<Output = ()> + Unpin> Future for Steps<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Self { handler, outbox, way, room } = &mut *self;
        if room.is_none() {
            let is_at_hard_bound = way.as_ref().map_or_else(|| outbox.is_at_hard_bound(), |way| way.is_at_hard_bound());
            if is_at_hard_bound {
                let (outbox, way) = (outbox.clone(), way.clone());
                *room = Some(Box::pin(async move {
                    match way {
                        None => outbox.next_below_hard().await,
                        Some(way) => way.next_below_hard().await,
                    }
                }));
            }
        }
        if let Some(waiting) = room {
            ready!(waiting.as_mut().poll(cx));
            *room = None;
        }
        Pin::new(handler).poll(cx)
    }
}

/// The clean-up after the end of a task.
struct AtEnd {
    running: watch::Sender<usize>,
    outbox: Outbox,
}

impl Drop for AtEnd {
    fn drop(&mut self) {
        self.outbox.flush();
        self.running.send_modify(|running| *running -= 1);
    }
}
