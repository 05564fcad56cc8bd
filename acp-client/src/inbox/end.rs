//! The answer that ends a turn or load.

use std::sync::Arc;

use acp_peer::rpc::Then;

use super::{entry::Entry, item::Outcome};

impl Entry {
    /// Ends the turn or load `number` with the answer to its request.
    pub(crate) fn end_with_answer(self: &Arc<Self>, number: u64) -> Then {
        let mut end = EndOnDrop { entry: Some(self.clone()), number };
        Box::new(move |answer| {
            end.end(match answer {
                Ok(result) => Outcome::Answered(result.to_owned()),
                Err(error) => Outcome::Refused(error),
            });
        })
    }
}

/// Ends a turn or load, also if it is dropped without an answer.
struct EndOnDrop {
    entry: Option<Arc<Entry>>,
    number: u64,
}

impl EndOnDrop {
    fn end(&mut self, outcome: Outcome) {
        if let Some(entry) = self.entry.take() {
            entry.end(self.number, outcome);
        }
    }
}

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.end(Outcome::Lost);
    }
}
