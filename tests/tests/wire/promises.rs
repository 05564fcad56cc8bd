//! Mistakes that an agent tries to make. The runtime refuses the message, or repairs it.

mod agent;

use std::sync::atomic::Ordering;

use acp_tests::peer::{Message, Peer};
use serde_json::{Value, json};

use self::agent::careless;

/// A session for a client that can do everything and has authenticated.
async fn session() -> (Peer, String) {
    session_with(json!({
        "fs": { "readTextFile": true, "writeTextFile": true },
        "terminal": true,
        "session": { "notices": {}, "compaction": {} },
        "elicitation": { "form": {}, "url": {} },
    }))
    .await
}

async fn session_with(capabilities: Value) -> (Peer, String) {
    let agent = careless();
    agent.shared.signed_in.store(true, Ordering::Release);
    let mut peer = Peer::serve(agent);
    peer.initialize(capabilities).await;
    let id = peer.new_session().await;
    (peer, id)
}

// CFG-05, CFG-12, COMP-02, NOTICE-02, RPC-14, TOOL-05, FS-02, TERM-01, PERM-05
#[tokio::test]
async fn what_would_break_the_protocol_does_not_leave_the_agent() {
    let (mut peer, id) = session().await;
    for mistake in [
        "config update",
        "mode update",
        "half a compaction",
        "nameless notice",
        "relative terminal",
        "line zero",
        "relative location",
        "relative diff",
        "raw relative location",
        "raw line zero",
    ] {
        let turn = peer.prompt(&id, mistake).await;
        assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603, "{mistake}");
        assert_eq!(peer.settled().await, [], "{mistake}");
    }
    for mistake in ["location zero", "same option twice", "no option", "relative end", "relative show"] {
        let turn = peer.prompt(&id, mistake).await;
        assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603, "{mistake}");
        let states: Vec<Value> = peer.updates().iter_mut().map(|update| update["status"].take()).collect();
        assert_eq!(states, [Value::Null, json!("failed")], "{mistake}: the call is reported, and its end");
    }
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
}

// NOTICE-01, COMP-01
#[tokio::test]
async fn notices_and_compactions_are_for_clients_that_follow_them() {
    for capabilities in [json!({}), json!({ "session": {} }), json!({ "session": { "notices": null } })] {
        let (mut peer, id) = session_with(capabilities).await;
        for what in ["notice", "compaction", "compaction given up"] {
            assert_eq!(peer.turn(&id, what).await, "end_turn");
            assert_eq!(peer.settled().await, [], "{what}");
        }
        let turn = peer.prompt(&id, "raw notice").await;
        assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603);
        assert_eq!(peer.settled().await, []);
    }
    let (mut peer, id) = session().await;
    for what in ["notice", "raw notice"] {
        assert_eq!(peer.turn(&id, what).await, "end_turn");
        let notice = &peer.updates()[0];
        assert_eq!((&notice["sessionUpdate"], &notice["title"]), (&json!("notice"), &json!("News")));
    }
}

// COMP-01
#[tokio::test]
async fn compactions_are_replayed_to_clients_that_follow_them() {
    let load = json!({ "sessionId": "compaction", "cwd": "/", "mcpServers": [] });
    let (mut peer, _) = session_with(json!({})).await;
    assert_eq!(peer.call("session/load", load.clone()).await.unwrap_err().code, -32603);
    assert_eq!(peer.settled().await, []);
    let (mut peer, _) = session().await;
    peer.call("session/load", load).await.unwrap();
    assert_eq!(peer.updates()[0]["sessionUpdate"], "compaction_update");
}

// TOOL-02
#[tokio::test]
async fn tool_calls_have_ids_of_their_own() {
    let (mut peer, id) = session().await;
    for _ in 0..2 {
        assert_eq!(peer.turn(&id, "many calls").await, "end_turn");
    }
    let updates = peer.updates();
    let mut ids = std::collections::HashSet::new();
    for call in updates.chunks(2) {
        let [call, end] = call else { panic!("a call without its end") };
        assert_eq!((&call["sessionUpdate"], &end["status"]), (&json!("tool_call"), &json!("completed")));
        assert_eq!(call["toolCallId"], end["toolCallId"]);
        assert!(ids.insert(call["toolCallId"].to_string()), "used twice");
    }
    assert_eq!(ids.len(), 40);
}

// EXT-05
#[tokio::test]
async fn meta_reaches_the_handler() {
    let (mut peer, id) = session().await;
    for meta in [json!(null), json!({}), json!({ "acme.dev/trace": [1, { "deep": null }], "traceparent": "00-a-b-01" })]
    {
        let mut params = acp_tests::peer::prompt(&id, "meta");
        params["_meta"] = meta.clone();
        peer.call("session/prompt", params).await.unwrap();
        let told = peer.updates()[0]["content"]["text"].as_str().unwrap().to_owned();
        assert_eq!(serde_json::from_str::<Value>(&told).unwrap(), meta);
    }
}

