//! The writing end of an outbox. A task or a thread sends the bytes that the senders did not send themselves.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use tokio::io::AsyncWrite;

use super::{EAGER, Shared};

/// The writer waits while turns still produce messages. It waits at most this number of rounds, and stops earlier after
/// several rounds without growth. One round without growth proves nothing: of the tasks that yield, the last one is
/// woken first.
const ROUNDS: usize = 32;
const IDLE_ROUNDS: usize = 2;

/// A sink of any kind. It is in a box, so that the writer is compiled once.
type Sink = Box<dyn AsyncWrite + Send + Unpin>;

/// Runs until the outbox is finished or the peer is gone. If the writer is dropped, the outbox is closed.
pub(crate) struct Writer {
    shared: Arc<Shared>,
}

impl Writer {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Writes to `sink`, and shuts `sink` down at the end.
    pub(crate) fn run(self, sink: impl AsyncWrite + Send + Unpin + 'static) -> impl Future<Output = ()> + Send {
        self.run_on(Box::new(sink))
    }

    async fn run_on(self, mut sink: Sink) {
        let mut work = pin!(self.work(&mut sink));
        let mut closed = pin!(self.shared.closed());
        // The peer may never take these bytes. So a close of the outbox must interrupt this write.
        poll_fn(|cx| {
            let ended = closed.as_mut().poll(cx).is_ready() || work.as_mut().poll(cx).is_ready();
            if ended { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    async fn work(&self, sink: &mut Sink) {
        let shared = &*self.shared;
        loop {
            shared.dirty.notified().await;
            self.settle().await;
            shared.lock().noted = false;
            if let Err(error) = self.write_all(sink).await {
                return shared.fail(error);
            }
            if shared.lock().is_finished() {
                // The sink is shut down before the outbox is closed, because code that waits for the close may end the
                // process.
                return match poll_fn(|cx| Pin::new(&mut *sink).poll_shutdown(cx)).await {
                    Ok(()) => {}
                    Err(error) => shared.fail(error),
                };
            }
        }
    }

    /// Waits until messages of running turns have collected, so that they leave in one write.
    async fn settle(&self) {
        let mut before = self.shared.lock().fill.len();
        let mut idle = 0;
        for _ in 0..ROUNDS {
            tokio::task::yield_now().await;
            let now = self.shared.lock().fill.len();
            idle = if now > before { 0 } else { idle + 1 };
            if idle == IDLE_ROUNDS || now >= EAGER {
                return;
            }
            before = now;
        }
    }

    async fn write_all(&self, sink: &mut Sink) -> io::Result<()> {
        let mut unflushed = false;
        loop {
            let Some(chunk) = self.shared.lock().take() else {
                return match unflushed {
                    true => poll_fn(|cx| Pin::new(&mut *sink).poll_flush(cx)).await,
                    false => Ok(()),
                };
            };
            let rest = chunk.rest();
            let outcome = poll_fn(|cx| Pin::new(&mut *sink).poll_write(cx, rest)).await;
            unflushed = true;
            self.shared.give_back(&mut self.shared.lock(), chunk, outcome);
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.close(&mut self.shared.lock());
    }
}
