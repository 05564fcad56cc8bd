//! The parts of a session with tool calls: the ids of its calls, and the user's lasting decisions.
//!
//! They stand in a table of the connection, by the address of the session's output. So a session without tool calls has no
//! byte of them, and an agent without tool calls has no code of them.

use std::{
    any::Any,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    call_ids::{CallClaim, CallIds},
    remembered::Remembered,
    update::SessionOutput,
};
use crate::{
    client::line::Late,
    values::ToolCallId,
    wire::{Error, Result},
};

/// The parts of one session.
#[derive(Default)]
pub(super) struct Tools {
    ids: Mutex<CallIds>,
    remembered: Remembered,
}

impl Tools {
    pub(super) fn ids(&self) -> MutexGuard<'_, CallIds> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn remembered(&self) -> &Remembered {
        &self.remembered
    }
}

/// The parts of all sessions of a connection.
#[derive(Default)]
struct Table(Mutex<HashMap<usize, Arc<Tools>>>);

impl Table {
    fn lock(&self) -> MutexGuard<'_, HashMap<usize, Arc<Tools>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(late: &dyn Late) -> &Self {
        let late: &dyn Any = late;
        late.downcast_ref().expect("the connection has no other table of this kind")
    }
}

impl Late for Table {
    fn leave(&self, output: usize) {
        self.lock().remove(&output);
    }
}

impl SessionOutput {
    /// The parts for tool calls. Made here, if there are none.
    // Without this attribute, each agent's crate would compile the inlined function again.
    #[inline(never)]
    pub(super) fn tools(&self) -> Arc<Tools> {
        let mut table = Table::of(self.line().late_or(|| Box::<Table>::default())).lock();
        // The end of the output comes before its entry is removed. So no entry is made for an output that has ended.
        if self.is_over() {
            return Arc::default();
        }
        table.entry(self.address_of()).or_default().clone()
    }

    /// The parts for tool calls, if the session has had one.
    pub(super) fn tools_so_far(&self) -> Option<Arc<Tools>> {
        Table::of(self.line().late()?).lock().get(&self.address_of()).cloned()
    }

    /// Claims the id of a new tool call. The drop of the claim gives the id back, unless the claim is
    /// [kept](CallClaim::keep).
    ///
    /// # Errors
    ///
    /// The session has had a tool call with this id.
    #[inline(never)]
    pub(super) fn claim_call(&self, id: &ToolCallId) -> Result<CallClaim> {
        CallClaim::of(self.tools(), id).ok_or_else(|| {
            Error::internal_error(format!(
                "the session has had a tool call with the id `{id}`, so the client would take both for one; give each \
                 call an id of its own, or none: then the runtime makes one"
            ))
        })
    }

    /// Takes over the ids of the tool calls that were replayed. Call this before the replay's output ends.
    pub(super) fn continue_from(&self, replayed: &Self) {
        if let Some(replayed) = replayed.tools_so_far() {
            self.tools().ids().add(&replayed.ids());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        client::line::Line,
        rpc::{Limits, Outbox, Peer},
        values::SessionId,
    };

    #[tokio::test]
    async fn the_table_has_the_sessions_with_tool_calls_until_they_end() {
        let limits = Limits::new();
        let line = Line::new(Peer::new(Outbox::new(&limits, tokio::io::sink()), &limits));
        let session = |id: &str| Box::new(SessionOutput::new(SessionId::from(id), line.clone(), None));
        let (with, without, id) = (session("a"), session("b"), ToolCallId::from("call_0"));
        let rows = || line.late().map(|late| Table::of(late).lock().len());
        assert!(without.tools_so_far().is_none());
        assert_eq!(rows(), None, "no table without tool calls");
        with.claim_call(&id).expect("it is new").keep();
        assert!(with.claim_call(&id).is_err());
        assert_eq!(rows(), Some(1));
        with.end();
        assert!(with.claim_call(&id).is_ok(), "nobody hears of it");
        assert_eq!(rows(), Some(0));
    }
}