// COMP-02
#[tokio::test]
async fn a_compaction_ends_once_and_its_id_is_its_own() {
    let (mut peer, id) = session().await;
    let mut ids = std::collections::HashSet::new();
    for (how, end) in [("compaction", "completed"), ("compaction given up", "cancelled"), ("compaction", "completed")] {
        assert_eq!(peer.turn(&id, how).await, "end_turn");
        let updates = peer.updates();
        let of = &updates[0]["compactionId"];
        assert!(updates.iter().all(|update| update["compactionId"] == *of), "{updates:?}");
        let states: Vec<&Value> =
            updates.iter().map(|update| &update["status"]).filter(|state| !state.is_null()).collect();
        assert_eq!(states, ["in_progress", end], "{how}");
        assert!(ids.insert(of.to_string()), "used twice");
    }
}

// ELIC-01
#[tokio::test]
async fn users_are_asked_only_in_the_ways_that_the_client_has() {
    for elicitation in [json!(null), json!({}), json!({ "url": {} }), json!({ "form": null })] {
        let (mut peer, id) = session_with(json!({ "elicitation": elicitation })).await;
        let turn = peer.prompt(&id, "form").await;
        assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603, "{elicitation}");
        assert_eq!(peer.settled().await, [], "{elicitation}");
    }
    let (mut peer, id) = session_with(json!({ "elicitation": { "form": {} } })).await;
    let turn = peer.prompt(&id, "same errand twice").await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603);
    assert_eq!(peer.settled().await, []);
}

// ELIC-02, ELIC-04
#[tokio::test]
async fn only_what_the_user_accepted_is_an_answer() {
    let (mut peer, id) = session().await;
    for (answer, said) in [
        (json!({ "action": "accept", "content": { "a": "x" } }), "accepted 1"),
        (json!({ "action": "accept" }), "accepted 0"),
        (json!({ "action": "decline", "content": { "a": "x" } }), "Declined"),
        (json!({ "action": "cancel" }), "Cancelled"),
        (json!({ "action": "postpone" }), "Cancelled"),
    ] {
        let turn = peer.prompt(&id, "form").await;
        let asked = peer.asked("elicitation/create").await;
        assert_eq!(asked.params["mode"], "form");
        assert_eq!(asked.params["message"], "Which?");
        assert_eq!(asked.params["sessionId"], id.as_str());
        assert!(asked.params["requestedSchema"].is_object());
        peer.reply(&asked, answer.clone()).await;
        assert_eq!(peer.stop_reason(turn).await, "end_turn", "{answer}");
        assert_eq!(peer.updates()[0]["content"]["text"], said, "{answer}");
    }
    let turn = peer.prompt(&id, "form").await;
    let asked = peer.asked("elicitation/create").await;
    peer.refuse(&asked, -32602, "no").await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32602);
}

// ELIC-05
#[tokio::test]
async fn an_errand_is_named_once_and_completed_once() {
    let (mut peer, id) = session().await;
    let turn = peer.prompt(&id, "same errand twice").await;
    let asked = peer.asked("elicitation/create").await;
    assert_eq!((&asked.params["mode"], &asked.params["elicitationId"]), (&json!("url"), &json!("errand")));
    peer.reply(&asked, json!({ "action": "accept" })).await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603, "the second completion is refused");
    let completed = Message::Notification {
        method: "elicitation/complete".to_owned(),
        params: json!({ "elicitationId": "errand" }),
    };
    assert_eq!(peer.settled().await, [completed]);
}

// AUTH-01, AUTH-02, AUTH-10, ELIC-02
#[tokio::test]
async fn ways_to_authenticate_are_offered_to_who_can_go_them() {
    let (mut peer, _) = session_with(json!({ "auth": { "terminal": true } })).await;
    assert_eq!(peer.settled().await, []);
    let mut peer = Peer::serve(careless());
    let methods = peer.initialize(json!({ "auth": { "terminal": true } })).await["authMethods"].take();
    let terminal = json!({ "type": "terminal", "id": "login", "name": "Log in", "args": ["--login"] });
    assert_eq!(methods, json!([{ "id": "key", "name": "Key" }, terminal]));
    for id in ["login", "nonsense", ""] {
        let refused = peer.call("authenticate", json!({ "methodId": id })).await.unwrap_err();
        assert_eq!(refused.code, -32602, "{id}");
    }
    for capabilities in [json!({}), json!({ "auth": { "terminal": false } }), json!({ "auth": { "terminal": "yes" } })]
    {
        let mut peer = Peer::serve(careless());
        let methods = peer.initialize(capabilities.clone()).await["authMethods"].take();
        assert_eq!(methods, json!([{ "id": "key", "name": "Key" }]), "{capabilities}");
    }
    // Without a session, the question to the user belongs to the request.
    let mut peer = Peer::serve(careless());
    peer.initialize(json!({ "elicitation": { "form": {} } })).await;
    let request = peer.request("authenticate", json!({ "methodId": "key" })).await;
    let asked = peer.asked("elicitation/create").await;
    assert_eq!(asked.params["requestId"], request);
    peer.reply(&asked, json!({ "action": "accept" })).await;
    assert_eq!(peer.answer(request).await, Ok(json!({})));
}

