//! Sessions that a prompt or a change of options opens.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use acp_runtime::{
    prelude::*,
    session::OpenedBy,
    store::{MemoryStore, SessionStore},
    values::ResumeSessionRequest,
};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values("ask", "auto"), default = "ask", category = "mode")]
    mode: String,
}

/// Has sessions on disk, as it were: those whose names begin with `kept`.
#[acp_agent(config = Config, session = String, on_demand, turns = "queue")]
#[derive(Clone)]
struct Keeps {
    resumed: Arc<AtomicUsize>,
    /// Lets resumes go on.
    gate: Arc<Semaphore>,
}

impl Keeps {
    fn new(permits: usize) -> Self {
        Self { resumed: Arc::default(), gate: Arc::new(Semaphore::new(permits)) }
    }
}

#[acp_agent]
impl Keeps {
    async fn resume_session(&self, request: ResumeSessionRequest) -> Result<OpenedSession<String, Config>> {
        self.resumed.fetch_add(1, Ordering::SeqCst);
        self.gate.acquire().await.expect("open").forget();
        let id = request.session_id.to_string();
        if !id.starts_with("kept") || !request.cwd.is_absolute() {
            return Err(Error::session_not_found(&id));
        }
        Ok(OpenedSession::new(id).config(Config { mode: "auto".to_owned() }).cwd("/kept"))
    }

    async fn session_opened(&self, how: OpenedBy) {
        assert!(matches!(how, OpenedBy::Resumed | OpenedBy::New));
    }

    /// Says something.
    #[command]
    async fn hello(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.message("hello").await?;
        Ok(StopReason::EndTurn)
    }

    async fn prompt(&self, request: PromptRequest, session: &mut String, turn: Turn<Config>) -> Result<StopReason> {
        if request.text() == "wait" {
            turn.cancelled().await;
        }
        let place = turn.cwd();
        turn.message(format!("{session} {} {} in {}", request.text(), turn.config().mode, place.display())).await?;
        Ok(StopReason::EndTurn)
    }
}

async fn peer(agent: &Keeps) -> Peer {
    let mut peer = Peer::serve(agent.clone());
    peer.initialize(all_capabilities()).await;
    peer
}

/// The next update with a text.
async fn text(peer: &mut Peer) -> String {
    loop {
        if let Some(text) = peer.update().await["content"]["text"].as_str() {
            return text.to_owned();
        }
    }
}

async fn kinds(peer: &mut Peer, number: usize) -> Vec<Value> {
    let mut kinds = Vec::new();
    for _ in 0..number {
        kinds.push(peer.update().await["sessionUpdate"].clone());
    }
    kinds
}

