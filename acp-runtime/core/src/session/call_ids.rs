//! The ids of a session's tool calls: each stands for one call, because clients find a call by its id.

use std::{
    collections::VecDeque,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use super::tools::Tools;
use crate::values::ToolCallId;

/// The number of ids that a session knows. A session of any length needs at most 8 KiB for them.
const MOST: usize = 1024;

/// The last ids of a session's tool calls, as hashes of 64 bits.
#[derive(Default)]
pub(super) struct CallIds(VecDeque<u64>);

impl CallIds {
    /// Returns false if the id is known already.
    fn claim(&mut self, id: u64) -> bool {
        let is_new = !self.0.contains(&id);
        if is_new {
            if self.0.len() == MOST {
                self.0.pop_front();
            }
            self.0.push_back(id);
        }
        is_new
    }

    fn forget(&mut self, id: u64) {
        self.0.retain(|known| *known != id);
    }

    /// Adds the ids of a call that is not checked, because it is part of the history.
    pub(super) fn note(&mut self, id: &ToolCallId) {
        self.claim(hash(id));
    }

    pub(super) fn add(&mut self, others: &Self) {
        for id in &others.0 {
            self.claim(*id);
        }
    }
}

/// The id of a call that is being reported. If the report is not sent, the drop of this value gives the id back.
pub(super) struct CallClaim {
    tools: Arc<Tools>,
    id: u64,
    is_kept: bool,
}

impl CallClaim {
    /// `None` if the session has had a tool call with this id.
    pub(super) fn of(tools: Arc<Tools>, id: &ToolCallId) -> Option<Self> {
        let id = hash(id);
        let is_new = tools.ids().claim(id);
        is_new.then(|| Self { tools, id, is_kept: false })
    }

    /// The call is reported.
    pub(super) fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for CallClaim {
    fn drop(&mut self) {
        if !self.is_kept {
            self.tools.ids().forget(self.id);
        }
    }
}

fn hash(id: &ToolCallId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_of_any_length_knows_its_last_ids_in_8_kib() {
        let mut ids = CallIds::default();
        let id = |number: usize| ToolCallId::from(format!("call_{number}"));
        for number in 0..10 * MOST {
            assert!(ids.claim(hash(&id(number))), "{number}");
            assert!(!ids.claim(hash(&id(number))), "{number}, again");
        }
        assert!(!ids.claim(hash(&id(9 * MOST))), "the oldest that is known");
        assert!(ids.claim(hash(&id(9 * MOST - 1))), "the youngest that is not");
        assert!(ids.0.capacity() * size_of::<u64>() <= 8 * 1024, "{}", ids.0.capacity());
    }

    #[test]
    fn a_call_that_is_not_reported_gives_its_id_back() {
        let (tools, id) = (Arc::<Tools>::default(), ToolCallId::from("call_0"));
        drop(CallClaim::of(tools.clone(), &id).expect("it is new"));
        CallClaim::of(tools.clone(), &id).expect("it was given back").keep();
        assert!(CallClaim::of(tools.clone(), &id).is_none());
    }
}