// AUTH-04, AUTH-05, AUTH-07
#[tokio::test]
async fn a_gated_agent_lets_in_who_has_authenticated() {
    let mut peer = Peer::serve(careless());
    let can = peer.initialize(json!({})).await["agentCapabilities"].take();
    assert!(can["auth"]["logout"].is_object(), "{can}");
    let new = || json!({ "cwd": "/", "mcpServers": [] });
    assert_eq!(peer.call("session/new", new()).await.unwrap_err().code, -32000);
    assert_eq!(peer.call("authenticate", json!({ "methodId": "key" })).await, Ok(json!({})));
    peer.call("session/new", new()).await.unwrap();
    assert_eq!(peer.call("logout", json!({})).await, Ok(json!({})));
    assert_eq!(peer.call("session/new", new()).await.unwrap_err().code, -32000);
}

// LIST-02, LIST-03, LIST-05, DIRS-04
#[tokio::test]
async fn lists_keep_to_what_was_asked_for() {
    let (mut peer, _) = session().await;
    let all = peer.call("session/list", json!({})).await.unwrap();
    let a = json!({ "sessionId": "a", "cwd": "/a", "additionalDirectories": ["/more"] });
    assert_eq!(all["sessions"], json!([a, { "sessionId": "b", "cwd": "/b" }]));
    assert_eq!(peer.call("session/list", json!({ "cwd": "/a" })).await.unwrap()["sessions"], json!([a]));
    assert_eq!(peer.call("session/list", json!({ "cwd": "/c" })).await.unwrap()["sessions"], json!([]));
    for cursor in ["relative", "relative root"] {
        assert_eq!(peer.call("session/list", json!({ "cursor": cursor })).await.unwrap_err().code, -32603, "{cursor}");
    }
    assert_eq!(peer.call("session/list", json!({ "cursor": "made up" })).await.unwrap_err().code, -32602);
}

// LOAD-02, LOAD-05
#[tokio::test]
async fn a_replay_tells_the_past_and_ends_with_the_answer() {
    let (mut peer, id) = session().await;
    let load = |session: &str| json!({ "sessionId": session, "cwd": "/", "mcpServers": [] });
    for what in ["notice", "options"] {
        assert_eq!(peer.call("session/load", load(what)).await.unwrap_err().code, -32603, "{what}");
        assert_eq!(peer.settled().await, [], "{what}");
    }
    peer.call("session/load", load("stored")).await.unwrap();
    assert_eq!(peer.updates()[0]["sessionUpdate"], "user_message_chunk");
    let turn = peer.prompt(&id, "late replay").await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603);
    assert_eq!(peer.settled().await, []);
}

// DIRS-03, DIRS-05
#[tokio::test]
async fn further_directories_are_absolute() {
    let (mut peer, _) = session().await;
    for (directories, accepted) in
        [(json!([]), true), (json!(["/b", "/c"]), true), (json!(["/b", "c"]), false), (json!([""]), false)]
    {
        let params = json!({ "cwd": "/", "mcpServers": [], "additionalDirectories": directories });
        match peer.call("session/new", params).await {
            Ok(_) => assert!(accepted, "{directories}"),
            Err(refusal) => assert_eq!((refusal.code, accepted), (-32602, false), "{directories}"),
        }
    }
}

// USAGE-01, INFO-01, CMD-01, PLAN-01, PLAN-02
#[tokio::test]
async fn reports_have_the_shape_that_clients_read() {
    let (mut peer, id) = session().await;
    assert_eq!(peer.turn(&id, "reports").await, "end_turn");
    let expected = [
        json!({ "sessionUpdate": "usage_update", "used": 10, "size": 100 }),
        json!({ "sessionUpdate": "session_info_update", "title": "Title" }),
        json!({ "sessionUpdate": "session_info_update", "title": null }),
        json!({
            "sessionUpdate": "available_commands_update",
            "availableCommands": [{ "name": "plan", "description": "Make one" }],
        }),
        json!({
            "sessionUpdate": "plan",
            "entries": [{ "content": "Look", "priority": "high", "status": "pending" }],
        }),
        json!({ "sessionUpdate": "agent_thought_chunk", "content": { "type": "text", "text": "hm" } }),
    ];
    assert_eq!(peer.updates(), expected);
}
