//! Sessions of a store are loaded and resumed.

use std::{path::PathBuf, sync::Arc, time::Duration};

use serde_json::value::RawValue;

use super::{StoreDeclaration, book_of, hand_over, principal, told, undo::Undo};
use crate::{
    TARGET,
    agent::{
        call::absent,
        declaration::{Keeps, default_shared},
        kinds::{Kind, OpenedSessionOf, Reopening, ReopeningLent},
        model::{CallContext, Handlers, SessionOf},
        opened_session::OpenedSession,
    },
    config::ConfigOptions,
    session::{
        Interrupted, OpenedBy, Replay, SessionHandle,
        book::{OpeningBook, within},
    },
    store::{Change, Claim, Entry, Kept, Lease, Said, SessionStore, StoreError},
    values::{McpServer, SessionId, SessionUpdate},
    wire::Result,
};

/// The most entries of a replay that are in memory at once.
const PAGE: usize = 100;

/// The places where a session works, as the client asks for them when it opens the session again. A parameter of
/// [`restore_session`](crate::agent::handlers::restore_session).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Roots {
    /// The working directory.
    pub cwd: PathBuf,
    /// The other folders.
    pub additional_directories: Vec<PathBuf>,
    /// The MCP servers that the agent is to connect to.
    pub mcp_servers: Vec<McpServer>,
}

impl Roots {
    pub(super) fn new(cwd: PathBuf, additional_directories: Vec<PathBuf>, mcp_servers: Vec<McpServer>) -> Self {
        Self { cwd, additional_directories, mcp_servers }
    }
}

/// A call that opens a stored session again.
pub struct Restoring<A: Handlers> {
    call: Reopening<A>,
    roots: Roots,
    declared: StoreDeclaration<A>,
    store: Arc<dyn SessionStore>,
    claim: Claim,
    /// How long the call waits for another process that has the session.
    patience: Duration,
    /// The session, when it is read.
    found: Option<Kept>,
    /// The new right to write the session. `None` if the session is active, and still has its own.
    claimed: Option<Claimed>,
}

/// The declaration of the store, and the store.
type Declared<A> = (StoreDeclaration<A>, Arc<dyn SessionStore>);

struct Claimed {
    lease: Lease,
    release: Undo,
}

/// What the handler of such a call gets of it.
pub struct RestoringLent<'c, A: Handlers> {
    pub(super) call: ReopeningLent<'c, A>,
    pub(super) roots: &'c Roots,
    pub(super) declared: StoreDeclaration<A>,
    pub(super) store: &'c Arc<dyn SessionStore>,
    pub(super) how: OpenedBy,
    found: Option<&'c Kept>,
}

impl<'c, A: Handlers> RestoringLent<'c, A> {
    pub(super) fn found(&self) -> Result<&'c Kept> {
        self.found.ok_or_else(|| absent("the session of the store"))
    }
}

impl<A: Handlers> Kind<A> for Restoring<A> {
    type Lent<'c> = RestoringLent<'c, A>;
    type Kept = <Reopening<A> as Kind<A>>::Kept;

    fn session_id(&self) -> Option<&SessionId> {
        self.call.session_id()
    }

    fn lend(&mut self) -> RestoringLent<'_, A> {
        let Self { call, roots, declared, store, found, .. } = self;
        RestoringLent { how: call.how(), call: call.lend(), roots, declared: *declared, store, found: found.as_ref() }
    }

    fn lent_id<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionId> {
        Reopening::lent_id(&lent.call)
    }

    fn active<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionOf<A>> {
        Reopening::active(&lent.call)
    }

    fn leave(self, context: CallContext<A>) -> Self::Kept {
        self.call.leave(context)
    }
}

impl<A: Handlers> Restoring<A> {
    pub(super) fn new(
        call: Reopening<A>,
        roots: Roots,
        (declared, store): Declared<A>,
        (claim, patience): (Claim, Duration),
    ) -> Self {
        Self { call, roots, declared, store, claim, patience, found: None, claimed: None }
    }

