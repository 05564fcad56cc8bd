//! A method of an agent's own that opens a session.

use std::path::PathBuf;

use acp_runtime::{prelude::*, session::OpenedBy, values::SessionInfoUpdate};
use acp_tests::peer::{Peer, all_capabilities};
use serde::Deserialize;
use serde_json::json;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values("ask", "auto"), default = "ask", category = "mode")]
    mode: String,
}

#[derive(Clone, Default)]
struct Core(u32);

#[derive(Deserialize)]
struct Fork {
    #[serde(default)]
    fails: bool,
    #[serde(default)]
    cwd: Option<PathBuf>,
}

#[acp_agent(config = Config, shared = Core)]
#[derive(Clone)]
struct Forks;

#[acp_agent]
impl Forks {
    async fn new_session(&self) -> ((), Core) {
        ((), Core(1))
    }

    /// Goes on with a copy of the session.
    #[method("session/fork", opens, capability = "fork")]
    async fn fork(
        &self,
        params: Fork,
        Shared(core): Shared<Core>,
        session: SessionHandle<Config>,
    ) -> Result<OpenedSession<(), Config, Core>> {
        if params.fails {
            return Err(Error::invalid_params("it cannot be forked"));
        }
        let id = format!("{}-fork", session.id());
        assert!(params.cwd.is_none_or(|cwd| cwd.is_absolute()));
        Ok(OpenedSession::new(()).id(id).shared(Core(core.0 + 1)).config((*session.config()).clone()))
    }

    /// Opens a session that has nothing to do with another one.
    #[method("_example.com/scratch", opens)]
    async fn scratch(&self) -> Result<((), Core)> {
        Ok(((), Core(9)))
    }

    async fn session_opened(&self, session: SessionHandle<Config>, how: OpenedBy) -> Result<()> {
        assert_eq!(how, OpenedBy::New);
        session.info(SessionInfoUpdate::new().title("opened".to_owned())).await
    }

    async fn prompt(&self, Shared(core): Shared<Core>, turn: Turn<Config>) -> Result<StopReason> {
        turn.message(format!("{} {}", core.0, turn.config().mode)).await?;
        Ok(StopReason::EndTurn)
    }
}

async fn said(peer: &mut Peer, session: &str) -> String {
    let turn = peer.prompt(session, "?").await;
    let update = peer.update().await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    update["content"]["text"].as_str().expect("a text").to_owned()
}

#[tokio::test]
async fn a_method_of_ones_own_opens_a_session() {
    let mut peer = Peer::serve(Forks).knowing(&["/agentCapabilities/sessionCapabilities/fork"]);
    let initialized = peer.initialize(all_capabilities()).await;
    assert_eq!(initialized["agentCapabilities"]["sessionCapabilities"]["fork"], json!({}));
    let id = peer.new_session().await;
    assert_eq!(peer.update().await["title"], "opened");
    peer.call("session/set_mode", json!({ "sessionId": id, "modeId": "auto" })).await.unwrap();
    peer.update().await;
    let forked =
        peer.call("session/fork", json!({ "sessionId": id, "cwd": "/elsewhere", "mcpServers": [] })).await.unwrap();
    let fork = format!("{id}-fork");
    assert_eq!(forked["sessionId"], fork.as_str());
    assert_eq!(
        (&forked["modes"]["currentModeId"], &forked["configOptions"][0]["currentValue"]),
        (&json!("auto"), &json!("auto"))
    );
    assert_eq!(peer.update().await["title"], "opened");
    assert_eq!(said(&mut peer, &fork).await, "2 auto");
    assert_eq!(said(&mut peer, &id).await, "1 auto");
}

#[tokio::test]
async fn a_method_that_opens_needs_no_session_and_makes_an_id() {
    let mut peer = Peer::serve(Forks).knowing(&["/agentCapabilities/sessionCapabilities/fork"]);
    peer.initialize(all_capabilities()).await;
    let opened = peer.call("_example.com/scratch", json!({})).await.unwrap();
    let id = opened["sessionId"].as_str().expect("an id").to_owned();
    assert_eq!(peer.update().await["title"], "opened");
    assert_eq!(said(&mut peer, &id).await, "9 ask");
}

#[tokio::test]
async fn a_session_that_cannot_be_opened_is_refused() {
    let mut peer = Peer::serve(Forks).knowing(&["/agentCapabilities/sessionCapabilities/fork"]);
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    peer.update().await;
    let fork = async |peer: &mut Peer, params| super::refused(peer, "session/fork", params).await;
    assert_eq!(fork(&mut peer, json!({ "sessionId": "none" })).await, -32602);
    assert_eq!(fork(&mut peer, json!({ "sessionId": id, "fails": true })).await, -32602);
    assert_eq!(fork(&mut peer, json!({ "sessionId": id, "cwd": "here" })).await, -32602);
    peer.call("session/fork", json!({ "sessionId": id })).await.unwrap();
    peer.update().await;
    // The agent chooses the same id again.
    assert_eq!(fork(&mut peer, json!({ "sessionId": id })).await, -32603);
    assert_eq!(said(&mut peer, &id).await, "1 ask");
}
