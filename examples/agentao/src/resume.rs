//! `--resume`: the first `session/new` continues a session of an earlier process. Hooks send it on as `session/load`, so the
//! history is replayed, and add the id to the answer. If there is nothing to continue, it goes on as it is.

use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use acp_runtime::{
    store::{Claim, ListFilter, Owner, SessionStore},
    transport::hooks::{Hooks, Kind, Pass, Passing},
    values::{Meta, SessionId},
};
use serde_json::{Value, json};

/// The mark of a load that the client has not asked for.
const RESUMED: &str = "_agentao.cn/resumed";

/// Whether hooks have made a load of `session/new`.
pub(crate) fn is_resumed(meta: &Option<Meta>) -> bool {
    meta.as_ref().is_some_and(|meta| meta.contains_key(RESUMED))
}

/// The hooks.
pub struct Resume(Mutex<State>);

struct State {
    /// The sessions that may be continued, each in its folder. Empty when it is decided.
    kept: Vec<(SessionId, PathBuf)>,
    /// The id of the request that became a load, with the session.
    asked: Option<(String, SessionId)>,
}

impl Resume {
    /// Hooks that continue no session.
    pub fn none() -> Self {
        Self(Mutex::new(State { kept: Vec::new(), asked: None }))
    }

    /// Looks for a session: the one with this id, or the newest one of each folder.
    pub async fn find(store: &dyn SessionStore, id: Option<&str>) -> Self {
        let kept = match id {
            Some(id) => check(store, SessionId::from(id)).await.into_iter().collect(),
            None => newest(store).await,
        };
        Self(Mutex::new(State { kept, asked: None }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The newest session of each folder that can be read and written. A store that fails has none.
async fn newest(store: &dyn SessionStore) -> Vec<(SessionId, PathBuf)> {
    let mut found: Vec<(SessionId, PathBuf)> = Vec::new();
    let mut cursor = None;
    while let Ok(page) = store.list(&ListFilter::default(), cursor.as_ref(), 100).await {
        for listed in page.sessions {
            if !found.iter().any(|(_, cwd)| *cwd == listed.cwd) {
                found.extend(check(store, listed.id).await);
            }
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    found
}

/// The session with its folder, if nobody else works on it and it can be read.
async fn check(store: &dyn SessionStore, id: SessionId) -> Option<(SessionId, PathBuf)> {
    let lease = store.claim(&id, &Claim::new(&Owner::new(), Duration::from_secs(1))).await.ok()?;
    let kept = store.read(&id).await;
    store.release(&lease).await.ok()?;
    Some((id, kept.ok()?.cwd))
}

impl Hooks for Resume {
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        let Ok(mut params) = message.read::<Value>() else { return Pass::On };
        let mut state = self.state();
        match (message.method(), message.id()) {
            // The client has this session already.
            ("session/load", Some(_)) => state.kept.retain(|(kept, _)| params["sessionId"] != kept.as_str()),
            ("session/new", Some(id)) if message.kind() == Kind::Request => {
                let kept = std::mem::take(&mut state.kept);
                let found = kept.into_iter().find(|(_, cwd)| cwd.to_str() == params["cwd"].as_str());
                if let Some((session, _)) = found {
                    params["sessionId"] = json!(session);
                    params["_meta"] = json!({ RESUMED: true });
                    state.asked = Some((id.to_owned(), session));
                    return Pass::to("session/load", &params).unwrap_or(Pass::On);
                }
            }
            _ => {}
        }
        Pass::On
    }

    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        let mut state = self.state();
        let asked = state.asked.take_if(|(id, _)| message.answers("session/new") && message.id() == Some(id));
        match (asked, message.read::<Value>()) {
            (Some((_, session)), Ok(mut opened)) if message.error().is_none() => {
                opened["sessionId"] = json!(session);
                Pass::with(&opened).unwrap_or(Pass::On)
            }
            _ => Pass::On,
        }
    }
}
