//! One stream of an outbox that has several. It contains whole messages, has bounds of its own, and has one reader at a
//! time.

use std::{
    collections::VecDeque,
    fmt,
    future::poll_fn,
    pin::{Pin, pin},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker, ready},
};

use tokio::sync::{Notify, futures::Notified};

use super::{
    Closed, Limits, StreamSender,
    group::{Group, Member},
    hard_bound::HardBound,
};
use crate::TARGET;

/// The begin of a notification, as this crate writes it.
const NOTIFICATION: &[u8] = br#"{"jsonrpc":"2.0","method":"#;

/// One stream of a transport that has several. Messages wait here, in order, for the stream's reader. Clones are the
/// same stream.
///
/// Each stream has the bounds of [`Limits`] for itself. So a stream that nobody reads delays no other stream. Above the
/// soft bound, a turn that sends over this stream waits. Above the hard bound, handlers whose answers go to this stream
/// wait before they go on. The transport must also wait, with [`below_hard`](Self::below_hard), before it passes on a
/// message whose answer goes to this stream. A few messages never wait, for example a changed option. They may add more
/// bytes, up to the size of the hard bound again. If they add more than this, the stream is closed.
///
/// ```
/// use acp_peer::transport::{Limits, OutboxStream};
///
/// # async fn example(limits: &Limits, mut write: impl AsyncFnMut(Vec<u8>) -> std::io::Result<()>) -> std::io::Result<()> {
/// let stream = OutboxStream::new(limits);
/// // For each reader, one after the other:
/// if let Some(mut reader) = stream.reader() {
///     while let Some(message) = reader.next().await {
///         write(message).await?;
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct OutboxStream(Arc<Lane>);

/// The current reader of an [`OutboxStream`]. After its drop, the next reader gets the remaining messages.
pub struct StreamReader(Arc<Lane>);

/// The shared state of a stream's handles.
pub(super) struct Lane {
    queue: Mutex<Queue>,
    group: Arc<Group>,
    hard_bound: HardBound,
    /// Whether a message waits that is more than a notification.
    hurries: AtomicBool,
    /// Tells senders that the unsent bytes fell well below the soft bound.
    room: Notify,
    /// Tells code that waits for the end that no bytes are unsent, or that the stream is closed.
    drained: Notify,
    ended: Notify,
}

#[derive(Default)]
struct Queue {
    messages: VecDeque<Vec<u8>>,
    /// The bytes of all messages, including the message that the reader has.
    unsent: usize,
    /// The bytes of the message that the reader has. The reader may not have written it yet.
    in_hand: usize,
    /// The bytes that were added after the hard bound was reached.
    beyond: usize,
    is_read: bool,
    /// Told that there is a message, or that the stream has ended. Only the reader waits for it.
    reader: Option<Waker>,
    /// Whether a sender waits for room, or has waited before its future was dropped.
    starved: bool,
    /// Whether the stream ends after the messages that it has.
    finishing: bool,
    closed: bool,
}

impl OutboxStream {
    /// The first stream of a connection: the connection's own. It has no reader yet.
    pub fn new(limits: &Limits) -> Self {
        Self::of(Arc::new(Group::new(limits)))
    }

    /// Another stream of the same connection. It has the same bounds, and ends with the connection. It has no reader
    /// yet.
    #[must_use]
    pub fn sibling(&self) -> Self {
        Self::of(self.0.group.clone())
    }

    fn of(group: Arc<Group>) -> Self {
        let lane = Arc::new(Lane {
            queue: Mutex::default(),
            group,
            hard_bound: HardBound::default(),
            hurries: AtomicBool::new(false),
            room: Notify::new(),
            drained: Notify::new(),
            ended: Notify::new(),
        });
        lane.group.join(&lane);
        Self(lane)
    }

    /// The stream's reader; `None` while there already is one.
    pub fn reader(&self) -> Option<StreamReader> {
        let mut queue = self.0.lock();
        (!std::mem::replace(&mut queue.is_read, true)).then(|| StreamReader(self.0.clone()))
    }

    /// Waits until you may pass on a message whose answer goes to this stream. Returns at once if the stream is closed.
    pub async fn below_hard(&self) {
        self.0.hard_bound.wait(&|| {}).await;
    }

    /// Ends the stream: drops its unread messages and all later ones. Code gets an error if it waits to send over the
    /// stream, or if it waits for the answer to a request that was sent over it.
    pub fn close(&self) {
        self.0.close();
    }

    /// Whether nothing waits in the stream, and its reader has written all that it took.
    pub fn is_empty(&self) -> bool {
        self.0.lock().unsent == 0
    }

    /// Whether somebody waits for a message in the stream: an answer, or a request. Notifications can leave a little later, together
    /// with others.
    pub fn hurries(&self) -> bool {
        self.0.hurries.load(Ordering::Relaxed)
    }

    /// The stream as a sender sees it.
    #[doc(hidden)] // for `acp-hooks`
    pub fn way(&self) -> Arc<dyn StreamSender> {
        self.0.clone()
    }

    #[cfg(test)]
    pub(super) fn unsent(&self) -> usize {
        self.0.lock().unsent
    }

