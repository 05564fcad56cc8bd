//! The first new session of a process continues a kept one.

use std::{
    hash::{BuildHasher, RandomState},
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

use serde_json::{Value, json};

use crate::{
    TARGET,
    schema::Method,
    store::{ListFilter, SessionStore},
    transport::hooks::{Hooks, Kind, Pass, Passing},
    values::{Meta, SessionId, methods},
    wire::error::Error,
};

/// The mark of a load that the client has not asked for.
const RESUMED: &str = "acp_runtime/resumed";

/// The value of the mark. It is another one in each process, so no client can write it into a load of its own.
static MARK: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(RESUMED));

/// [Hooks](crate::transport::hooks) by which the first `session/new` of a connection continues a session that a
/// [store](crate::agent#sessions-that-last) keeps: for an agent whose user starts it with `--resume`. The client gets the id and the
/// history of that session. If there is nothing to continue, it gets a new session.
///
/// The request goes on as `session/load`, so all that a load does is done. A handler sees by [`is_resumed`](Self::is_resumed) that
/// the client has asked for a new session. If the load fails, for example because another process works on the session, the
/// request goes on as what it was. Each `session/new` is tried in this way until one succeeds.
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
    /// The sessions that may be continued, each in its folder. Empty once a session is open.
    kept: Vec<(SessionId, PathBuf)>,
    /// The `session/new` that is open.
    asked: Option<Asked>,
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
        let kept = store.read(&id).await.map(|kept| (id, kept.cwd));
        Self::of(kept.into_iter().collect())
    }

    /// Continues the last session of the folder in which the client works, of those in which something was said.
    pub async fn last(store: &dyn SessionStore) -> Self {
        let mut found: Vec<(SessionId, PathBuf)> = Vec::new();
        let mut cursor = None;
        // A store that fails has no more sessions.
        while let Ok(page) = store.list(&ListFilter::default(), cursor.as_ref(), 100).await {
            for listed in page.sessions.into_iter().filter(|listed| listed.title.is_some()) {
                if !found.iter().any(|(_, cwd)| *cwd == listed.cwd) {
                    found.push((listed.id, listed.cwd));
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

impl State {
    /// Lets a `session/new` go on as a load, if there is a session for it.
    fn open(&mut self, message: &Passing<'_>) -> Option<Pass> {
        let params = message.read::<Value>().ok().filter(Value::is_object)?;
        let asked = params["cwd"].as_str().map(Path::new);
        let session = self.kept.iter().find(|(_, cwd)| asked == Some(cwd)).map(|(session, _)| session.clone());
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
            self.kept.clear();
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
        if message.kind() != Kind::Request || state.kept.is_empty() {
            return Pass::On;
        }
        match message.method() {
            methods::LoadSession::NAME | methods::ResumeSession::NAME => {
                // The client has this session already.
                if let Ok(params) = message.read::<Value>() {
                    state.kept.retain(|(kept, _)| params["sessionId"] != kept.as_str());
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
