//! Sessions of a host that no client has any more leave memory after a time, or when the process ends. A load or a resume brings them
//! back, here or in another process.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::{
    sync::watch,
    time::{Instant, timeout},
};

use crate::{
    TARGET,
    agent::{
        kinds::{EndingCall, Kind},
        model::{CallContext, Connection, Handlers, SessionOf},
    },
    rpc::CancellationToken,
    session::Ended,
};

/// How often is looked whether a client has come back, so that nothing of a connection stays for long that is over.
const LOOK: Duration = Duration::from_secs(5);

/// The sessions of a host that no client has any more.
#[derive(Default)]
pub(crate) struct Unfollowed {
    /// They end at once.
    at_once: CancellationToken,
    /// How many connections that are over have some.
    waiting: watch::Sender<usize>,
}

impl Unfollowed {
    /// Ends them, and those that come to it later.
    pub(crate) async fn end(&self) {
        self.at_once.cancel();
        let _ = self.waiting.subscribe().wait_for(|waiting| *waiting == 0).await;
    }
}

/// A connection that is over and has such sessions, until its drop.
struct Waiting(Arc<Unfollowed>);

impl Waiting {
    fn new(unfollowed: Arc<Unfollowed>) -> Self {
        unfollowed.waiting.send_modify(|waiting| *waiting += 1);
        Self(unfollowed)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.send_modify(|waiting| *waiting -= 1);
    }
}

impl<A: Handlers> Connection<A> {
    /// The connection is over. Its sessions that no client opens within this time end.
    pub(super) fn forget_behind(self: &Arc<Self>, time: Duration, unfollowed: Arc<Unfollowed>) {
        let left: Vec<_> = self.host.sessions.active();
        let left: Vec<_> = left.iter().filter(|session| self.is_last_of(session)).map(Arc::downgrade).collect();
        if !left.is_empty() {
            tokio::spawn(forget(self.clone(), left, time, Waiting::new(unfollowed)));
        }
    }

    /// Whether this was the last client of the session, and no other has come since.
    fn is_last_of(&self, session: &SessionOf<A>) -> bool {
        let output = session.handle.output();
        Arc::ptr_eq(&output.line(), &self.line) && output.followers().is_none_or(|followers| followers.count() == 0)
    }
}

async fn forget<A: Handlers>(
    connection: Arc<Connection<A>>,
    mut left: Vec<Weak<SessionOf<A>>>,
    time: Duration,
    waiting: Waiting,
) {
    let at_once = &waiting.0.at_once;
    let end = Instant::now() + time;
    while !left.is_empty() {
        left.retain(|session| session.upgrade().is_some_and(|session| connection.is_last_of(&session)));
        let now = Instant::now();
        if now >= end || at_once.is_cancelled() {
            break;
        }
        let _ = timeout((end - now).min(LOOK), at_once.cancelled()).await;
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
