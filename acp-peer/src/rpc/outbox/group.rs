//! All streams of one connection. They have the same bounds, and end with the connection.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use super::Limits;

/// One of the streams, as their connection sees it.
pub(super) trait Member: Send + Sync {
    /// Ends the stream, and drops its unread messages.
    fn close(&self);

    /// Ends the stream behind its last message.
    fn finish(&self);

    /// Waits until the messages of a stream that was finished are read.
    fn drained(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// The shared state of one connection's streams.
pub(super) struct Group {
    pub(super) soft: usize,
    pub(super) hard: usize,
    members: Mutex<Members>,
}

#[derive(Default)]
struct Members {
    closed: bool,
    lanes: Vec<Weak<dyn Member>>,
}

impl Group {
    pub(super) fn new(limits: &Limits) -> Self {
        let soft = limits.unsent_soft_bytes.max(1);
        Self { soft, hard: limits.unsent_hard_bytes.max(soft), members: Mutex::default() }
    }

    /// The bounds of each stream.
    pub(super) fn limits(&self) -> Limits {
        Limits::new().unsent_soft_bytes(self.soft).unsent_hard_bytes(self.hard)
    }

    /// Adds a stream. If the connection has already ended, the stream ends, too.
    pub(super) fn join(&self, lane: &Arc<impl Member + 'static>) {
        let mut members = self.lock();
        if members.closed {
            drop(members);
            return lane.close();
        }
        if members.lanes.len() == members.lanes.capacity() {
            members.lanes.retain(|lane| lane.strong_count() > 0);
        }
        let lane: Arc<dyn Member> = lane.clone();
        members.lanes.push(Arc::downgrade(&lane));
    }

    /// Waits until the messages of all streams are read. Each stream ends after its last message.
    pub(super) async fn finish(&self) {
        let lanes = lanes(&self.lock());
        // All streams are finished first. If a stream is read, its end must not wait for a stream that is not read.
        for lane in &lanes {
            lane.finish();
        }
        for lane in &lanes {
            lane.drained().await;
        }
    }

    pub(super) fn close(&self) {
        let lanes = {
            let mut members = self.lock();
            members.closed = true;
            lanes(&members)
        };
        for lane in lanes {
            lane.close();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Members> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The streams that still have a handle. The unsent messages of all other streams cannot be read any more.
fn lanes(members: &Members) -> Vec<Arc<dyn Member>> {
    members.lanes.iter().filter_map(Weak::upgrade).collect()
}
