//! The open requests to one side, with the ids of the other side, which sent the requests.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use acp_peer::rpc::id_key;
use serde_json::value::RawValue;
use tokio::sync::Notify;

/// Requests by the number that the proxy gave them.
#[derive(Default)]
pub(super) struct Open {
    table: Mutex<Table>,
    emptied: Notify,
}

#[derive(Default)]
struct Table {
    next: u64,
    asked: HashMap<u64, Asked>,
    /// Numbers by the id with which the sender withdraws a request. If an id is used twice, the later request counts.
    numbers: HashMap<Box<str>, u64>,
}

/// A request that was passed on.
pub(super) struct Asked {
    /// The id as the sender wrote it.
    pub(super) id: Box<RawValue>,
    /// The request for the hook that reads its answer, if there is one.
    pub(super) watched: Option<Watched>,
}

/// A request whose answer a hook reads.
pub(super) struct Watched {
    pub(super) method: Box<str>,
    /// The number by which hooks know it.
    pub(super) number: u64,
}

impl Open {
    /// Adds a request and returns its number; `None` if `most` requests are open.
    pub(super) fn enter(&self, id: &RawValue, watched: Option<Watched>, most: usize) -> Option<u64> {
        let mut table = self.lock();
        if table.asked.len() >= most {
            return None;
        }
        let number = table.next;
        table.next += 1;
        table.asked.insert(number, Asked { id: id.to_owned(), watched });
        table.numbers.insert(id_key(id).into(), number);
        Some(number)
    }

    /// Removes and returns the request of an answer. The id may be a text, because some agents write the number as one.
    pub(super) fn take(&self, id: &RawValue) -> Option<Asked> {
        let number = id.get().trim_matches('"').parse().ok()?;
        let mut table = self.lock();
        let asked = table.asked.remove(&number)?;
        let key = id_key(&asked.id);
        if table.numbers.get(&*key) == Some(&number) {
            table.numbers.remove(&*key);
        }
        if table.asked.is_empty() {
            self.emptied.notify_waiters();
        }
        drop(table);
        Some(asked)
    }

    /// Whether a request with this number is not answered yet.
    pub(super) fn is_open(&self, id: &RawValue) -> bool {
        id.get().trim_matches('"').parse().is_ok_and(|number: u64| self.lock().asked.contains_key(&number))
    }

    /// The number of an open request.
    pub(super) fn number(&self, id: &RawValue) -> Option<u64> {
        self.lock().numbers.get(&*id_key(id)).copied()
    }

    /// Waits until all requests are answered.
    pub(super) async fn is_empty(&self) {
        loop {
            // Registered before the check: so an event between the check and the wait is not lost.
            let emptied = self.emptied.notified();
            if self.lock().asked.is_empty() {
                return;
            }
            emptied.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
