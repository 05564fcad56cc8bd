//! An agent whose handlers wait and fail when a test tells them to.

use std::sync::{Arc, Mutex};

use acp_runtime::{Error, prelude::*};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

#[derive(SelectValue, Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Model {
    #[default]
    Fast,
    Smart,
    /// The hook of this value asks the client.
    Asked,
    /// The hook of this value changes options through a kept handle.
    Tangled,
    /// The hook of this value waits for a task that changes options.
    Knot,
}

#[derive(ConfigOptions, Clone, Debug)]
pub(super) struct Config {
    pub(super) model: Model,
    #[config_option(default = false)]
    brave: bool,
}

/// The state of a session: the prompts that it got.
#[derive(Clone, Debug, Default)]
pub(super) struct Session(Vec<String>);

impl Drop for Session {
    fn drop(&mut self) {
        assert!(!self.0.iter().any(|told| told == "explode"), "as it was told");
    }
}

/// The state that the agent shares with a test.
#[derive(Default)]
pub(super) struct Shared {
    /// Each load takes a permit, if the test made this semaphore.
    loads: Option<Semaphore>,
    /// The config that a load restores.
    pub(super) restored: Mutex<Option<Config>>,
    /// The number of `close` and `delete` calls that fail before one succeeds.
    pub(super) failures: Mutex<usize>,
    /// Whether a failing close takes the session's state and drops it.
    pub(super) takes_state: Mutex<bool>,
    /// Whether a failing close gives the state to a task. The task drops it when it gets a permit of `turns`.
    pub(super) lends_state: Mutex<bool>,
    /// A stubborn turn ends only when it gets a permit.
    pub(super) turns: Option<Semaphore>,
    pub(super) kept: Mutex<Option<SessionHandle<Config>>>,
    /// The records of hooks and handlers.
    pub(super) seen: Mutex<Vec<String>>,
}

impl Shared {
    pub(super) fn see(&self, what: impl Into<String>) {
        self.seen.lock().expect("nobody panics with it").push(what.into());
    }

    pub(super) fn seen(&self) -> Vec<String> {
        std::mem::take(&mut *self.seen.lock().expect("nobody panics with it"))
    }

    pub(super) fn kept(&self) -> SessionHandle<Config> {
        self.kept.lock().expect("nobody panics with it").clone().expect("a turn has kept it")
    }

    pub(super) fn let_a_load_go_on(&self) {
        self.loads.as_ref().expect("loads wait").add_permits(1);
    }

    fn fails(&self) -> bool {
        let mut failures = self.failures.lock().expect("nobody panics with it");
        let fails = *failures > 0;
        *failures = failures.saturating_sub(1);
        fails
    }
}

#[acp_agent(config = Config, session = Session)]
pub(super) struct Keeper(Arc<Shared>);

#[acp_agent]
impl Keeper {
    async fn new_session(&self) -> (SessionId, Session) {
        ("s".into(), Session::default())
    }

    async fn load_session(&self, active: Option<SessionHandle<Config>>) -> Result<OpenedSession<Session, Config>> {
        let model = active.map(|active| active.config().model);
        if let Some(loads) = &self.0.loads {
            loads.acquire().await.expect("never closed").forget();
        }
        self.0.see(format!("loaded with {model:?}"));
        let opened = OpenedSession::new(Session(vec!["loaded".to_owned()]));
        let restored = self.0.restored.lock().expect("nobody panics with it").clone();
        Ok(match restored {
            Some(config) => opened.config(config),
            None => opened,
        })
    }

    async fn close_session(&self, session: ClosedSession<Session>) -> Result<()> {
        self.0.see(format!("closing {}", session.0.join("|")));
        if *self.0.takes_state.lock().expect("nobody panics with it") {
            drop(session.into_inner());
        } else if std::mem::take(&mut *self.0.lends_state.lock().expect("nobody panics with it")) {
            let shared = self.0.clone();
            tokio::spawn(async move {
                shared.turns.as_ref().expect("turns wait").acquire().await.expect("never closed").forget();
                drop(session);
            });
            return Err(Error::internal_error("the state is elsewhere"));
        }
        if self.0.fails() { Err(Error::internal_error("the disk is full")) } else { Ok(()) }
    }