    pub(super) fn group(&self) -> &Group {
        &self.0.group
    }

    pub(super) fn hard_bound(&self) -> &HardBound {
        &self.0.hard_bound
    }
}

impl fmt::Debug for OutboxStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let queue = self.lock();
        let mut shown = f.debug_struct("OutboxStream");
        shown.field("unsent", &queue.unsent).field("is_read", &queue.is_read).field("closed", &queue.closed);
        shown.finish_non_exhaustive()
    }
}

impl StreamReader {
    /// Waits for the next message: its JSON, in UTF-8, without a line end. `None` when the stream is closed. `None`
    /// also when the connection has ended and every message is read.
    ///
    /// By calling this function, the reader says that it has written the previous message. Until then, the end of the
    /// connection waits for that message. If the future is dropped, no message is lost.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// As [`next`](Self::next), for a reader that is polled. Until it is polled again, each message wakes the task of the last poll.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
        // If there is always a message, this reader would never let other tasks run.
        ready!(pin!(tokio::task::coop::consume_budget()).poll(cx));
        let Self(lane) = self;
        let mut queue = lane.lock();
        queue.written(lane);
        if let Some(message) = queue.messages.pop_front() {
            queue.in_hand = message.len();
            queue.reader = None;
            return Poll::Ready(Some(message));
        }
        if queue.closed || queue.finishing {
            return Poll::Ready(None);
        }
        lane.hurries.store(false, Ordering::Relaxed);
        match &mut queue.reader {
            Some(reader) => reader.clone_from(cx.waker()),
            reader => *reader = Some(cx.waker().clone()),
        }
        Poll::Pending
    }

    /// The next message, if there is one now. By taking it, the reader says that it has written the previous one, as with
    /// [`next`](Self::next).
    pub fn try_next(&mut self) -> Option<Vec<u8>> {
        let Self(lane) = self;
        let mut queue = lane.lock();
        let message = queue.messages.pop_front()?;
        queue.written(lane);
        queue.in_hand = message.len();
        Some(message)
    }
}

impl fmt::Debug for StreamReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamReader").finish_non_exhaustive()
    }
}

impl Drop for StreamReader {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        queue.written(&self.0);
        queue.is_read = false;
        queue.reader = None;
    }
}

impl StreamSender for Lane {
    fn full(&self) -> Result<Option<Notified<'_>>, Closed> {
        let mut queue = self.lock();
        if queue.closed {
            return Err(Closed::Stream);
        }
        if queue.unsent < self.group.soft {
            return Ok(None);
        }
        queue.starved = true;
        // This future is made under the lock, so it misses no later notification.
        Ok(Some(self.room.notified()))
    }

    fn push(&self, message: Vec<u8>) -> Result<(), Closed> {
        let mut queue = self.lock();
        if queue.closed {
            return Err(Closed::Stream);
        }
        if self.hard_bound.is_at_hard_bound() {
            queue.beyond += message.len();
            if queue.beyond > self.group.hard {
                tracing::warn!(target: TARGET, unsent = queue.unsent, "closed a stream of the connection that nobody reads; its messages are lost");
                queue.close(self);
                return Err(Closed::Stream);
            }
        }
        if !message.starts_with(NOTIFICATION) {
            self.hurries.store(true, Ordering::Relaxed);
        }
        queue.unsent += message.len();
        queue.messages.push_back(message);
        if queue.unsent >= self.group.hard {
            self.hard_bound.reach();
        }
        queue.wake_reader();
        Ok(())
    }

    fn hard_bound(&self) -> &HardBound {
        &self.hard_bound
    }

    fn closed(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async {
            let ended = {
                let queue = self.lock();
                if queue.closed {
                    return;
                }
                self.ended.notified()
            };
            ended.await;
        })
    }
}

impl Member for Lane {
    fn finish(&self) {
        let mut queue = self.lock();
        queue.finishing = true;
        queue.wake_reader();
    }

    fn drained(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async {
            loop {
                let drained = {
                    let queue = self.lock();
                    if queue.unsent == 0 {
                        return;
                    }
                    self.drained.notified()
                };
                drained.await;
            }
        })
    }

    fn close(&self) {
        self.lock().close(self);
    }
}

impl Lane {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// Records that the reader has written its message.
    fn written(&mut self, lane: &Lane) {
        self.unsent -= std::mem::take(&mut self.in_hand);
        if self.starved && self.unsent <= lane.group.soft / 2 {
            self.starved = false;
            lane.room.notify_waiters();
        }
        if self.unsent <= lane.group.hard / 2 {
            self.beyond = 0;
            lane.hard_bound.release();
        }
        if self.unsent == 0 {
            lane.drained.notify_waiters();
        }
    }

    fn close(&mut self, lane: &Lane) {
        self.closed = true;
        self.messages = VecDeque::new();
        (self.unsent, self.in_hand) = (0, 0);
        lane.hard_bound.release();
        for waiting in [&lane.room, &lane.drained, &lane.ended] {
            waiting.notify_waiters();
        }
        self.wake_reader();
    }

    fn wake_reader(&self) {
        if let Some(reader) = &self.reader {
            reader.wake_by_ref();
        }
    }
}
