//! A session moves to another process. The process whose client asks for it leaves a wish, and waits. The process that has the session
//! finds the wish, and gives the session up as soon as it is idle.

use std::{
    pin::Pin,
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::time::{Instant, sleep, timeout};

use super::{book_of, end::commit_rest, undo::Undo};
use crate::{
    TARGET,
    agent::model::{Connection, EndState, EndingKept, Handlers, Hosted, Part, SessionOf},
    session::{
        Ended, Ending,
        book::{Book, Holding, State, within},
    },
    store::{Claim, Lease, SessionStore, StoreError},
    values::SessionId,
};

/// How often a claim is tried again while another process has the session.
const AGAIN: Duration = Duration::from_millis(500);
/// How long a wish lasts: not much longer than until it is left again, because the call that waits may be withdrawn.
const WISH: Duration = Duration::from_secs(2);

/// Claims a session. If another process has it, asks this process to give the session up, and waits for so long.
///
/// # Errors
///
/// [`StoreError::Held`]: the other process still has it. Or the store fails.
pub(super) async fn claimed(
    store: &Arc<dyn SessionStore>,
    id: &SessionId,
    claim: &Claim,
    patience: Duration,
) -> Result<Lease, StoreError> {
    let (begin, mut wished) = (Instant::now(), None::<Undo>);
    loop {
        match within(store.claim(id, claim)).await {
            Err(StoreError::Held { .. }) if begin.elapsed() < patience => {}
            Ok(lease) => {
                // The claim has ended the wish.
                if let Some(wished) = wished {
                    wished.keep();
                }
                return Ok(lease);
            }
            Err(error) => return Err(error),
        }
        // If this call is given up, the holder is not to give the session up for nobody. Others that wait leave theirs again.
        wished.get_or_insert_with(|| {
            let (store, id) = (store.clone(), id.clone());
            Undo::by(async move {
                if let Err(error) = within(store.wish(&id, Duration::ZERO)).await {
                    tracing::debug!(target: TARGET, %error, "a wish for a session is not taken back, and ends by its time");
                }
            })
        });
        if let Err(error) = within(store.wish(id, WISH)).await {
            // The session may move without it: when the holder ends it, or when the lease is over.
            tracing::debug!(target: TARGET, %error, "a wish for a session is not kept");
        }
        sleep(AGAIN).await;
    }
}

/// The session may move to another process from here on. While it is here, it is that of this connection.
pub(super) fn may_move<A: Handlers>(connection: &Arc<Connection<A>>, session: &Arc<SessionOf<A>>) {
    if let Some(book) = book_of(&session.handle) {
        let (host, connection) = (Arc::downgrade(&connection.host), Arc::downgrade(connection));
        book.is_held_by(Arc::new(Holder { host, connection, session: Arc::downgrade(session) }));
    }
}

/// A session that this process has.
struct Holder<A: Handlers> {
    host: Weak<Hosted<A>>,
    /// The connection that has opened it last.
    connection: Weak<Connection<A>>,
    session: Weak<SessionOf<A>>,
}

impl<A: Handlers> Holding for Holder<A> {
    fn is_busy(&self) -> bool {
        self.session.upgrade().is_some_and(|session| is_busy(&session))
    }

    fn give_up(&self) -> Pin<Box<dyn Future<Output = bool> + Send>> {
        let (host, session) = (self.host.upgrade(), self.session.upgrade());
        let connection = self.connection.upgrade();
        Box::pin(async move {
            let Some((host, session)) = host.zip(session) else { return false };
            match book_of(&session.handle) {
                Some(book) => give_up(&host, connection, session, &book).await,
                None => false,
            }
        })
    }
}

/// Whether a turn, a prompt that waits, another call or work beside them has the session. The caller has it, too.
fn is_busy<A: Handlers>(session: &Arc<SessionOf<A>>) -> bool {
    /// The table of the host, and the caller. Each call of the session has it for as long as it runs, and so has a `session_opened`.
    const AT_REST: usize = 2;

    let output = session.handle.output();
    #[cfg(feature = "v2")]
    if output.has_background() {
        return true;
    }
    let accompanied = A::Parts::accompanies(session.parts());
    Arc::strong_count(session) > AT_REST + accompanied || output.ended_beside().is_some()
}

/// Ends the session here, unless it does something. Returns whether it has ended.
async fn give_up<A: Handlers>(
    host: &Hosted<A>,
    connection: Option<Arc<Connection<A>>>,
    session: Arc<SessionOf<A>>,
    book: &Arc<Book>,
) -> bool {
    let id = session.handle.id();
    // From here on, no turn can begin. Nothing is cancelled by it, unlike by a client's close.
    let transition = host.sessions.announce(id, true);
    // A call that opens or ends the session comes first, and uses it.
    let Ok(turn) = timeout(Duration::ZERO, transition.turn()).await else { return false };
    let is_active = host.sessions.get(id.as_ref()).is_ok_and(|active| Arc::ptr_eq(&active, &session));
    if !is_active || is_busy(&session) {
        return false;
    }
    // The state is still in its place.
    if let Err(error) = book.commit_what_can_be_kept(State::OfSession).await {
        tracing::warn!(target: TARGET, %error, "a session is not handed over, because its rest is not committed");
        return false;
    }
    if is_busy(&session) {
        return false;
    }
    let ending = Ending::begin(session.clone()).await;
    let is_first = host.end(&session);
    // What a task of the author has said meanwhile: it says no more from here on.
    if let Err(error) = commit_rest(book).await {
        tracing::warn!(target: TARGET, %error, "the rest of a session is not committed");
    }
    book.release().await;
    tracing::debug!(target: TARGET, session = %id, "handed the session over to another process");
    if let (true, Some(connection)) = (is_first, connection) {
        let kept = EndingKept {
            turn: Some(turn),
            transition: Some(transition),
            ending: Some(ending),
            id: id.clone(),
            session: Some(session.clone()),
            end: Ended::HandedOver,
            state: EndState::Ended,
        };
        kept.tell(&connection);
    }
    true
}