    async fn delete_session(&self, session: Option<ClosedSession<Session>>) -> Result<()> {
        self.0.see(format!("deleting {:?}", session.as_deref()));
        if self.0.fails() { Err(Error::internal_error("the disk is full")) } else { Ok(()) }
    }

    async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let text = request.text();
        session.0.push(text.clone());
        *self.0.kept.lock().expect("nobody panics with it") = Some(turn.session().clone());
        match text.as_str() {
            "model" => turn.message(format!("{:?}", turn.config().model)).await?,
            "history" => turn.message(session.0.join("|")).await?,
            "wait" => turn.cancelled().await,
            "stubborn" => {
                self.0.turns.as_ref().expect("turns wait").acquire().await.expect("never closed").forget();
                turn.message("still there").await?;
            }
            "change by handle" => turn.session().update_config(|config| config.model = Model::Smart).await?,
            "change to asked" => turn.session().update_config(|config| config.model = Model::Asked).await?,
            "change to knot" => turn.session().update_config(|config| config.model = Model::Knot).await?,
            "change" => turn.update_config(|config| config.model = Model::Smart).await?,
            _ => {}
        }
        Ok(StopReason::EndTurn)
    }

    #[on_change(Config::MODEL)]
    async fn switch(&self, change: Change<Model>, config: &mut Config, client: Client) -> Result<()> {
        config.brave = false;
        self.0.see(format!("{:?} -> {:?}", change.old, change.new));
        match change.new {
            Model::Asked => drop(client.ext_request::<Value>("_acp-tests.dev/sure", &json!({})).await?),
            Model::Tangled => self.0.kept().update_config(|config| config.brave = true).await?,
            // The hook waits for a task, and the task waits for the hook. The runtime cannot see this circle.
            Model::Knot => {
                let kept = self.0.kept();
                let change = async move { kept.update_config(|config| config.brave = true).await };
                tokio::spawn(change).await.expect("it does not panic")?;
            }
            Model::Fast | Model::Smart => {}
        }
        Ok(())
    }
}

/// A client with an active session `s`.
pub(super) async fn session() -> (Peer, Arc<Shared>) {
    serve(Shared::default()).await
}

/// Like `session`, but loads and stubborn turns wait for permits.
pub(super) async fn waiting_session() -> (Peer, Arc<Shared>) {
    serve(Shared { loads: Some(Semaphore::new(0)), turns: Some(Semaphore::new(0)), ..Shared::default() }).await
}

async fn serve(shared: Shared) -> (Peer, Arc<Shared>) {
    let shared = Arc::new(shared);
    let (peer, id) = Peer::session_with(Keeper(shared.clone()), all_capabilities()).await;
    assert_eq!(id, "s");
    (peer, shared)
}

pub(super) fn load() -> Value {
    json!({ "sessionId": "s", "cwd": "/", "mcpServers": [] })
}

pub(super) fn set(model: &str) -> Value {
    json!({ "sessionId": "s", "configId": "model", "value": model })
}

/// The model in a full state, from an answer or an update.
pub(super) fn model(state: &Value) -> &str {
    let options = state["configOptions"].as_array().expect("the full state");
    options.iter().find(|option| option["id"] == "model").expect("the model")["currentValue"].as_str().expect("an id")
}

/// Runs a turn with the prompt, and returns the text that the turn sends.
pub(super) async fn told(peer: &mut Peer, prompt: &str) -> String {
    assert_eq!(peer.turn("s", prompt).await, "end_turn");
    let [told] = &peer.updates()[..] else { panic!("one update") };
    told["content"]["text"].as_str().expect("a text").to_owned()
}
