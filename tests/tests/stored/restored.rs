//! Sessions that come back.

use std::sync::Arc;

use acp_runtime::{
    agent::Roots,
    prelude::*,
    session::History,
    session::OpenedBy,
    store::{Kept, MemoryStore, SessionStore, StoreError},
};
use acp_tests::peer::{Peer, all_capabilities};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::agent::{connect, opening, session, set, shown, told};

#[tokio::test]
async fn a_session_comes_back_after_its_process_was_killed() {
    let (mut peer, store, id) = session().await;
    assert_eq!(told(&mut peer, &id, "Hello").await, "You said Hello");
    peer.call("session/set_config_option", set(&id, "smart")).await.expect("set");
    assert_eq!(told(&mut peer, &id, "think").await, "Let me see.Done.");
    // Nothing of the first process runs any more, and it gave nothing back.
    let mut other = connect(&store.of_another_process()).await;
    let loaded = other.call("session/load", opening(&id)).await.expect("loaded");
    assert_eq!(loaded["configOptions"][0]["currentValue"], "smart");
    assert_eq!(
        shown(&other.updates()),
        [
            "user_message_chunk: Hello",
            "agent_message_chunk: You said Hello",
            "user_message_chunk: think",
            "agent_thought_chunk: Let me see.",
            "agent_message_chunk: Done.",
        ]
    );
    assert_eq!(told(&mut other, &id, "history").await, "Hello|think|history");
    assert_eq!(told(&mut other, &id, "options").await, "Smart false");
}

#[tokio::test]
async fn a_resumed_session_comes_back_without_its_history() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "Hello").await;
    assert!(peer.hang_up().await.well());
    let mut other = connect(&store).await;
    let resumed = other.call("session/resume", opening(&id)).await.expect("resumed");
    assert_eq!(resumed["configOptions"][0]["currentValue"], "fast");
    assert_eq!(shown(&other.updates()), [""; 0]);
    assert_eq!(told(&mut other, &id, "history").await, "Hello|history");
}

#[tokio::test]
async fn a_resume_may_leave_the_servers_out_and_a_load_may_not() {
    let (mut peer, _store, id) = session().await;
    let without_servers = json!({ "sessionId": id, "cwd": "/" });
    peer.call("session/resume", without_servers.clone()).await.expect("resumed");
    let refused = peer.call("session/load", without_servers).await.expect_err("the protocol demands them");
    assert_eq!((refused.code, refused.message.as_str()), (-32602, "invalid params: missing field `mcpServers`"));
    let refused = peer.call("session/resume", json!({ "sessionId": id })).await.expect_err("no folder");
    assert!(refused.message.contains("missing field `cwd`"), "{}", refused.message);
}

#[tokio::test]
async fn the_directories_of_a_request_replace_those_that_were_kept() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "Hello").await;
    let before = store.kept(&id).await;
    let mut moved = opening(&id);
    moved["cwd"] = json!("/elsewhere");
    peer.call("session/load", moved.clone()).await.expect("loaded");
    assert_eq!(store.kept(&id).await.cwd.to_str(), Some("/elsewhere"));
    assert_eq!(store.kept(&id).await.updated, before.updated, "a load is no change of the session");
    peer.call("session/close", json!({ "sessionId": id })).await.expect("closed");
    moved["cwd"] = json!("/third");
    peer.call("session/resume", moved).await.expect("resumed");
    assert_eq!(store.kept(&id).await.cwd.to_str(), Some("/third"));
}

/// A later version of [`Keeper`](super::agent::Keeper): its state has another shape, and `smart` is not offered any more.
#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values("fast" = "Fast", "slow" = "Slow"), default = "slow")]
    model: String,
    #[config_option(default = false)]
    brave: bool,
}

#[derive(Serialize)]
struct Lines {
    lines: Vec<String>,
    #[serde(skip)]
    told: &'static str,
}

#[acp_agent(config = Config, session = Lines, shared = Arc<String>, store = store, store_version = 2)]
struct Migrating {
    store: Arc<dyn SessionStore>,
}

#[derive(Deserialize)]
struct First {
    history: Vec<String>,
}

#[acp_agent]
impl Migrating {
    async fn new_session(&self) -> (Lines, Arc<String>) {
        (Lines { lines: Vec::new(), told: "new" }, Arc::default())
    }

