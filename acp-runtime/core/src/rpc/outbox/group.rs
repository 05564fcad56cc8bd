//! All streams of one connection: they have the same bounds, and end with the connection.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::{Limits, stream::Lane};

/// The shared state of one connection's streams.
pub(super) struct Group {
    pub(super) soft: usize,
    pub(super) hard: usize,
    members: Mutex<Members>,
}

#[derive(Default)]
struct Members {
    closed: bool,
    lanes: Vec<Weak<Lane>>,
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

    /// A stream that joins the connection late has ended with it.
    pub(super) fn join(&self, lane: &Arc<Lane>) {
        let mut members = self.lock();
        if members.closed {
            drop(members);
            return lane.close();
        }
        if members.lanes.len() == members.lanes.capacity() {
            members.lanes.retain(|lane| lane.strong_count() > 0);
        }
        members.lanes.push(Arc::downgrade(lane));
    }

    /// Waits until the messages of all streams are read. Each stream ends with its last message.
    pub(super) async fn finish(&self) {
        let lanes = lanes(&self.lock());
        // All streams first: the end of a stream that is read must not wait for one that is not read.
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

/// The streams that somebody still holds: nobody reads the unsent messages of the others.
fn lanes(members: &Members) -> Vec<Arc<Lane>> {
    members.lanes.iter().filter_map(Weak::upgrade).collect()
}
