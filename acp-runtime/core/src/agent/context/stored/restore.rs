//! Sessions of a store are loaded and resumed.

use std::{
    path::PathBuf,
    pin::Pin,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use serde_json::value::RawValue;

use super::{CallContext, book_of, declared, guard::Undo, told};
use crate::{
    TARGET,
    agent::contract::{AgentDeclaration, Handlers, Keeps, OpenedSession, default_shared},
    config::ConfigOptions,
    dialect::Opening,
    session::{
        Interrupted, Replay,
        book::{Book, within},
    },
    store::{Change, Kept, Lease, SessionStore, StoreError},
    values::McpServer,
    wire::{Error, Result},
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

/// A stored session that is being opened again.
pub(crate) struct Restoring {
    pub(crate) by: Opening,
    pub(crate) roots: Roots,
    /// Set when the session is found.
    pub(crate) found: Arc<OnceLock<Found>>,
}

/// The session, as the store has it.
pub(crate) struct Found {
    pub(crate) kept: Kept,
    /// Where it is.
    pub(crate) store: Arc<dyn SessionStore>,
    /// The new right to write the session. `None` if the session is active, and still has its own.
    claimed: Mutex<Option<Claimed>>,
}

struct Claimed {
    lease: Lease,
    release: Undo,
}

impl Restoring {
    fn found(&self) -> Result<&Found> {
        self.found.get().ok_or_else(|| Error::internal_error("the session is not read yet"))
    }
}

/// The state of a stored session, as its struct reads it.
pub(crate) fn restored_state<A: AgentDeclaration>(kept: &Kept) -> Result<A::Session> {
    declared::<A>()?.restore(kept)
}

impl<A: Handlers> CallContext<A> {
    /// Notes which session the call restores.
    pub(crate) fn restore_by(&mut self, restoring: Restoring) {
        self.asked().stored = Some(Arc::new(restoring));
    }

    /// Claims and reads the session.
    // Boxed, as `create`.
    pub(crate) fn find_stored(&mut self) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>> {
        Box::pin(self.find_stored_now())
    }

    async fn find_stored_now(&mut self) -> Result<()> {
        let restoring = self.stored_part::<Restoring>()?;
        let id = self.session_id.clone().ok_or_else(|| Error::internal_error("the session to open has no id"))?;
        let connection = self.connection.clone();
        let stored = connection.stored()?;
        let store = &stored.store;
        let is_held = match &self.session {
            Some(session) => match book_of(&session.handle) {
                Some(book) => book.settle().await.map_err(told)?,
                None => false,
            },
            None => false,
        };
        let mut claimed = None;
        if !is_held {
            let lease = within(store.claim(&id, stored.claim())).await.map_err(told)?;
            let (store, unused) = (store.clone(), lease.clone());
            let release = Undo::by(async move {
                if let Err(error) = within(store.release(&unused)).await {
                    tracing::debug!(target: TARGET, %error, "a lease was not given back, and ends by its time");
                }
            });
            claimed = Some(Claimed { lease, release });
        }
        let kept = within(store.read(&id)).await.map_err(told)?;
        if let (Some(claimed), Some(first)) = (&mut claimed, kept.unended) {
            claimed.lease = end_calls(&**store, &claimed.lease, first).await.map_err(told)?;
        }
        let _ = restoring.found.set(Found { kept, store: store.clone(), claimed: Mutex::new(claimed) });
        Ok(())
    }

    /// The session that was found, as its struct reads it.
    pub(crate) fn restored_session(&mut self) -> Result<OpenedSession<A::Session, A::Config, A::KeptShared>> {
        let state = restored_state::<A>(&self.stored_part::<Restoring>()?.found()?.kept)?;
        Ok(OpenedSession::new(state).shared(default_shared::<A>()?))
    }

    /// Opens the session that was found, with the state that the handler has made of it.
    // Boxed, as `create`.
    pub(crate) fn restore(
        &mut self,
        opened: OpenedSession<A::Session, A::Config, A::KeptShared>,
    ) -> Pin<Box<dyn Future<Output = Result<Box<RawValue>>> + Send + '_>> {
        Box::pin(self.restore_now(opened))
    }

    async fn restore_now(
        &mut self,
        mut opened: OpenedSession<A::Session, A::Config, A::KeptShared>,
    ) -> Result<Box<RawValue>> {
        let restoring = self.stored_part::<Restoring>()?;
        let Found { kept, store, claimed } = restoring.found()?;
        let claimed = claimed.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.replay_stored(kept.unended.is_some()).await?;
        if opened.config.is_none() {
            self.restore_options(kept, claimed.is_some(), &mut opened.config).await?;
        }
        let book = self.book().unwrap_or_else(|| Book::new(store.clone()));
        let Roots { cwd, additional_directories, mcp_servers: _ } = restoring.roots.clone();
        let Some(Claimed { lease, release }) = claimed else {
            book.work_in(&cwd, &additional_directories).await.map_err(told)?;
            return self.open_named(restoring.by, opened, None).await;
        };
        // A session that is active has its book. A set may wait for that, while the opening waits for the set.
        let opening = if self.session.is_none() { Some(book.opening().await) } else { None };
        if kept.cwd != cwd || kept.additional_directories != additional_directories {
            let change = Change::default().cwd(&cwd).additional_directories(&additional_directories);
            within(store.commit(&lease, change)).await.map_err(told)?;
        }
        let answer = self.open_named(restoring.by, opened, Some(book.clone())).await?;
        let opening = match opening {
            Some(opening) => opening,
            None => book.opening().await,
        };
        opening.open(lease, kept);
        release.keep();
        Ok(answer)
    }

    /// The options of the session, if the handler has given none. The options of an active session stay, unless another
    /// process had the session meanwhile: then those of the store are newer.
    async fn restore_options(&mut self, kept: &Kept, is_claimed: bool, config: &mut Option<A::Config>) -> Result<()> {
        let Some(session) = self.session.clone() else {
            let mut initial = A::Threading::lend(&self.connection.agent).initial_config();
            let dropped = initial.restore_options(&kept.options)?;
            if !dropped.is_empty() {
                tracing::info!(target: TARGET, ?dropped, "values of options are not offered any more");
            }
            *config = Some(initial);
            return Ok(());
        };
        if is_claimed {
            let mut newer = session.handle.config().snapshot();
            newer.restore_options(&kept.options)?;
            session.handle.change_config(move |config| *config = newer, None).await?;
        }
        Ok(())
    }

    /// Sends the history of a session that is loaded, page by page.
    async fn replay_stored(&mut self, is_interrupted: bool) -> Result<()> {
        let replay = self.replaying.as_ref().map(Replay::new);
        let (Some(replay), Some(id)) = (replay, self.session_id.clone()) else { return Ok(()) };
        let store = self.connection.stored()?.store.clone();
        let mut last = 0;
        loop {
            let page = within(store.replay(&id, last, PAGE)).await.map_err(told)?;
            let Some(end) = page.last() else { break };
            last = end.seq;
            replay.entries(page).await?;
        }
        if is_interrupted { replay.interrupted().await } else { Ok(()) }
    }
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
