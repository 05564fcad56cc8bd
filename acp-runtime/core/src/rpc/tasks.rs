//! Running handlers: in place as far as they get without waiting, else as tasks of their own.

use crate::TARGET;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker, ready},
};

use crate::rpc::CancellationToken;
use tokio::sync::watch;

use super::outbox::{Outbox, StreamSender};

/// Where a handler starts.
#[derive(Debug)]
pub enum Start {
    /// In place, so that calls take effect in the order of their arrival; as a task once it has to wait. With the way
    /// that its answer goes, if the transport has said so.
    Here(Option<Arc<dyn StreamSender>>),
    /// As a task: a turn may compute for long before it first waits.
    Task,
}

type Handler = Pin<Box<dyn Future<Output = ()> + Send>>;
/// One that stays on its thread.
type LocalHandler = Pin<Box<dyn Future<Output = ()>>>;

/// The handlers at work on one connection.
pub struct Tasks {
    running: watch::Sender<usize>,
    most: usize,
    outbox: Outbox,
}

impl Tasks {
    /// At most so many at once, as far as [`is_full`](Self::is_full) is heeded.
    pub fn new(outbox: Outbox, most: usize) -> Self {
        Self { running: watch::Sender::new(0), most, outbox }
    }

    /// Whether no more handlers are to be started.
    pub fn is_full(&self) -> bool {
        *self.running.borrow() >= self.most
    }

    /// Starts a handler. When `withdrawn` fires, its future is dropped where it stands.
    ///
    /// A panic ends the future, not the connection: the drop of what it held answers the call.
    pub fn start(
        &self,
        handler: impl Future<Output = ()> + Send + 'static,
        start: Start,
        withdrawn: Option<CancellationToken>,
    ) {
        self.start_boxed(Box::pin(handler), start, withdrawn);
    }

    /// As [`start`](Self::start), for a handler that stays on its thread, of which a `LocalSet` runs the tasks.
    pub fn start_local(
        &self,
        handler: impl Future<Output = ()> + 'static,
        start: Start,
        withdrawn: Option<CancellationToken>,
    ) {
        self.start_local_boxed(Box::pin(handler), start, withdrawn);
    }

    /// The type of the future is forgotten: all this, and tokio's task, would be compiled anew for each handler.
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
        // Also after a panic: the answer of the drop guard waits in the buffer.
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

    /// Waits for all handlers to end, but not for ever.
    pub async fn drain(&self, deadline: tokio::time::Instant) {
        let mut running = self.running.subscribe();
        if tokio::time::timeout_at(deadline, running.wait_for(|running| *running == 0)).await.is_err() {
            tracing::warn!(target: TARGET, handlers = *running.borrow(), "handlers did not end when the other side hung up");
        }
    }
}

/// Goes as far as it can without waiting; whether it has to.
fn is_unfinished(handler: Pin<&mut (dyn Future<Output = ()> + '_)>) -> bool {
    let mut idle = Context::from_waker(Waker::noop());
    let polled = catch_unwind(AssertUnwindSafe(|| handler.poll(&mut idle)));
    matches!(polled, Ok(Poll::Pending))
}

/// A handler step by step. While the client does not read, there is no next one: it may make an answer, for which there is no
/// room, and as many handlers may be at work as [`Limits::concurrent_handlers`](crate::transport::Limits) allows. A turn is not held
/// so: it waits for room by itself, and is to see that it was cancelled.
struct Steps<F> {
    handler: F,
    outbox: Outbox,
    way: Option<Arc<dyn StreamSender>>,
    /// Only while there is none.
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

/// What the end of a task leaves to do.
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
