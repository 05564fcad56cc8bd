//! An agent that notes what happens to its sessions.

use std::sync::{Arc, Mutex};

use acp_runtime::{prelude::*, session::OpenedBy};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};

#[derive(ConfigOptions, Clone)]
pub(super) struct Config {
    #[config_option(default = false)]
    pub(super) brave: bool,
}

/// What the agent and its test share.
#[derive(Default)]
pub(super) struct Shared {
    notes: Mutex<Vec<String>>,
    /// What `session_opened` does when it has told how.
    pub(super) then: Mutex<Then>,
}

#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Then {
    #[default]
    End,
    /// Waits as long as the session lives.
    Watch,
    /// Asks the client, which may never answer.
    Ask,
    Fail,
    Panic,
}

impl Shared {
    pub(super) fn note(&self, note: impl Into<String>) {
        self.notes.lock().unwrap().push(note.into());
    }

    pub(super) fn notes(&self) -> Vec<String> {
        std::mem::take(&mut self.notes.lock().unwrap())
    }
}

/// Waits until the agent has noted something.
pub(super) async fn noted(shared: &Shared) -> Vec<String> {
    for _ in 0..1_000 {
        let notes = shared.notes();
        if !notes.is_empty() {
            return notes;
        }
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    panic!("the agent noted nothing");
}

/// Notes its drop.
pub(super) struct Dropped<'a>(pub(super) &'a Shared, pub(super) &'static str);

impl Drop for Dropped<'_> {
    fn drop(&mut self) {
        self.0.note(self.1);
    }
}

#[acp_agent(config = Config, session = Vec<String>)]
pub(super) struct Living(pub(super) Arc<Shared>);

#[acp_agent]
impl Living {
    async fn new_session(&self) -> (SessionId, Vec<String>) {
        ("s".into(), Vec::new())
    }

    async fn load_session(&self, id: &SessionId) -> Result<Vec<String>> {
        if AsRef::<str>::as_ref(id) == "stranger" { Err(Error::session_not_found("stranger")) } else { Ok(Vec::new()) }
    }

    async fn resume_session(&self) -> Vec<String> {
        Vec::new()
    }

    async fn close_session(&self, session: ClosedSession<Vec<String>>) -> Result<()> {
        if session.iter().any(|prompt| prompt == "stay") { Err(Error::internal_error("it stays")) } else { Ok(()) }
    }

    async fn delete_session(&self) {}

    async fn prompt(
        &self,
        session: &mut Vec<String>,
        request: PromptRequest,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        session.push(request.text());
        turn.message("told").await?;
        Ok(StopReason::EndTurn)
    }

    async fn session_opened(
        &self,
        session: SessionHandle<Config>,
        id: &SessionId,
        how: OpenedBy,
        client: Client,
    ) -> Result<()> {
        let then = *self.0.then.lock().unwrap();
        session.message(format!("{how:?} {id}")).await?;
        let _dropped = Dropped(&self.0, "dropped");
        match then {
            Then::End => Ok(()),
            Then::Watch => std::future::pending().await,
            Then::Ask => client.ext_request::<Value>("_acp-tests.dev/ask", &json!({})).await.map(drop),
            Then::Fail => Err(Error::internal_error("as it was told")),
            Then::Panic => panic!("as it was told"),
        }
    }
}

/// The agent, initialized.
pub(super) async fn living(then: Then) -> (Peer, Arc<Shared>) {
    let shared = Arc::new(Shared::default());
    *shared.then.lock().unwrap() = then;
    let mut peer = Peer::serve(Living(shared.clone()));
    peer.initialize(all_capabilities()).await;
    (peer, shared)
}

pub(super) fn new() -> Value {
    json!({ "cwd": "/", "mcpServers": [] })
}

pub(super) fn named() -> Value {
    json!({ "sessionId": "s" })
}

pub(super) fn load() -> Value {
    json!({ "sessionId": "s", "cwd": "/", "mcpServers": [] })
}
