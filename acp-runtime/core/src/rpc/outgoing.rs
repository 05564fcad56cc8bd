//! The agent's own requests that the client has not answered yet.

use crate::TARGET;
use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::value::RawValue;
use tokio::sync::oneshot;

use crate::wire::{Error, Result};

/// An answer: the raw result, or the client's error.
pub(crate) type Answer = Result<Box<RawValue>>;

#[derive(Default)]
pub(crate) struct Outgoing {
    next: AtomicU64,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    closed: bool,
    requests: HashMap<u64, oneshot::Sender<Answer>>,
}

impl Outgoing {
    /// A new id, and where its answer arrives. The receiver fails at once when the connection is over.
    pub(crate) fn open(&self) -> (u64, oneshot::Receiver<Answer>) {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        let mut waiting = self.lock();
        if !waiting.closed {
            waiting.requests.insert(id, sender);
        }
        (id, receiver)
    }

    /// Hands an answer to who waits for it. Answers nobody waits for are late, doubled or made up: ignored.
    pub(crate) fn answer(&self, id: &RawValue, answer: std::result::Result<&RawValue, Error>) {
        let waiting = id.get().parse().ok().and_then(|id: u64| self.lock().requests.remove(&id));
        match waiting {
            Some(sender) => {
                // The receiver may have stopped waiting in this very moment.
                let _ = sender.send(answer.map(ToOwned::to_owned));
            }
            None => tracing::debug!(target: TARGET, "ignored an answer to no open request"),
        }
    }

    /// Stops waiting for one answer; true when it was still open.
    pub(crate) fn forget(&self, id: u64) -> bool {
        self.lock().requests.remove(&id).is_some()
    }

    /// The client is gone: whoever waits, waits no longer.
    pub(crate) fn close(&self) {
        let mut waiting = self.lock();
        waiting.closed = true;
        waiting.requests.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    #[test]
    fn an_answer_reaches_who_asked_and_only_once() {
        let pending = Outgoing::default();
        let (first, mut one) = pending.open();
        let (second, mut two) = pending.open();
        assert_ne!(first, second);
        pending.answer(&raw(&second.to_string()), Ok(&raw("true")));
        assert!(one.try_recv().is_err());
        assert_eq!(two.try_recv().unwrap().unwrap().get(), "true");
        pending.answer(&raw(&second.to_string()), Ok(&raw("false")));
        assert!(pending.forget(first));
        assert!(!pending.forget(first));
    }

    #[test]
    fn an_id_of_another_type_is_another_id() {
        let pending = Outgoing::default();
        let (id, mut answer) = pending.open();
        pending.answer(&raw(&format!("\"{id}\"")), Ok(&raw("1")));
        pending.answer(&raw("null"), Ok(&raw("1")));
        assert!(matches!(answer.try_recv(), Err(oneshot::error::TryRecvError::Empty)));
    }

    #[test]
    fn nobody_waits_for_a_client_that_is_gone() {
        let pending = Outgoing::default();
        let (_, mut before) = pending.open();
        pending.close();
        let (_, mut after) = pending.open();
        assert!(matches!(before.try_recv(), Err(oneshot::error::TryRecvError::Closed)));
        assert!(matches!(after.try_recv(), Err(oneshot::error::TryRecvError::Closed)));
    }
}
