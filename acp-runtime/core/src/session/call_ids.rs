//! The ids of tool calls: each stands for one call of its session, because clients find a call by its id.
//!
//! All agents have this code, because all can send a tool call as an update of their own. So it is small.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::values::ToolCallId;

/// The number of ids that are known of a session. A session of any length needs at most 8 KiB for them.
const MOST: usize = 1024;

/// The last ids of one session, as hashes of 64 bits.
#[derive(Default)]
pub(super) struct CallIds(Vec<u64>);

impl CallIds {
    /// Whether the id is known.
    pub(super) fn has(&self, id: u64) -> bool {
        self.0.contains(&id)
    }

    /// Adds an id. Returns false if it is known already.
    pub(super) fn add(&mut self, id: u64) -> bool {
        let is_new = !self.has(id);
        if is_new {
            if self.0.len() == MOST {
                self.0.remove(0);
            }
            self.0.push(id);
        }
        is_new
    }

    /// Adds the ids of another output.
    pub(super) fn add_all(&mut self, from: &Self) {
        for id in &from.0 {
            self.add(*id);
        }
    }

    pub(super) fn remove(&mut self, id: u64) {
        self.0.retain(|known| *known != id);
    }
}

/// The form in which an id is kept.
pub(super) fn hash(id: &ToolCallId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_session_of_any_length_the_last_ids_are_known_in_8_kib() {
        let mut all = CallIds::default();
        let id = |number: usize| hash(&ToolCallId::from(format!("call_{number}")));
        for number in 0..10 * MOST {
            assert!(all.add(id(number)), "{number}");
            assert!(!all.add(id(number)), "{number}, again");
        }
        assert!(!all.add(id(9 * MOST)), "the oldest that is known");
        assert!(all.add(id(9 * MOST - 1)), "the youngest that is not");
        assert!(all.0.capacity() * size_of::<u64>() <= 8 * 1024);
    }

    #[test]
    fn the_ids_of_a_replay_are_those_of_the_session() {
        let (mut session, mut replay) = (CallIds::default(), CallIds::default());
        assert!(session.add(5) && replay.add(7));
        session.add_all(&replay);
        assert!(session.has(5) && session.has(7));
        session.add_all(&replay);
        assert_eq!(session.0.len(), 2);
    }
}