    pub(super) fn how(&self) -> OpenedBy {
        self.call.how()
    }

    /// The session that was found, as its struct reads it.
    pub(super) fn as_kept(&self) -> Result<OpenedSessionOf<A>> {
        let found = self.found.as_ref().ok_or_else(|| absent("the session of the store"))?;
        Ok(OpenedSession::new(self.declared.restore(found)?).shared(default_shared::<A>()?))
    }

    /// Claims and reads the session. Returns false if another client has it by now, and shares it: then nothing is claimed.
    pub(super) async fn ready(&mut self, context: &mut CallContext<A>) -> Result<bool> {
        let (id, principal) = (self.call.id().clone(), principal::of(&context.connection));
        // Before anything is waited for, ended or claimed: it may be another principal's.
        principal::read(&*self.store, &id, principal.as_deref()).await.map_err(told)?;
        if self.call.is_shared_now(context).await {
            return Ok(false);
        }
        self.call.ready(context).await;
        let store = &self.store;
        let book = self.call.session.as_ref().and_then(|session| book_of(&session.handle));
        let is_held = match book {
            Some(book) => book.settle().await.map_err(told)?,
            None => false,
        };
        if !is_held {
            let lease = hand_over::claimed(store, &id, &self.claim, self.patience).await.map_err(told)?;
            let (store, unused) = (store.clone(), lease.clone());
            let release = Undo::by(async move {
                if let Err(error) = within(store.release(&unused)).await {
                    tracing::debug!(target: TARGET, %error, "a lease was not given back, and ends by its time");
                }
            });
            self.claimed = Some(Claimed { lease, release });
        }
        // The session of this id may be another one by now.
        let kept = principal::read(&**store, &id, principal.as_deref()).await.map_err(told)?;
        if let (Some(claimed), Some(first)) = (&mut self.claimed, kept.unended) {
            claimed.lease = end_calls(&**store, &claimed.lease, first).await.map_err(told)?;
        }
        self.found = Some(kept);
        Ok(true)
    }

    /// Opens the session that was found, with the state that the handler has made of it.
    pub(super) async fn open(
        &mut self,
        context: &CallContext<A>,
        mut opened: OpenedSessionOf<A>,
    ) -> Result<Box<RawValue>> {
        let kept = self.found.take().ok_or_else(|| absent("the session of the store"))?;
        let claimed = self.claimed.take();
        self.replay(claimed.as_ref().map(|claimed| claimed.lease.last_seq()), kept.unended.is_some()).await?;
        if opened.config.is_none() {
            opened.config = self.options(context, &kept, claimed.is_some()).await?;
        }
        let (cwd, additional_directories) = (&self.roots.cwd, &self.roots.additional_directories);
        let Some(Claimed { lease, release }) = claimed else {
            if let Some(book) = self.call.session.as_ref().and_then(|session| book_of(&session.handle)) {
                book.work_in(cwd, additional_directories).await.map_err(told)?;
            }
            return self.call.open(context, opened).await;
        };
        let has_moved = kept.cwd != *cwd || kept.additional_directories != *additional_directories;
        let change = Change::default().cwd(cwd).additional_directories(additional_directories);
        let moved = async { if has_moved { within(self.store.commit(&lease, change)).await } else { Ok(()) } };
        // A session that is active has its book. A set may wait for that, while the opening waits for the set.
        let (answer, opening) = if let Some(session) = self.call.session.clone() {
            moved.await.map_err(told)?;
            let answer = self.call.open(context, opened).await?;
            (answer, opening_of(&session.handle).await?)
        } else {
            let (session, additions) = self.call.make(context, opened)?;
            let opening = opening_of(&session.handle).await?;
            moved.await.map_err(told)?;
            (self.call.enter(context, session, &additions)?, opening)
        };
        opening.open(lease, &kept);
        release.keep();
        Ok(answer)
    }

