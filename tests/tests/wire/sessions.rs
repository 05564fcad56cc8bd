//! Sessions: the tests open, load, close and delete them, and use unknown ids.

use acp_runtime::prelude::*;
use acp_tests::peer::{Message, Peer, all_capabilities, prompt};
use serde_json::{Value, json};

use crate::wire::agents::Scripted;

// SESS-01, SESS-04
#[tokio::test]
async fn every_session_has_an_id_and_a_state_of_its_own() {
    let (mut peer, first) = Peer::session(Scripted::default()).await;
    let mut ids = vec![first];
    for _ in 0..20 {
        ids.push(peer.new_session().await);
    }
    let distinct: std::collections::HashSet<_> = ids.iter().collect();
    assert_eq!(distinct.len(), ids.len());
    peer.turn(&ids[0], "one").await;
    peer.turn(&ids[1], "two").await;
    peer.updates();
    assert_eq!(peer.turn(&ids[0], "history").await, "end_turn");
    let [told] = &peer.updates()[..] else { panic!("one update") };
    assert_eq!(told["content"]["text"], "one|history");
}

/// Gives every session the same id.
#[acp_agent(session = ())]
#[derive(Clone)]
struct Unoriginal;

#[acp_agent]
impl Unoriginal {
    async fn new_session(&self) -> (SessionId, ()) {
        ("same".into(), ())
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

// SESS-01
#[tokio::test]
async fn an_id_that_another_session_has_is_refused() {
    let (mut peer, id) = Peer::session(Unoriginal).await;
    assert_eq!(id, "same");
    let refused = peer.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await.unwrap_err();
    assert_eq!(refused.code, -32603, "{refused:?}");
    assert_eq!(peer.turn(&id, "the first lives on").await, "end_turn");
    peer.call("session/close", json!({ "sessionId": id })).await.unwrap_err();
}

/// Stores each session under its id before the client knows the id.
#[acp_agent(session = SessionId)]
#[derive(Clone)]
struct Labelled;

#[acp_agent]
impl Labelled {
    async fn new_session(&self, id: &SessionId, request: NewSessionRequest) -> (SessionId, SessionId) {
        let own = request.cwd.ends_with("own");
        (if own { "own".into() } else { id.clone() }, id.clone())
    }

    async fn prompt(&self, session: &mut SessionId, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(session.to_string()).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn new_session_knows_the_id_before_the_client_does() {
    let (mut peer, id) = Peer::session(Labelled).await;
    assert_eq!(peer.turn(&id, "which?").await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], id.as_str());
    let named = peer.call("session/new", json!({ "cwd": "/own", "mcpServers": [] })).await.expect("opened");
    assert_eq!(named["sessionId"], "own", "the handler's own id wins");
}

/// Asks the client while the session is made.
#[acp_agent(session = ())]
#[derive(Clone)]
struct Curious;

#[acp_agent]
impl Curious {
    async fn new_session(&self, id: &SessionId, client: Client) -> Result<(SessionId, ())> {
        client.elicit_form("Which one?", acp_runtime::values::ElicitationSchema::new()).await?;
        Ok((id.clone(), ()))
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[tokio::test]
async fn what_new_session_asks_names_no_session_that_the_client_does_not_know() {
    let mut peer = Peer::serve(Curious);
    peer.initialize(json!({ "elicitation": { "form": {} } })).await;
    let opening = peer.request("session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
    let asked = peer.asked("elicitation/create").await;
    assert_eq!((&asked.params["sessionId"], &asked.params["requestId"]), (&Value::Null, &json!(opening)));
}

// SESS-02, RPC-14, LIST-03
#[tokio::test]
async fn relative_paths_are_refused() {
    let (mut peer, _) = Peer::session(Scripted::default()).await;
    for (method, params) in [
        ("session/new", json!({ "cwd": "project", "mcpServers": [] })),
        ("session/new", json!({ "cwd": "", "mcpServers": [] })),
        ("session/new", json!({ "cwd": "./project", "mcpServers": [] })),
        ("session/load", json!({ "sessionId": "stored", "cwd": "~/project", "mcpServers": [] })),
        ("session/resume", json!({ "sessionId": "stored", "cwd": "project" })),
        ("session/list", json!({ "cwd": "project" })),
    ] {
        let refused = peer.call(method, params.clone()).await.unwrap_err();
        assert_eq!(refused.code, -32602, "{method} {params}: {refused:?}");
    }
}

// DIRS-01, DIRS-03
#[tokio::test]
async fn further_directories_are_refused_unless_advertised() {
    let (mut peer, _) = Peer::session(Scripted::default()).await;
    let with = |roots: Value| json!({ "cwd": "/", "mcpServers": [], "additionalDirectories": roots });
    assert!(peer.call("session/new", with(json!([]))).await.is_ok());
    assert_eq!(peer.call("session/new", with(json!(["/usr"]))).await.unwrap_err().code, -32602);
}

// MCP-01, MCP-04, MCP-05, MCP-06
#[tokio::test]
async fn mcp_servers_are_accepted_over_what_was_advertised() {
    let (mut peer, _) = Peer::session(Scripted::default()).await;
    let with = |server: Value| json!({ "cwd": "/", "mcpServers": [server] });
    let stdio = json!({ "name": "n", "command": "/bin/true", "args": [], "env": [{ "name": "A", "value": "b" }] });
    assert!(peer.call("session/new", with(stdio)).await.is_ok());
    let lenient = json!({ "name": "n", "command": "/bin/true", "args": null, "env": null });
    assert!(peer.call("session/new", with(lenient)).await.is_ok());
    assert!(peer.call("session/new", json!({ "cwd": "/", "mcpServers": null })).await.is_ok());
    for refused in [
        json!({ "type": "http", "name": "n", "url": "http://localhost", "headers": [] }),
        json!({ "type": "sse", "name": "n", "url": "http://localhost", "headers": [] }),
        json!({ "name": "n" }),
        json!(5),
    ] {
        let refusal = peer.call("session/new", with(refused.clone())).await.unwrap_err();
        assert_eq!(refusal.code, -32602, "{refused}: {refusal:?}");
        for method in ["session/load", "session/resume"] {
            let reopen = json!({ "sessionId": "stored", "cwd": "/", "mcpServers": [refused] });
            assert_eq!(peer.call(method, reopen).await.unwrap_err().code, -32602, "{method} {refused}");
        }
    }
}

// SESS-06, LOAD-06
#[tokio::test]
async fn unknown_sessions_are_refused_by_name() {
    let (mut peer, _) = Peer::session(Scripted::default()).await;
    for (method, params) in [
        ("session/prompt", prompt("stranger", "hello")),
        ("session/load", json!({ "sessionId": "stranger", "cwd": "/", "mcpServers": [] })),
        ("session/resume", json!({ "sessionId": "stranger", "cwd": "/" })),
        ("session/close", json!({ "sessionId": "stranger" })),
        ("session/set_mode", json!({ "sessionId": "stranger", "modeId": "ask" })),
        ("session/set_config_option", json!({ "sessionId": "stranger", "configId": "model", "value": "fast" })),
    ] {
        let refused = peer.call(method, params).await.unwrap_err();
        assert_eq!((refused.code, refused.data), (-32002, Some(json!({ "sessionId": "stranger" }))), "{method}");
    }
}

// LOAD-02
#[tokio::test]
async fn a_load_replays_everything_before_its_answer() {
    let mut peer = Peer::serve(Scripted::default());
    peer.initialize(all_capabilities()).await;
    let load = json!({ "sessionId": "stored", "cwd": "/", "mcpServers": [] });
    let loaded = peer.call("session/load", load).await.unwrap();
    assert_eq!(loaded["configOptions"].as_array().unwrap().len(), 3);
    assert_eq!(loaded["modes"]["currentModeId"], "code");
    let replayed = peer.updates();
    let texts: Vec<_> = replayed.iter().map(|update| update["content"]["text"].as_str().unwrap()).collect();
    assert_eq!(texts.len(), 40);
    assert_eq!((texts[0], texts[39]), ("question 0", "answer 19"));
    assert_eq!(replayed[0]["sessionUpdate"], "user_message_chunk");
    assert_eq!(replayed[1]["sessionUpdate"], "agent_message_chunk");
    assert_eq!(peer.settled().await, [], "nothing follows the answer");
    assert_eq!(peer.turn("stored", "hello").await, "end_turn");
}

// RESUME-02
#[tokio::test]
async fn a_resume_replays_nothing() {
    let mut peer = Peer::serve(Scripted::default());
    peer.initialize(all_capabilities()).await;
    let resumed = peer.call("session/resume", json!({ "sessionId": "stored", "cwd": "/" })).await.unwrap();
    assert_eq!(resumed["configOptions"].as_array().unwrap().len(), 3);
    assert_eq!(peer.settled().await, []);
    assert_eq!(peer.turn("stored", "hello").await, "end_turn");
}

#[tokio::test]
async fn a_session_that_is_active_keeps_its_options_when_it_is_opened_again() {
    let mut peer = Peer::serve(Scripted::default());
    peer.initialize(all_capabilities()).await;
    let load = json!({ "sessionId": "stored", "cwd": "/", "mcpServers": [] });
    peer.call("session/load", load.clone()).await.unwrap();
    let set = json!({ "sessionId": "stored", "configId": "brave", "type": "boolean", "value": true });
    peer.call("session/set_config_option", set).await.unwrap();
    for (method, params) in [("session/load", load), ("session/resume", json!({ "sessionId": "stored", "cwd": "/" }))] {
        let opened = peer.call(method, params).await.unwrap();
        assert_eq!(opened["configOptions"][2]["currentValue"], true, "{method}");
    }
}

/// Closes a session during its turn. The answer to the prompt must come first.
async fn close_during_a_turn() {
    let (mut peer, _) = Peer::session(Scripted::default()).await;
    for round in 0..20 {
        let id = peer.new_session().await;
        let turn = peer.prompt(&id, "wait politely").await;
        assert_eq!(peer.update().await["content"]["text"], "waiting");
        let close = peer.request("session/close", json!({ "sessionId": id })).await;
        let (first, second) = (next_answer(&mut peer).await, next_answer(&mut peer).await);
        assert_eq!(first, (json!(turn), json!({ "stopReason": "cancelled" })), "round {round}");
        assert_eq!(second, (json!(close), json!({})), "round {round}");
        let prompt = peer.prompt(&id, "hello?").await;
        assert_eq!(peer.answer(prompt).await.expect_err("it is closed").code, -32002);
    }
}

async fn next_answer(peer: &mut Peer) -> (Value, Value) {
    loop {
        if let Message::Answer { id, outcome } = peer.next().await {
            return (id, outcome.expect("a result"));
        }
    }
}

// CLOSE-02
#[tokio::test]
async fn close_cancels_the_running_turn_first() {
    close_during_a_turn().await;
}

// CLOSE-02
#[tokio::test(flavor = "multi_thread")]
async fn close_cancels_the_running_turn_first_on_many_threads() {
    close_during_a_turn().await;
}

// CLOSE-03
#[tokio::test]
async fn a_closed_session_is_unknown() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    assert_eq!(peer.call("session/close", json!({ "sessionId": id })).await, Ok(json!({})));
    assert_eq!(peer.call("session/close", json!({ "sessionId": id })).await.unwrap_err().code, -32002);
    let set = json!({ "sessionId": id, "configId": "model", "value": "fast" });
    assert_eq!(peer.call("session/set_config_option", set).await.unwrap_err().code, -32002);
}

// DEL-02, DEL-03
#[tokio::test]
async fn a_session_is_deleted_whether_it_is_active_or_not() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let turn = peer.prompt(&id, "wait").await;
    peer.update().await;
    assert_eq!(peer.call("session/delete", json!({ "sessionId": id })).await, Ok(json!({})));
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    assert_eq!(peer.call("session/delete", json!({ "sessionId": id })).await, Ok(json!({})));
    assert_eq!(peer.call("session/delete", json!({ "sessionId": "never was" })).await, Ok(json!({})));
    let prompt = peer.prompt(&id, "hello?").await;
    assert_eq!(peer.answer(prompt).await.unwrap_err().code, -32002);
}

// LIST-06
#[tokio::test]
async fn a_listed_session_is_not_opened() {
    let mut peer = Peer::serve(Scripted::default());
    peer.initialize(all_capabilities()).await;
    let listed = peer.call("session/list", json!({})).await.unwrap();
    assert_eq!(listed, json!({ "sessions": [{ "sessionId": "stored", "cwd": "/" }] }));
    let prompt = peer.prompt("stored", "hello").await;
    assert_eq!(peer.answer(prompt).await.unwrap_err().code, -32002);
}