#[tokio::test]
async fn a_prompt_resumes_the_session_that_it_names_once() {
    let agent = Keeps::new(0);
    let mut peer = peer(&agent).await;
    let (first, second) = (peer.prompt("kept", "one").await, peer.prompt("kept", "two").await);
    let set = peer.request("session/set_mode", json!({ "sessionId": "kept", "modeId": "ask" })).await;
    agent.gate.add_permits(1);
    let said = text(&mut peer).await;
    assert!(said.starts_with("kept one") && said.ends_with("in /kept"), "{said}");
    assert_eq!(peer.stop_reason(first).await, "end_turn");
    peer.answer(set).await.unwrap();
    assert_eq!(peer.stop_reason(second).await, "end_turn");
    let third = peer.prompt("kept", "three").await;
    assert_eq!(peer.stop_reason(third).await, "end_turn");
    assert_eq!(agent.resumed.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_client_learns_what_the_answer_would_have_told() {
    let agent = Keeps::new(1);
    let mut peer = peer(&agent).await;
    let turn = peer.prompt("kept", "one").await;
    let mut told = kinds(&mut peer, 4).await;
    told.sort_by_key(ToString::to_string);
    let expected = ["agent_message_chunk", "available_commands_update", "config_option_update", "current_mode_update"];
    assert_eq!(told, expected);
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
}

#[tokio::test]
async fn a_set_and_a_command_resume_too() {
    let agent = Keeps::new(2);
    let mut peer = peer(&agent).await;
    let set = json!({ "sessionId": "kept", "configId": "mode", "value": "ask" });
    let options = peer.call("session/set_config_option", set).await.unwrap();
    assert_eq!(options["configOptions"][0]["currentValue"], "ask");
    let turn = peer.prompt("kept 2", "/hello").await;
    assert_eq!(text(&mut peer).await, "hello");
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    assert_eq!(agent.resumed.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_resume_that_fails_is_the_answer_of_all_that_wait_and_is_tried_again() {
    let agent = Keeps::new(0);
    let mut peer = peer(&agent).await;
    let (first, second) = (peer.prompt("gone", "one").await, peer.prompt("gone", "two").await);
    agent.gate.add_permits(2);
    for turn in [first, second] {
        assert_eq!(peer.answer(turn).await.unwrap_err().code, -32002);
    }
    assert_eq!(agent.resumed.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_cancel_reaches_what_waits_before_it_and_nothing_else() {
    let agent = Keeps::new(0);
    let mut peer = peer(&agent).await;
    let first = peer.prompt("kept", "wait").await;
    peer.cancel("kept").await;
    let second = peer.prompt("kept", "two").await;
    agent.gate.add_permits(1);
    assert_eq!(peer.stop_reason(first).await, "cancelled");
    assert_eq!(peer.stop_reason(second).await, "end_turn");
}

#[tokio::test]
async fn a_request_that_is_withdrawn_while_it_waits_is_answered_so() {
    let agent = Keeps::new(0);
    let mut peer = peer(&agent).await;
    let (first, second) = (peer.prompt("kept", "one").await, peer.prompt("kept", "two").await);
    peer.notify("$/cancel_request", json!({ "requestId": first })).await;
    assert_eq!(peer.answer(first).await.unwrap_err().code, -32800);
    agent.gate.add_permits(1);
    assert_eq!(peer.stop_reason(second).await, "end_turn");
}

/// The session is free then, also for a close.
#[tokio::test]
async fn a_resume_that_never_ends_is_given_up_when_nobody_waits_for_it() {
    let agent = Keeps::new(0);
    let mut peer = peer(&agent).await;
    let (first, second) = (peer.prompt("kept", "one").await, peer.prompt("kept", "two").await);
    peer.cancel("kept").await;
    for turn in [first, second] {
        assert_eq!(peer.stop_reason(turn).await, "cancelled");
    }
    agent.gate.add_permits(1);
    let third = peer.prompt("kept", "three").await;
    assert_eq!(peer.stop_reason(third).await, "end_turn");
}

#[tokio::test]
async fn a_hang_up_gives_up_what_waits() {
    let agent = Keeps::new(0);
    let mut peer = peer(&agent).await;
    peer.prompt("kept", "one").await;
    peer.prompt("kept", "two").await;
    peer.settled().await;
    peer.hang_up().await;
    assert_eq!(agent.resumed.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn other_sessions_do_not_wait() {
    let agent = Keeps::new(0);
    let mut peer = peer(&agent).await;
    let waits = peer.prompt("kept", "one").await;
    let id = peer.new_session().await;
    let turn = peer.prompt(&id, "two").await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    agent.gate.add_permits(1);
    assert_eq!(peer.stop_reason(waits).await, "end_turn");
}

/// Has its sessions in a store.
#[acp_agent(config = Config, store = store, on_demand)]
#[derive(Clone)]
struct Stores {
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Stores {
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        let said = turn.history().expect("a store").read_all().await?.len();
        turn.message(format!("{said} {}", turn.config().mode)).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_session_of_a_store_is_resumed_where_it_was() {
    let agent = Stores { store: Arc::new(MemoryStore::new()) };
    let mut first = Peer::serve(agent.clone());
    first.initialize(all_capabilities()).await;
    let new = json!({ "cwd": "/project", "mcpServers": [] });
    let id = first.call("session/new", new).await.unwrap()["sessionId"].as_str().expect("an id").to_owned();
    first.call("session/set_mode", json!({ "sessionId": id, "modeId": "auto" })).await.unwrap();
    let turn = first.prompt(&id, "one").await;
    assert_eq!(text(&mut first).await, "1 auto");
    assert_eq!(first.stop_reason(turn).await, "end_turn");
    first.hang_up().await;

    let mut second = Peer::serve(agent);
    second.initialize(all_capabilities()).await;
    let turns = [second.prompt(&id, "two").await, second.prompt("none", "two").await];
    assert_eq!(text(&mut second).await, "3 auto");
    assert_eq!(second.stop_reason(turns[0]).await, "end_turn");
    assert_eq!(second.answer(turns[1]).await.unwrap_err().code, -32002);
    let listed = second.call("session/list", json!({})).await.unwrap();
    assert_eq!(listed["sessions"][0]["cwd"], "/project");
}

/// Stays on one thread.
#[acp_agent(local, on_demand)]
#[derive(Clone)]
struct Local;

#[acp_agent]
impl Local {
    async fn resume_session(&self) {}

    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        let text = std::rc::Rc::new("here");
        turn.message(*text).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn an_agent_of_one_thread_resumes_on_its_thread() {
    let talk = async {
        let mut peer = Peer::serve_local(Local);
        peer.initialize(all_capabilities()).await;
        let turn = peer.prompt("any", "?").await;
        assert_eq!(text(&mut peer).await, "here");
        assert_eq!(peer.stop_reason(turn).await, "end_turn");
    };
    tokio::task::LocalSet::new().run_until(talk).await;
}
