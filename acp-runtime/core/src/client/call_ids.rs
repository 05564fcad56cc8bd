//! The ids of tool calls: each stands for one call of its session, because clients find a call by its id.
//!
//! They are a sorted list of the connection, and no part of a session: so a session without tool calls has no byte of them. All
//! agents have this code, because all can send a tool call as an update of their own. So it is small.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::values::ToolCallId;

/// The number of ids that are known of a session. A session of any length needs at most 8 KiB for them.
const MOST: usize = 1024;

/// The last ids of tool calls, by the address of the session's output.
#[derive(Default)]
pub(crate) struct CallIds(Mutex<Vec<OfSession>>);

/// The last ids of one session, as hashes of 64 bits.
struct OfSession {
    output: usize,
    ids: Vec<u64>,
}

impl CallIds {
    pub(crate) fn lock(&self) -> LockedCallIds<'_> {
        LockedCallIds(self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Forgets a session that is over.
    #[inline(never)]
    pub(crate) fn leave(&self, output: usize) {
        let mut all = self.lock();
        if let Ok(place) = all.place(output) {
            all.0.remove(place);
        }
    }
}

/// The ids, while nobody else changes them.
pub(crate) struct LockedCallIds<'l>(MutexGuard<'l, Vec<OfSession>>);

impl LockedCallIds<'_> {
    fn place(&self, output: usize) -> Result<usize, usize> {
        self.0.binary_search_by_key(&output, |session| session.output)
    }

    /// Whether the id is known.
    pub(crate) fn has(&self, output: usize, id: u64) -> bool {
        self.place(output).is_ok_and(|place| self.0[place].ids.contains(&id))
    }

    /// Adds an id. Returns false if it is known already.
    pub(crate) fn add(&mut self, output: usize, id: u64) -> bool {
        let place = self.place(output).unwrap_or_else(|place| {
            self.0.insert(place, OfSession { output, ids: Vec::new() });
            place
        });
        let ids = &mut self.0[place].ids;
        let is_new = !ids.contains(&id);
        if is_new {
            if ids.len() == MOST {
                ids.remove(0);
            }
            ids.push(id);
        }
        is_new
    }

    /// Adds the ids of another output.
    pub(crate) fn add_all(&mut self, output: usize, from: usize) {
        let Ok(from) = self.place(from) else { return };
        for id in self.0[from].ids.clone() {
            self.add(output, id);
        }
    }
}

/// The id of a call that is being reported. If the report is not sent, the drop of this value gives the id back.
pub(crate) struct CallClaim<'l> {
    all: &'l CallIds,
    output: usize,
    id: u64,
    is_kept: bool,
}

impl<'l> CallClaim<'l> {
    /// The claim of an id that was added.
    pub(crate) fn of(all: &'l CallIds, output: usize, id: u64) -> Self {
        Self { all, output, id, is_kept: false }
    }

    /// The call is reported.
    pub(crate) fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for CallClaim<'_> {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        let mut all = self.all.lock();
        if let Ok(place) = all.place(self.output) {
            all.0[place].ids.retain(|known| *known != self.id);
        }
    }
}

/// The form in which an id is kept.
pub(crate) fn hash(id: &ToolCallId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_session_of_any_length_the_last_ids_are_known_in_8_kib() {
        let all = CallIds::default();
        let mut all = all.lock();
        let id = |number: usize| hash(&ToolCallId::from(format!("call_{number}")));
        for number in 0..10 * MOST {
            assert!(all.add(1, id(number)), "{number}");
            assert!(!all.add(1, id(number)), "{number}, again");
        }
        assert!(!all.add(1, id(9 * MOST)), "the oldest that is known");
        assert!(all.add(1, id(9 * MOST - 1)), "the youngest that is not");
        assert!(all.0[0].ids.capacity() * size_of::<u64>() <= 8 * 1024);
    }

    #[test]
    fn each_session_has_its_own_ids_until_it_leaves() {
        let all = CallIds::default();
        for output in [5, 3, 8, 4] {
            assert!(all.lock().add(output, 7) && !all.lock().add(output, 7), "{output}");
        }
        all.lock().add_all(9, 5);
        assert!(!all.lock().add(9, 7));
        for output in [3, 5, 9, 8, 4, 4] {
            all.leave(output);
        }
        assert!(all.lock().0.is_empty());
    }

    #[test]
    fn a_call_that_is_not_reported_gives_its_id_back() {
        let all = CallIds::default();
        for is_new in [true, true] {
            assert_eq!(all.lock().add(1, 7), is_new);
            drop(CallClaim::of(&all, 1, 7));
        }
        assert!(all.lock().add(1, 7));
        CallClaim::of(&all, 1, 7).keep();
        assert!(!all.lock().add(1, 7));
    }
}
