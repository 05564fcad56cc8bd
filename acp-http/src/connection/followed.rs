//! The sessions that the client of a connection follows: those that it was told are open, and those whose stream it reads.
//!
//! Only these have their answers over their own streams. A client that asks about another session, such as one that has ended, may read no
//! stream of it; but it reads the one of the connection.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Its lock is taken while a message leaves: no other lock is taken under it.
#[derive(Default)]
pub(crate) struct Followed(Mutex<HashMap<Box<str>, Session>>);

#[derive(Default)]
struct Session {
    /// The client was told that it is open.
    is_open: bool,
    /// How many read its stream. While one takes over from another, they are two.
    readers: usize,
    /// They have begun before the client was told that the session is over, and may be about to go.
    are_late: bool,
}

impl Followed {
    /// The client is told that the session is open.
    pub(crate) fn opens(&self, session: &str) {
        self.sessions().entry(session.into()).or_default().is_open = true;
    }

    /// The client is told that the session has ended.
    pub(crate) fn ends(&self, session: &str) {
        self.change(session, |session| {
            session.is_open = false;
            session.are_late = true;
        });
    }

    /// The client is told that the session cannot be opened. If it is open, it stays so.
    pub(crate) fn refuses(&self, session: &str) {
        self.change(session, |session| session.are_late |= !session.is_open);
    }

    /// The client begins to read its stream.
    pub(crate) fn is_read(&self, session: &str) {
        let mut sessions = self.sessions();
        let session = sessions.entry(session.into()).or_default();
        session.readers += 1;
        session.are_late = false;
    }

    /// A reader of its stream has gone.
    pub(crate) fn is_left(&self, session: &str) {
        self.change(session, |session| session.readers -= 1);
    }

    /// Whether the client hears what is said over the stream of the session, now or when it opens the stream.
    pub(crate) fn has(&self, session: &str) -> bool {
        self.sessions().get(session).is_some_and(|session| session.is_open || session.readers > 0 && !session.are_late)
    }

    fn change(&self, name: &str, change: impl FnOnce(&mut Session)) {
        let mut sessions = self.sessions();
        let Some(session) = sessions.get_mut(name) else { return };
        change(session);
        if !session.is_open && session.readers == 0 {
            sessions.remove(name);
        }
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<Box<str>, Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_followed_while_it_is_open_or_read() {
        let followed = Followed::default();
        assert!(!followed.has("s"));
        followed.opens("s");
        assert!(followed.has("s"));
        followed.refuses("s");
        assert!(followed.has("s"), "a load that fails ends nothing");
        followed.ends("s");
        assert!(!followed.has("s"));
        followed.is_read("s");
        assert!(followed.has("s"));
        followed.is_left("s");
        assert!(!followed.has("s") && followed.sessions().is_empty());
    }

    #[test]
    fn a_reader_from_before_the_end_follows_nothing() {
        let followed = Followed::default();
        followed.opens("s");
        followed.is_read("s");
        followed.ends("s");
        assert!(!followed.has("s"));
        // Another one takes over.
        followed.is_read("s");
        followed.is_left("s");
        assert!(followed.has("s"));
        followed.refuses("s");
        assert!(!followed.has("s"));
        followed.opens("s");
        followed.is_left("s");
        assert!(followed.has("s"));
    }
}
