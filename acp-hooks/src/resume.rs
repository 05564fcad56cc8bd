//! The first new session of a process continues a kept one.

use std::{
    collections::HashMap,
    hash::{BuildHasher, Hash, RandomState},
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

use serde_json::{Value, json};

use acp_peer::{Error, TARGET};
use acp_schema::{
    Method,
    v1::{Meta, SessionId, methods},
};
use acp_store::{ListFilter, SessionStore};

use super::{
    hooks::Hooks,
    message::{Kind, Pass, Passing},
};

/// The mark of a load that the client has not asked for. The runtime knows it, too: such a load does not wait for another process
/// that has the session.
const RESUMED: &str = "acp_runtime/resumed";

/// The value of the mark. It is another one in each process, so no client can write it into a load of its own.
static MARK: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(RESUMED));

/// The most sessions of a list that are in memory at once.
const PAGE: usize = 1000;

/// [`Hooks`] by which the first `session/new` of a connection continues a session that a
/// [store](acp_store) keeps: for an agent whose user starts it with `--resume`. The client gets the id and the
/// history of that session. If there is nothing to continue, it gets a new session.
/// Only with the feature `resume` of `acp-hooks`, which the feature `hooks` of an agent brings.
///
/// The request goes on as `session/load`, so all that a load does is done. A handler sees by [`is_resumed`](Self::is_resumed) that
/// the client has asked for a new session. If the load fails, for example because another process works on the session, the
/// request goes on as what it was. Each `session/new` is tried in this way until one succeeds.
///
/// ```
/// use std::sync::Arc;
///
/// use acp_hooks::{Hooked, Resume};
/// use acp_peer::transport::{Limits, Transport};
/// use acp_runtime::prelude::*;
/// use acp_store::SessionStore;
///
/// #[acp_agent(store = store)]
/// #[derive(Clone)]
/// struct Coder { store: Arc<dyn SessionStore> }
///
/// #[acp_agent]
/// impl Coder {
///     async fn prompt(&self) -> StopReason { StopReason::EndTurn }
/// }
///
/// async fn serve(coder: Coder, resume: bool, transport: impl Transport + Send + 'static) -> Result<()> {
///     let hooks = if resume { Some(Resume::last(&*coder.store).await) } else { None };
///     coder.serve(Hooked::new(transport, hooks), Limits::default()).await
/// }
/// # let _ = |store| Coder::with_default_options(store);
/// ```
#[derive(Debug)]
pub struct Resume(Mutex<State>);

#[derive(Debug)]
struct State {
    /// The sessions that may be continued. Empty once a session is open.
    kept: ByFolder<PathBuf>,
    /// The `session/new` that is open.
    asked: Option<Asked>,
}

/// Folders, each with the session that is continued there.
#[derive(Debug)]
struct ByFolder<F>(HashMap<F, SessionId>);

impl<F: Eq + Hash> ByFolder<F> {
    fn new() -> Self {
        Self(HashMap::new())
    }

    /// Adds the next session of a list, in which the newest sessions come first.
    fn older(&mut self, folder: F, id: SessionId) {
        self.0.entry(folder).or_insert(id);
    }
}

#[derive(Debug)]
struct Asked {
    number: u64,
    params: Value,
    /// The session that a load continues.
    session: Option<SessionId>,
}

impl Resume {
    /// Continues this session, if the client works in its folder.
    pub async fn session(store: &dyn SessionStore, id: impl Into<SessionId>) -> Self {
        let id = id.into();
        let mut found = ByFolder::new();
        if let Ok(kept) = store.read(&id).await {
            found.older(kept.cwd, id);
        }
        Self::of(found)
    }

