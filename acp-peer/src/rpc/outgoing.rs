//! This side's requests that the other side has not answered yet.

use crate::TARGET;
use std::{
    collections::HashMap,
    mem,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::value::RawValue;
use tokio::sync::oneshot;

use crate::wire::{Error, Result};

/// An answer: the raw result, or the other side's error.
pub(super) type Answer = Result<Box<RawValue>>;

/// Takes the answer to a [request](crate::Peer::request_then), in the order of arrival. If no answer comes any more, it is dropped
/// without a call.
pub type Then = Box<dyn FnOnce(Result<&RawValue>) + Send>;

/// The receiver of an answer.
enum Reply {
    /// A future waits for the answer.
    Channel(oneshot::Sender<Answer>),
    /// A function takes the answer before any later message is read.
    Then(Then),
}

#[derive(Default)]
pub struct Outgoing {
    next: AtomicU64,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    closed: bool,
    requests: HashMap<u64, Reply>,
}

impl Outgoing {
    /// A new id, and the receiver of its answer. If the connection is over, the receiver fails at once.
    pub fn open(&self) -> (u64, oneshot::Receiver<Answer>) {
        let (sender, receiver) = oneshot::channel();
        (self.enter(Reply::Channel(sender)), receiver)
    }

    /// A new id. `then` takes its answer.
    pub(super) fn open_then(&self, then: Then) -> u64 {
        self.enter(Reply::Then(then))
    }

    fn enter(&self, reply: Reply) -> u64 {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut waiting = self.lock();
        if waiting.closed {
            // The drop of `reply` runs code of other modules, so the lock is released first.
            drop(waiting);
            drop(reply);
        } else {
            waiting.requests.insert(id, reply);
        }
        id
    }

    /// Passes an answer to the request that waits for it. If no request waits, the answer is late, repeated or
    /// invented: it is ignored, and the return is false.
    pub fn answer(&self, id: &RawValue, as_text: bool, answer: std::result::Result<&RawValue, Error>) -> bool {
        let digits = if as_text { id.get().trim_matches('"') } else { id.get() };
        let waiting = number(digits).and_then(|id| self.lock().requests.remove(&id));
        match waiting {
            Some(Reply::Then(then)) => then(answer),
            Some(Reply::Channel(sender)) => {
                // This send fails if the receiver stopped waiting at this moment.
                let _ = sender.send(answer.map(ToOwned::to_owned));
            }
            None => {
                tracing::debug!(target: TARGET, "ignored an answer to no open request");
                return false;
            }
        }
        true
    }

    /// Stops waiting for one answer. Returns true if the request was still open.
    pub fn forget(&self, id: u64) -> bool {
        self.lock().requests.remove(&id).is_some()
    }

    /// Lets every waiting request fail, because the other side is gone.
    pub fn close(&self) {
        let mut waiting = self.lock();
        waiting.closed = true;
        let requests = mem::take(&mut waiting.requests);
        // The drop of `requests` runs code of other modules, so the lock is released first.
        drop(waiting);
        drop(requests);
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of an id. Languages without integers write 3 as `3.0`.
fn number(digits: &str) -> Option<u64> {
    let whole = match digits.split_once('.') {
        Some((whole, zeros)) if zeros.bytes().all(|digit| digit == b'0') => whole,
        _ => digits,
    };
    whole.parse().ok()
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
        pending.answer(&raw(&second.to_string()), false, Ok(&raw("true")));
        assert!(one.try_recv().is_err());
        assert_eq!(two.try_recv().unwrap().unwrap().get(), "true");
        pending.answer(&raw(&second.to_string()), false, Ok(&raw("false")));
        assert!(pending.forget(first));
        assert!(!pending.forget(first));
    }

    #[test]
    fn an_id_of_another_type_is_another_id() {
        let pending = Outgoing::default();
        let (id, mut answer) = pending.open();
        pending.answer(&raw(&format!("\"{id}\"")), false, Ok(&raw("1")));
        pending.answer(&raw("null"), true, Ok(&raw("1")));
        assert!(matches!(answer.try_recv(), Err(oneshot::error::TryRecvError::Empty)));
        // Only a role with `TAKES_TEXT_IDS` accepts a text as the id.
        pending.answer(&raw(&format!("\"{id}\"")), true, Ok(&raw("1")));
        assert_eq!(answer.try_recv().unwrap().unwrap().get(), "1");
    }

    #[test]
    fn an_id_with_a_fraction_of_zero_is_the_same_number() {
        let pending = Outgoing::default();
        let (id, mut answer) = pending.open();
        for other in [format!("{id}.5"), format!("{id}.0e1"), format!("1{id}.0")] {
            pending.answer(&raw(&other), true, Ok(&raw("1")));
            assert!(matches!(answer.try_recv(), Err(oneshot::error::TryRecvError::Empty)), "{other}");
        }
        pending.answer(&raw(&format!("{id}.00")), false, Ok(&raw("1")));
        assert_eq!(answer.try_recv().unwrap().unwrap().get(), "1");
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
