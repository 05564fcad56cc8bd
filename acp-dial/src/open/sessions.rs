//! The sessions of a connection, as another connection resumes them.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashSet},
};

use bytes::Bytes;
use memchr::memmem;
use serde::Deserialize;
use serde_json::{Map, Value, json, value::RawValue};
use tokio::sync::Notify;

#[derive(Default)]
pub(super) struct Sessions {
    /// The params of the request that resumes each.
    open: BTreeMap<Box<str>, Map<String, Value>>,
    /// Those whose resume is not answered.
    resuming: HashSet<Box<str>>,
    /// Those that work, in version 2, where the answer to a prompt does not end its turn.
    busy: HashSet<Box<str>>,
}

impl Sessions {
    /// A session is open. `params` are those of the request that has opened it.
    pub(super) fn enter(&mut self, session: &str, params: Option<&RawValue>) {
        let mut params: Map<String, Value> =
            params.and_then(|params| serde_json::from_str(params.get()).ok()).unwrap_or_default();
        params.insert("sessionId".to_owned(), session.into());
        // The client has the history.
        params.remove("replayFrom");
        self.open.insert(session.into(), params);
    }

    /// A session has ended, or cannot be resumed.
    pub(super) fn leave(&mut self, session: &str) {
        self.open.remove(session);
        self.busy.remove(session);
    }

    pub(super) fn works(&mut self, session: Box<str>, works: bool) {
        if works {
            self.busy.insert(session);
        } else {
            self.busy.remove(&session);
        }
    }

    /// The agent is lost. Returns the sessions that worked.
    pub(super) fn interrupted(&mut self) -> HashSet<Box<str>> {
        std::mem::take(&mut self.busy)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The params that resume each session in another connection. From here on, all are being resumed.
    pub(super) fn resume(&mut self) -> impl Iterator<Item = (&str, &Map<String, Value>)> {
        self.resuming = self.open.keys().cloned().collect();
        self.open.iter().map(|(session, params)| (&**session, params))
    }

    /// The resume of a session is answered, or will not be.
    pub(super) fn is_tried(&mut self, session: &str, waiting: &Notify) {
        if self.resuming.remove(session) {
            waiting.notify_waiters();
        }
    }

    pub(super) fn is_resuming(&self, session: &str) -> bool {
        self.resuming.contains(session)
    }
}

/// The session of an update that tells its state in version 2, and whether it works.
pub(super) fn state(params: Option<&RawValue>) -> Option<(Box<str>, bool)> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Params<'m> {
        session_id: Box<str>,
        #[serde(borrow)]
        update: Update<'m>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Update<'m> {
        #[serde(borrow)]
        session_update: Cow<'m, str>,
        #[serde(borrow)]
        state: Cow<'m, str>,
    }
    // Most updates are something else.
    let params = params.filter(|params| memmem::find(params.get().as_bytes(), b"\"state_update\"").is_some())?;
    let Params { session_id, update } = serde_json::from_str(params.get()).ok()?;
    (update.session_update == "state_update").then(|| (session_id, update.state != "idle"))
}

/// What the client is told of a session that was resumed: the values in force, which may be those of a change whose answer was lost.
pub(super) fn in_force(session: &str, result: &RawValue) -> Vec<Bytes> {
    #[derive(Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Resumed {
        config_options: Option<Value>,
        modes: Option<Modes>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Modes {
        current_mode_id: Option<Value>,
    }
    let Resumed { config_options, modes } = serde_json::from_str(result.get()).unwrap_or_default();
    let options =
        config_options.map(|options| json!({ "sessionUpdate": "config_option_update", "configOptions": options }));
    let mode = modes
        .and_then(|modes| modes.current_mode_id)
        .map(|mode| json!({ "sessionUpdate": "current_mode_update", "currentModeId": mode }));
    let told = |update: Value| {
        let params = json!({ "sessionId": session, "update": update });
        json!({ "jsonrpc": "2.0", "method": "session/update", "params": params }).to_string().into()
    };
    [options, mode].into_iter().flatten().map(told).collect()
}