    /// Continues the last session of the folder in which the client works, of those in which something was said.
    ///
    /// It reads the list of all sessions without a principal, because only `session/new` names the folder, and hooks cannot wait for a store.
    /// The cost grows with the number of sessions; what was said in them is not read.
    pub async fn last(store: &dyn SessionStore) -> Self {
        let (mut found, mut cursor) = (ByFolder::new(), None);
        // A store that fails has no more sessions.
        while let Ok(page) = store.list(&ListFilter::default(), cursor.as_ref(), PAGE).await {
            for listed in page.sessions.into_iter().filter(|listed| listed.title.is_some()) {
                found.older(listed.cwd, listed.id);
            }
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        Self::of(found)
    }

    /// Whether the `_meta` of a load says that the client has asked for a new session.
    pub fn is_resumed(meta: Option<&Meta>) -> bool {
        meta.is_some_and(|meta| meta.get(RESUMED).is_some_and(|mark| *mark == *MARK))
    }

    fn of(kept: ByFolder<PathBuf>) -> Self {
        Self(Mutex::new(State { kept, asked: None }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Lets a `session/new` go on as a load, if there is a session for it.
    fn open(&mut self, message: &Passing<'_>) -> Option<Pass> {
        let params = message.read::<Value>().ok().filter(Value::is_object)?;
        let session = params["cwd"].as_str().and_then(|cwd| self.kept.0.get(Path::new(cwd))).cloned();
        let load = session.as_ref().and_then(|session| {
            let mut load = params.clone();
            load["sessionId"] = json!(session);
            if !load["_meta"].is_object() {
                load["_meta"] = json!({});
            }
            load["_meta"][RESUMED] = json!(*MARK);
            Pass::to(methods::LoadSession::NAME, &load).ok()
        });
        self.asked = Some(Asked { number: message.number(), params, session });
        load
    }

    /// Gives the answer of a load the form of an answer to `session/new`.
    fn opened(&mut self, message: &Passing<'_>) -> Option<Pass> {
        if message.error().is_none() {
            self.kept.0.clear();
        }
        let Asked { params, session, .. } = self.asked.take_if(|asked| asked.number == message.number())?;
        match (message.error(), session) {
            (Some(error), Some(session)) if error.code() != Error::REQUEST_CANCELLED => {
                tracing::info!(target: TARGET, %session, %error, "a kept session is not continued: there will be a new one");
                self.asked = Some(Asked { number: message.number(), session: None, params: Value::Null });
                Pass::to(methods::NewSession::NAME, &params).ok()
            }
            (Some(_), _) => None,
            (None, session) => {
                let mut opened = message.read::<Value>().ok().filter(Value::is_object)?;
                opened["sessionId"] = json!(session?);
                Pass::with(&opened).ok()
            }
        }
    }
}

impl Hooks for Resume {
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        let mut state = self.state();
        if message.kind() != Kind::Request || state.kept.0.is_empty() {
            return Pass::On;
        }
        match message.method() {
            methods::LoadSession::NAME | methods::ResumeSession::NAME => {
                // The client has this session already.
                if let Ok(params) = message.read::<Value>() {
                    state.kept.0.retain(|_, kept| params["sessionId"] != kept.as_str());
                }
                Pass::On
            }
            // Of several at once, the first one.
            methods::NewSession::NAME if state.asked.is_none() => state.open(message).unwrap_or(Pass::On),
            _ => Pass::On,
        }
    }

    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        match message.answers(methods::NewSession::NAME) {
            true => self.state().opened(message).unwrap_or(Pass::On),
            false => Pass::On,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        hash::Hasher,
        sync::atomic::{AtomicU64, Ordering},
    };

    use super::*;

    /// A folder that counts how often it is compared with another one.
    #[derive(Clone, Copy, Debug)]
    struct Counted<'c>(u64, &'c AtomicU64);

    impl PartialEq for Counted<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0 == other.0
        }
    }

    impl Eq for Counted<'_> {}

    impl Hash for Counted<'_> {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }

    #[test]
    fn a_session_is_not_compared_with_the_folders_of_all_others() {
        const SESSIONS: u64 = 5000;
        let compared = AtomicU64::new(0);
        let mut found = ByFolder::new();
        for round in ["new", "old"] {
            for folder in 0..SESSIONS {
                found.older(Counted(folder, &compared), format!("{round} {folder}").into());
            }
        }
        assert!(found.0.values().all(|id| id.as_str().starts_with("new")), "the newest session of each folder");
        // Each folder is found once. Some folders have the same hash.
        let compared = compared.into_inner();
        assert!((SESSIONS..2 * SESSIONS).contains(&compared), "{compared} comparisons for {SESSIONS} sessions");
    }
}
