//! Whether somebody reads a connection, and how long nobody has.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

use crate::counters::Counters;

#[derive(Clone)]
pub(crate) struct Presence(Arc<Inner>);

struct Inner {
    state: Mutex<State>,
    changed: Notify,
    counters: Arc<Counters>,
}

struct State {
    readers: usize,
    last_seen: Instant,
}

/// A reader, until its drop.
pub(crate) struct Present(Presence);

impl Presence {
    pub(crate) fn new(counters: Arc<Counters>) -> Self {
        let state = Mutex::new(State { readers: 0, last_seen: Instant::now() });
        Self(Arc::new(Inner { state, changed: Notify::new(), counters }))
    }

    pub(crate) fn enter(&self) -> Present {
        self.state().readers += 1;
        self.0.counters.readers.add(1);
        Present(self.clone())
    }

    /// The client has sent something.
    pub(crate) fn seen(&self) {
        self.state().last_seen = Instant::now();
    }

    /// Waits until nobody has read, and nothing has come, for so long.
    pub(crate) async fn abandoned(&self, timeout: Duration) {
        loop {
            let changed = self.0.changed.notified();
            let (readers, last_seen) = {
                let state = self.state();
                (state.readers, state.last_seen)
            };
            if readers > 0 {
                changed.await;
                continue;
            }
            let until = last_seen + timeout;
            if until <= Instant::now() {
                return;
            }
            tokio::time::sleep_until(until).await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        let Self(presence) = self;
        {
            let mut state = presence.state();
            state.readers -= 1;
            state.last_seen = Instant::now();
        }
        presence.0.counters.readers.take_one();
        presence.0.changed.notify_one();
    }
}