    #[expect(clippy::too_many_arguments, reason = "it takes each part that it may take")]
    async fn restore_session(
        &self,
        id: &SessionId,
        kept: Kept,
        roots: Roots,
        how: OpenedBy,
        mut history: History,
        active: Option<SessionHandle<Config>>,
        shared: Option<Shared<Arc<String>>>,
    ) -> Result<(Lines, Arc<String>)> {
        assert_eq!(active.is_some(), shared.is_some());
        let state = kept.state.ok_or_else(|| StoreError::invalid("the session", "it has no state"))?;
        if state.version() != 1 {
            return Err(Error::internal_error("this version reads the first one only"));
        }
        let entries = history.read_all().await?.len();
        let shared = format!("{id} {how:?} in {} of {entries}", roots.cwd.display());
        Ok((Lines { lines: state.read::<First>()?.history, told: "migrated" }, Arc::new(shared)))
    }

    async fn prompt(
        &self,
        session: &mut Lines,
        Shared(shared): Shared<Arc<String>>,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        let config = turn.config();
        let told = format!("{} {:?} {shared} {} {}", session.told, session.lines, config.model, config.brave);
        turn.message(told).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn the_agent_restores_what_an_earlier_version_has_kept() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "dare").await;
    peer.call("session/set_config_option", set(&id, "smart")).await.expect("set");
    assert!(peer.hang_up().await.well());
    let mut later = Peer::serve(Migrating { store: Arc::new(store.clone()) });
    later.initialize(all_capabilities()).await;
    let loaded = later.call("session/load", opening(&id)).await.expect("loaded");
    assert_eq!(loaded["configOptions"][0]["currentValue"], "slow", "`smart` is not offered: the default is");
    assert_eq!(loaded["configOptions"][1]["currentValue"], true);
    later.updates();
    let said = told(&mut later, &id, "tell").await;
    assert_eq!(said, format!("migrated [\"dare\"] {id} Loaded in / of 1 slow true"));
    assert_eq!(store.kept(&id).await.state.map(|state| state.version()), Some(2));
    later.call("session/close", json!({ "sessionId": id })).await.expect("closed");
    let refused = later.call("session/resume", opening(&id)).await.expect_err("the agent's own error");
    assert_eq!(refused.message, "this version reads the first one only");
    assert!(later.hang_up().await.well());

    let mut early = connect(&store).await;
    let refused = early.call("session/load", opening(&id)).await.expect_err("it does not know version 2");
    assert_eq!(refused.code, -32603);
    assert!(refused.message.contains("its state has version 2, and this agent reads version 1"), "{refused:?}");
}

#[tokio::test]
async fn session_opened_hears_how_a_stored_session_was_opened() {
    #[acp_agent(store = store)]
    #[derive(Clone)]
    struct Telling {
        store: Arc<MemoryStore>,
    }

    #[acp_agent]
    impl Telling {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }

        async fn session_opened(&self, session: SessionHandle<Self>, how: OpenedBy) -> Result<()> {
            session.message(format!("{how:?}")).await
        }
    }

    let (mut peer, id) = Peer::session(Telling { store: Arc::new(MemoryStore::new()) }).await;
    assert_eq!(peer.update().await["content"]["text"], "New");
    peer.call("session/resume", opening(&id)).await.expect("resumed");
    assert_eq!(peer.update().await["content"]["text"], "Resumed");
    peer.call("session/close", json!({ "sessionId": id })).await.expect("closed");
    peer.call("session/load", opening(&id)).await.expect("loaded");
    peer.settled().await;
}

#[tokio::test]
async fn an_agent_on_one_thread_keeps_its_sessions() {
    #[acp_agent(config = Config, session = u32, store = store, local)]
    struct Local {
        store: Arc<MemoryStore>,
        counted: std::rc::Rc<std::cell::Cell<u32>>,
    }

    #[acp_agent]
    impl Local {
        async fn prompt(&self, session: &mut u32, turn: Turn<Config>) -> Result<StopReason> {
            *session += 1;
            self.counted.set(self.counted.get() + 1);
            turn.message(format!("{session} {}", self.counted.get())).await?;
            Ok(StopReason::EndTurn)
        }
    }

    let store = Arc::new(MemoryStore::new());
    let test = async {
        let local = || Local { store: store.clone(), counted: std::rc::Rc::default() };
        let mut peer = Peer::serve_local(local());
        peer.initialize(all_capabilities()).await;
        let id = peer.new_session().await;
        assert_eq!(told(&mut peer, &id, "count").await, "1 1");
        assert!(peer.hang_up().await.well());
        let mut peer = Peer::serve_local(local());
        peer.initialize(all_capabilities()).await;
        peer.call("session/resume", opening(&id)).await.expect("resumed");
        assert_eq!(told(&mut peer, &id, "count").await, "2 1");
    };
    tokio::task::LocalSet::new().run_until(test).await;
}
