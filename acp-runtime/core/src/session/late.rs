//! The parts of sessions that are made when a session first needs them: lasting permissions, and listeners.
//!
//! They stand in a table of the connection, by the address of the session's output. So a session without them has no byte of them,
//! and an agent that needs none has no code of them.

use std::{
    any::Any,
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use super::{recorder::Hears, remembered::Remembered, update::SessionOutput};
use crate::{
    client::line::Late,
    values::{MessageId, SessionUpdate},
};

/// The late parts of one session.
#[derive(Default)]
pub(super) struct LateParts {
    /// The lasting permissions of a session that no store keeps.
    pub(super) remembered: Option<Arc<Remembered>>,
    pub(super) listeners: Vec<Weak<dyn Hears>>,
}

/// The late parts of all sessions of a connection.
#[derive(Default)]
struct Table(Mutex<HashMap<usize, LateParts>>);

impl Table {
    fn lock(&self) -> MutexGuard<'_, HashMap<usize, LateParts>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(late: &dyn Late) -> &Self {
        let late: &dyn Any = late;
        late.downcast_ref().expect("the connection has no other table of this kind")
    }
}

impl Late for Table {
    fn said(&self, output: usize, update: &SessionUpdate, message_id: &dyn Fn() -> Option<MessageId>) {
        let mut table = self.lock();
        let Entry::Occupied(mut session) = table.entry(output) else { return };
        let parts = session.get_mut();
        if parts.listeners.is_empty() {
            return;
        }
        let message_id = message_id();
        parts.listeners.retain(|listener| {
            let Some(listener) = listener.upgrade() else { return false };
            listener.said(update, message_id.clone());
            true
        });
        if parts.listeners.is_empty() && parts.remembered.is_none() {
            session.remove();
        }
    }

    fn leave(&self, output: usize) {
        self.lock().remove(&output);
    }
}

impl SessionOutput {
    /// Works with the late parts. Their place is made here, if there is none. `None` if the output has ended.
    pub(super) fn late<T>(&self, work: impl FnOnce(&mut LateParts) -> T) -> Option<T> {
        let mut table = Table::of(self.line().late_or(|| Box::<Table>::default())).lock();
        // The end of the output comes before its entry is removed. So no entry is made for an output that has ended.
        (!self.is_over()).then(|| work(table.entry(self.address_of()).or_default()))
    }

    /// Works with the late parts, if the session has any.
    pub(super) fn late_so_far<T>(&self, work: impl FnOnce(&LateParts) -> T) -> Option<T> {
        Table::of(self.line().late()?).lock().get(&self.address_of()).map(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        client::line::Line,
        rpc::{Limits, Outbox, Peer},
        values::{ContentChunk, SessionId},
    };

    struct Deaf;

    impl Hears for Deaf {
        fn said(&self, _: &SessionUpdate, _: Option<MessageId>) {}
    }

    #[tokio::test]
    async fn the_table_has_the_sessions_that_need_it_until_they_end() {
        let limits = Limits::new();
        let line = Line::new(Peer::new(Outbox::new(&limits, tokio::io::sink()), &limits));
        let session = |id: &str| Box::new(SessionOutput::new(SessionId::from(id), line.clone(), None));
        let (with, without, heard) = (session("a"), session("b"), session("c"));
        let rows = || line.late().map(|late| Table::of(late).lock().len());
        assert!(without.late_so_far(|_| ()).is_none());
        assert_eq!(rows(), None, "no table before a session needs it");
        with.late(|parts| parts.remembered = Some(Arc::default())).unwrap();
        let listener: Arc<dyn Hears> = Arc::new(Deaf);
        heard.late(|parts| parts.listeners.push(Arc::downgrade(&listener))).unwrap();
        assert_eq!(rows(), Some(2));
        with.end();
        assert!(with.late(|_| ()).is_none());
        assert_eq!(rows(), Some(1));
        drop(listener);
        let word = SessionUpdate::AgentMessageChunk(ContentChunk::new("word".into()));
        heard.send_now(&word);
        assert_eq!(rows(), Some(0), "nobody listens any more");
    }
}
