//! The functions `session_opened` that run, by their sessions and by their connection.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::rpc::CancellationToken;

/// A function that runs.
#[derive(Clone, Default)]
struct Running {
    /// Drops the function's future at its next `.await`.
    stop: CancellationToken,
    /// Set when the future is dropped.
    stopped: CancellationToken,
}

/// The functions of one session: the last one, and those that are not dropped yet.
#[derive(Default)]
pub struct OfSession(Mutex<Vec<Running>>);

impl OfSession {
    fn lock(&self) -> MutexGuard<'_, Vec<Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many functions run.
    pub(super) fn running(&self) -> usize {
        self.lock().len()
    }

    /// Stops the functions: the session is over.
    pub(super) fn stop(&self) {
        let all = self.lock().clone();
        all.iter().for_each(|running| running.stop.cancel());
    }

    /// Waits until the functions are dropped.
    pub(super) async fn stopped(&self) {
        let all = self.lock().clone();
        for running in all {
            running.stopped.cancelled().await;
        }
    }
}

/// The functions of one connection.
#[derive(Default)]
pub(super) struct OfConnection(Mutex<Table>);

#[derive(Default)]
struct Table {
    /// The client is gone: no function begins any more.
    gone: bool,
    next: u64,
    running: HashMap<u64, Running>,
}

impl OfConnection {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a function, and stops the earlier ones of the session. `None` if the client is gone.
    pub(super) fn begin(self: &Arc<Self>, session: &Arc<OfSession>) -> Option<Begun> {
        let running = Running::default();
        let mut table = self.lock();
        if table.gone {
            return None;
        }
        let key = table.next;
        table.next += 1;
        table.running.insert(key, running.clone());
        drop(table);
        let mut functions = session.lock();
        let earlier = functions.clone();
        functions.push(running.clone());
        drop(functions);
        earlier.iter().for_each(|running| running.stop.cancel());
        Some(Begun { session: session.clone(), connection: self.clone(), key, running })
    }

    /// Stops all functions, and begins no other.
    pub(super) fn abandon(&self) {
        let mut table = self.lock();
        table.gone = true;
        let all: Vec<_> = table.running.values().cloned().collect();
        drop(table);
        all.iter().for_each(|running| running.stop.cancel());
    }

    /// Waits until all functions are dropped.
    pub(super) async fn stopped(&self) {
        let all: Vec<_> = self.lock().running.values().cloned().collect();
        for running in all {
            running.stopped.cancelled().await;
        }
    }
}

/// A function that has begun. It has ended when this value is dropped.
pub struct Begun {
    session: Arc<OfSession>,
    connection: Arc<OfConnection>,
    key: u64,
    running: Running,
}

impl Begun {
    /// Drops the function's future at its next `.await`.
    pub(super) fn stop(&self) -> &CancellationToken {
        &self.running.stop
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.connection.lock().running.remove(&self.key);
        let mut functions = self.session.lock();
        let all = mem::take(&mut *functions);
        *functions = all.into_iter().filter(|other| !other.stopped.is(&self.running.stopped)).collect();
        drop(functions);
        self.running.stopped.cancel();
    }
}