    /// The options of the session, if the handler has given none. The options of an active session stay, unless another
    /// process had the session meanwhile: then those of the store are newer.
    async fn options(&mut self, context: &CallContext<A>, kept: &Kept, is_claimed: bool) -> Result<Option<A::Config>> {
        let Some(session) = self.call.session.clone() else {
            let mut initial = A::Threading::lend(&context.connection.host.agent).initial_config();
            let dropped = initial.restore_options(&kept.options)?;
            if !dropped.is_empty() {
                tracing::info!(target: TARGET, ?dropped, "values of options are not offered any more");
            }
            return Ok(Some(initial));
        };
        if is_claimed {
            let mut newer = session.handle.config().snapshot();
            newer.restore_options(&kept.options)?;
            // The earlier client may be gone: then a change that speaks to it fails.
            self.call.take_over(context);
            session.handle.change_config(move |config| *config = newer, None).await?;
        }
        Ok(None)
    }

    /// Sends the history of a session that is loaded, page by page. `claimed` is the place of its last entry; `None` if the session's book
    /// knows it.
    async fn replay(&mut self, claimed: Option<u64>, is_interrupted: bool) -> Result<()> {
        let Some(replay) = self.call.replaying.as_ref().map(Replay::new) else { return Ok(()) };
        let (store, id) = (&self.store, self.call.id());
        let book = self.call.session.as_ref().and_then(|session| book_of(&session.handle));
        let end = claimed.or_else(|| Some(book?.last())).unwrap_or_default();
        let most = self.declared.bounds().replayed_at_most;
        let mut last = begin(&**store, id, end, most).await.map_err(told)?;
        if last > 0 {
            replay.in_part().await?;
        }
        loop {
            let page = within(store.replay(id, last, PAGE)).await.map_err(told)?;
            let Some(end) = page.last() else { break };
            last = end.seq;
            replay.entries(page).await?;
        }
        if is_interrupted { replay.interrupted().await } else { Ok(()) }
    }
}

/// The place behind which the replay of at most so many entries begins, in a history with this end. It is before a prompt, if one is there;
/// 0 if nothing that the store has is before it.
async fn begin(store: &dyn SessionStore, id: &SessionId, end: u64, most: Option<u32>) -> Result<u64, StoreError> {
    let first = end.saturating_sub(most.map_or(u64::MAX, u64::from));
    if first == 0 {
        return Ok(0);
    }
    let oldest = within(store.replay(id, 0, 1)).await?.first().map_or(0, |entry| entry.seq);
    let mut last = first;
    let found = loop {
        let page = within(store.replay(id, last, PAGE)).await?;
        let Some(end) = page.last() else { break first };
        if let Some(prompt) = page.iter().find(|entry| is_prompt(entry)) {
            break prompt.seq.saturating_sub(1);
        }
        last = end.seq;
    };
    Ok(if found < oldest { 0 } else { found })
}

fn is_prompt(entry: &Entry) -> bool {
    matches!(&entry.said, Said::Known(said) if matches!(**said, SessionUpdate::UserMessageChunk(_)))
}

/// Begins to open the book of a session.
async fn opening_of<C>(handle: &SessionHandle<C>) -> Result<OpeningBook> {
    let book = book_of(handle).ok_or_else(|| absent("the book of the session"))?;
    Ok(book.opening().await)
}

/// Keeps an end of each open tool call of a turn that was interrupted. The turn's entries are those from this place on. Returns
/// the lease behind the new entries.
async fn end_calls(store: &dyn SessionStore, lease: &Lease, first: u64) -> Result<Lease, StoreError> {
    let (mut last, mut interrupted) = (first.saturating_sub(1), Interrupted::from(first));
    loop {
        let page = within(store.replay(lease.session(), last, PAGE)).await?;
        let Some(end) = page.last() else { break };
        last = end.seq;
        interrupted.note(&page);
    }
    let ends = interrupted.ends(lease.last_seq());
    let Some(end) = ends.last() else { return Ok(lease.clone()) };
    within(store.commit(lease, Change::said(&ends))).await?;
    Ok(Lease::new(lease.session(), lease.token(), end.seq, lease.time()))
}
