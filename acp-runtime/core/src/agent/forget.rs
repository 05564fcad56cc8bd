//! Sessions of a host that no client has any more leave memory after a time. A load or a resume brings them back.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::time::{Instant, sleep};

use crate::{
    TARGET,
    agent::{
        kinds::{EndingCall, Kind},
        model::{CallContext, Connection, Handlers, SessionOf},
    },
    session::Ended,
};

/// How often is looked whether a client has come back, so that nothing of a connection stays for long that is over.
const LOOK: Duration = Duration::from_secs(5);

impl<A: Handlers> Connection<A> {
    /// The connection is over. Its sessions that no client opens within this time end.
    pub(super) fn forget_behind(self: &Arc<Self>, time: Duration) {
        let left: Vec<_> = self.host.sessions.active();
        let left: Vec<_> = left.iter().filter(|session| self.is_last_of(session)).map(Arc::downgrade).collect();
        if !left.is_empty() {
            tokio::spawn(forget(self.clone(), left, time));
        }
    }

    /// Whether this was the last client of the session, and no other has come since.
    fn is_last_of(&self, session: &SessionOf<A>) -> bool {
        let output = session.handle.output();
        Arc::ptr_eq(&output.line(), &self.line) && output.followers().is_none_or(|followers| followers.count() == 0)
    }
}

async fn forget<A: Handlers>(connection: Arc<Connection<A>>, mut left: Vec<Weak<SessionOf<A>>>, time: Duration) {
    let end = Instant::now() + time;
    while !left.is_empty() {
        left.retain(|session| session.upgrade().is_some_and(|session| connection.is_last_of(&session)));
        let now = Instant::now();
        if now >= end {
            break;
        }
        sleep((end - now).min(LOOK)).await;
    }
    for session in left.iter().filter_map(Weak::upgrade) {
        leave(&connection, &session).await;
    }
}

/// Ends a session as a client does that hangs up: what is left is kept.
async fn leave<A: Handlers>(connection: &Arc<Connection<A>>, session: &Arc<SessionOf<A>>) {
    let (id, mut context) = (session.handle.id(), CallContext::new(connection.clone()));
    let mut ending = EndingCall::announce(connection, id, Ended::Disconnected);
    if ending.ready(&mut context, false).await.is_err() {
        return;
    }
    // A client may have come while this has waited.
    if !connection.is_last_of(session) || ending.conclude(&context).await.is_err() {
        return ending.undo(&context);
    }
    tracing::debug!(target: TARGET, session = %id, "no client has come back: the session leaves memory");
    ending.leave(context).tell(connection);
}
