//! The first new session of a process continues a kept one.

use std::{
    hash::{BuildHasher, RandomState},
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    schema::Method,
    store::{Claim, ListFilter, Owner, SessionStore},
    transport::hooks::{Hooks, Kind, Pass, Passing},
    values::{Meta, SessionId, methods},
};

/// The mark of a load that the client has not asked for.
const RESUMED: &str = "acp_runtime/resumed";

/// The value of the mark. It is another one in each process, so no client can write it into a load of its own.
static MARK: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(RESUMED));

/// How long the check of a session holds it.
const CHECK: Duration = Duration::from_secs(1);

/// [Hooks](crate::transport::hooks) by which the first `session/new` of a connection continues a session that a
/// [store](crate::agent#sessions-that-last) keeps: for an agent whose user starts it with `--resume`. The client gets the id and the
/// history of that session. If there is nothing to continue, it gets a new session.
///
/// The request goes on as `session/load`, so all that a load does is done. A handler sees by [`is_resumed`](Self::is_resumed) that
/// the client has asked for a new session.
///
/// ```
/// use std::sync::Arc;
///
/// use acp_runtime::{agent::Resume, prelude::*, store::SessionStore, transport::{Limits, Transport, hooks::Hooked}};
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
    /// The sessions that may be continued, each in its folder. Empty once it is decided.
    kept: Vec<(SessionId, PathBuf)>,
    /// The id of the request that became a load, with the session.
    asked: Option<(String, SessionId)>,
}

impl Resume {
    /// Continues this session, if the client works in its folder, nobody else works on it, and the store can read it.
    pub async fn session(store: &dyn SessionStore, id: impl Into<SessionId>) -> Self {
        Self::of(check(store, id.into()).await.into_iter().collect())
    }

    /// Continues the last session of the folder in which the client works, of those in which something was said. A session on which
    /// somebody else works, or which the store cannot read, is left out.
    pub async fn last(store: &dyn SessionStore) -> Self {
        let mut found: Vec<(SessionId, PathBuf)> = Vec::new();
        let mut cursor = None;
        // A store that fails has no more sessions.
        while let Ok(page) = store.list(&ListFilter::default(), cursor.as_ref(), 100).await {
            for listed in page.sessions.into_iter().filter(|listed| listed.title.is_some()) {
                if !found.iter().any(|(_, cwd)| *cwd == listed.cwd) {
                    found.extend(check(store, listed.id).await);
                }
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

    fn of(kept: Vec<(SessionId, PathBuf)>) -> Self {
        Self(Mutex::new(State { kept, asked: None }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The session with its folder, if it can be continued.
async fn check(store: &dyn SessionStore, id: SessionId) -> Option<(SessionId, PathBuf)> {
    let lease = store.claim(&id, &Claim::new(&Owner::new(), CHECK)).await.ok()?;
    let kept = store.read(&id).await;
    store.release(&lease).await.ok()?;
    Some((id, kept.ok()?.cwd))
}

impl Hooks for Resume {
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        let (Kind::Request, Some(id)) = (message.kind(), message.id()) else { return Pass::On };
        let mut state = self.state();
        match message.method() {
            methods::LoadSession::NAME | methods::ResumeSession::NAME if !state.kept.is_empty() => {
                // The client has this session already.
                let Ok(params) = message.read::<Value>() else { return Pass::On };
                state.kept.retain(|(kept, _)| params["sessionId"] != kept.as_str());
            }
            methods::NewSession::NAME if !state.kept.is_empty() => {
                let Ok(mut params) = message.read::<Value>() else { return Pass::On };
                let mut kept = std::mem::take(&mut state.kept).into_iter();
                let asked = params["cwd"].as_str().map(Path::new);
                let Some((session, _)) = kept.find(|(_, cwd)| asked == Some(cwd)) else { return Pass::On };
                params["sessionId"] = json!(session);
                if !params["_meta"].is_object() {
                    params["_meta"] = json!({});
                }
                params["_meta"][RESUMED] = json!(*MARK);
                state.asked = Some((id.to_owned(), session));
                return Pass::to(methods::LoadSession::NAME, &params).unwrap_or(Pass::On);
            }
            _ => {}
        }
        Pass::On
    }

    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        let is_answer = |asked: &mut (String, SessionId)| {
            message.answers(methods::NewSession::NAME) && message.id() == Some(asked.0.as_str())
        };
        let Some((_, session)) = self.state().asked.take_if(is_answer) else { return Pass::On };
        match message.read::<Value>() {
            Ok(mut opened) if opened.is_object() => {
                opened["sessionId"] = json!(session);
                Pass::with(&opened).unwrap_or(Pass::On)
            }
            _ => Pass::On,
        }
    }
}
