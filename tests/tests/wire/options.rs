//! Config options: every answer has the full state, a refusal changes nothing, booleans are hidden where needed, and
//! the modes of v1 mirror an option.

use acp_tests::peer::{Message, Peer, all_capabilities};
use serde_json::{Value, json};

use crate::wire::agents::Scripted;

/// The value of each option, in order.
fn values(options: &Value) -> Vec<(&str, &Value)> {
    let options = options.as_array().expect("a list of options");
    options.iter().map(|option| (option["id"].as_str().expect("an id"), &option["currentValue"])).collect()
}

async fn set(peer: &mut Peer, session: &str, option: &str, value: Value) -> Result<Value, i32> {
    let mut params = json!({ "sessionId": session, "configId": option, "value": value });
    if value.is_boolean() {
        params["type"] = json!("boolean");
    }
    let answer = peer.call("session/set_config_option", params).await;
    answer.map(|mut answer| answer["configOptions"].take()).map_err(|refusal| refusal.code)
}

/// Opens a session. Also returns the answer to `session/new`.
async fn opened() -> (Peer, String, Value) {
    let mut peer = Peer::serve(Scripted::default());
    peer.initialize(all_capabilities()).await;
    let opened = peer.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await.expect("a session");
    let id = opened["sessionId"].as_str().expect("its id").to_owned();
    (peer, id, opened)
}

// CFG-02, CFG-03, CFG-04, CFG-06
#[tokio::test]
async fn a_new_session_has_the_declared_options_with_their_defaults() {
    let (_, _, opened) = opened().await;
    assert_eq!(
        opened["configOptions"],
        json!([
            {
                "id": "mode", "name": "Mode", "description": "What the agent may do.", "category": "mode",
                "type": "select", "currentValue": "code",
                "options": [
                    { "value": "ask", "name": "Ask", "description": "Answer only." },
                    { "value": "code", "name": "Code", "description": "Edit too." },
                ],
            },
            {
                "id": "model", "name": "Model", "description": "Which model answers.", "category": "model",
                "type": "select", "currentValue": "fast",
                "options": [
                    { "value": "fast", "name": "Fast", "description": "Quick." },
                    { "value": "smart", "name": "Smart", "description": "Deep." },
                ],
            },
            { "id": "brave", "name": "Brave", "description": "Ask nobody.", "type": "boolean", "currentValue": false },
        ])
    );
}

// MODE-01, CFG-15
#[tokio::test]
async fn the_option_of_category_mode_is_also_the_modes() {
    let (_, _, opened) = opened().await;
    assert_eq!(
        opened["modes"],
        json!({
            "currentModeId": "code",
            "availableModes": [
                { "id": "ask", "name": "Ask", "description": "Answer only." },
                { "id": "code", "name": "Code", "description": "Edit too." },
            ],
        })
    );
}

// CFG-10, CFG-11
#[tokio::test]
async fn a_change_is_answered_with_the_full_state_and_nothing_else_is_sent() {
    let (mut peer, id, opened) = opened().await;
    let mut expected = opened["configOptions"].clone();
    expected[1]["currentValue"] = json!("smart");
    assert_eq!(set(&mut peer, &id, "model", json!("smart")).await, Ok(expected.clone()));
    expected[2]["currentValue"] = json!(true);
    assert_eq!(set(&mut peer, &id, "brave", json!(true)).await, Ok(expected));
    assert_eq!(peer.settled().await, []);
    peer.turn(&id, "config").await;
    assert_eq!(peer.updates()[0]["content"]["text"], "Code Smart true", "the handler sees it");
}

// CFG-14, MODE-03
#[tokio::test]
async fn unknown_options_and_values_are_refused_and_change_nothing() {
    let (mut peer, id, opened) = opened().await;
    for (option, value) in [
        ("colour", json!("red")),
        ("", json!("fast")),
        ("Model", json!("smart")),
        ("model", json!("genius")),
        ("model", json!("Smart")),
        ("model", json!("")),
        ("model", json!(true)),
        ("mode", json!("smart")),
        ("brave", json!("true")),
        ("brave", json!("yes")),
    ] {
        assert_eq!(set(&mut peer, &id, option, value.clone()).await, Err(-32602), "{option} {value}");
    }
    let unknown = json!({ "sessionId": id, "modeId": "yolo" });
    assert_eq!(peer.call("session/set_mode", unknown).await.unwrap_err().code, -32602);
    assert_eq!(peer.settled().await, [], "nothing was published");
    assert_eq!(set(&mut peer, &id, "model", json!("fast")).await, Ok(opened["configOptions"].clone()));
}

#[tokio::test]
async fn a_refusal_names_what_is_offered() {
    let (mut peer, id, _) = opened().await;
    let params = json!({ "sessionId": id, "configId": "model", "value": "genius" });
    let refused = peer.call("session/set_config_option", params).await.unwrap_err();
    assert!(refused.message.contains("fast") && refused.message.contains("smart"), "{refused:?}");
    let params = json!({ "sessionId": id, "configId": "colour", "value": "red" });
    let refused = peer.call("session/set_config_option", params).await.unwrap_err();
    assert!(refused.message.contains("model") && refused.message.contains("brave"), "{refused:?}");
}

// CFG-17, CFG-19
#[tokio::test]
async fn values_are_read_as_clients_send_them() {
    let (mut peer, id, _) = opened().await;
    let cases = [
        (json!({ "configId": "model", "value": "smart" }), Ok(1)),
        (json!({ "configId": "model", "type": "id", "value": "fast" }), Ok(1)),
        (json!({ "configId": "model", "type": "select", "value": "smart" }), Ok(1)),
        (json!({ "configId": "model", "type": "_vendor", "value": "fast" }), Ok(1)),
        (json!({ "configId": "model", "value": "smart", "_meta": { "x": 1 } }), Ok(1)),
        (json!({ "configId": "brave", "type": "boolean", "value": true }), Ok(2)),
        (json!({ "configId": "brave", "value": false }), Ok(2)),
        (json!({ "configId": "brave", "type": "boolean", "value": "true" }), Err(-32602)),
        (json!({ "configId": "brave", "type": "boolean", "value": 1 }), Err(-32602)),
        (json!({ "configId": "model", "type": "boolean", "value": true }), Err(-32602)),
        (json!({ "configId": "model", "value": null }), Err(-32602)),
    ];
    for (mut params, expected) in cases {
        let wanted = params["value"].clone();
        params["sessionId"] = json!(id);
        let answer = peer.call("session/set_config_option", params.clone()).await.map_err(|refusal| refusal.code);
        let reached = answer.map(|state| state["configOptions"].clone());
        match expected {
            Ok(index) => assert_eq!(reached.unwrap()[index as usize]["currentValue"], wanted, "{params}"),
            Err(code) => assert_eq!(reached, Err(code), "{params}"),
        }
    }
}

// CFG-05
#[tokio::test]
async fn a_boolean_is_in_no_payload_for_a_client_that_knows_none() {
    // The peer panics if it reads a boolean.
    let (mut peer, id) = Peer::session_with(Scripted::default(), json!({})).await;
    let expected = json!(["mode", "model"]);
    let ids = |options: &Value| values(options).iter().map(|(id, _)| json!(id)).collect::<Value>();
    let answered = set(&mut peer, &id, "model", json!("smart")).await.unwrap();
    assert_eq!(ids(&answered), expected);
    let loaded =
        peer.call("session/load", json!({ "sessionId": "stored", "cwd": "/", "mcpServers": [] })).await.unwrap();
    assert_eq!(ids(&loaded["configOptions"]), expected);
    let resumed = peer.call("session/resume", json!({ "sessionId": "stored", "cwd": "/" })).await.unwrap();
    assert_eq!(ids(&resumed["configOptions"]), expected);
    peer.updates();
    peer.turn(&id, "ask-mode").await;
    let update = peer.updates().into_iter().find(|update| update["sessionUpdate"] == "config_option_update").unwrap();
    assert_eq!(ids(&update["configOptions"]), expected);
}

// CFG-12, CFG-13, CFG-15
#[tokio::test]
async fn the_agents_own_change_is_published_once_with_the_full_state() {
    let (mut peer, id, opened) = opened().await;
    peer.turn(&id, "smart").await;
    let mut expected = opened["configOptions"].clone();
    expected[1]["currentValue"] = json!("smart");
    assert_eq!(peer.updates(), [json!({ "sessionUpdate": "config_option_update", "configOptions": expected })]);
    peer.turn(&id, "smart").await;
    assert_eq!(peer.updates(), Vec::<Value>::new(), "nothing changed, nothing is sent");
}

// MODE-04, CFG-15
#[tokio::test]
async fn the_agents_own_change_of_mode_is_published_in_both_ways() {
    let (mut peer, id, _) = opened().await;
    peer.turn(&id, "ask-mode").await;
    let updates = peer.updates();
    let kinds: Vec<_> = updates.iter().map(|update| update["sessionUpdate"].as_str().unwrap()).collect();
    assert_eq!(kinds.len(), 2, "{kinds:?}");
    let of = |kind: &str| updates.iter().find(|update| update["sessionUpdate"] == kind).expect("an update");
    assert_eq!(values(&of("config_option_update")["configOptions"])[0], ("mode", &json!("ask")));
    assert_eq!(of("current_mode_update")["currentModeId"], "ask");
}

// CFG-15, MODE-04
#[tokio::test]
async fn setting_the_mode_option_updates_the_mode_and_only_that() {
    let (mut peer, id, _) = opened().await;
    let state = set(&mut peer, &id, "mode", json!("ask")).await.unwrap();
    assert_eq!(values(&state)[0], ("mode", &json!("ask")));
    let sent = peer.settled().await;
    let params =
        json!({ "sessionId": id, "update": { "sessionUpdate": "current_mode_update", "currentModeId": "ask" } });
    assert_eq!(sent, [Message::Notification { method: "session/update".to_owned(), params }]);
    set(&mut peer, &id, "mode", json!("ask")).await.unwrap();
    assert_eq!(peer.settled().await, [], "nothing changed, nothing is sent");
}

// MODE-02, MODE-05, CFG-15
#[tokio::test]
async fn setting_the_mode_updates_the_options() {
    let (mut peer, id, opened) = opened().await;
    let answer = peer.call("session/set_mode", json!({ "sessionId": id, "modeId": "ask" })).await;
    assert_eq!(answer, Ok(json!({})));
    let mut expected = opened["configOptions"].clone();
    expected[0]["currentValue"] = json!("ask");
    let mut sent = peer.settled().await;
    let Some(Message::Notification { params, .. }) = sent.pop() else { panic!("no update") };
    assert_eq!(params["update"], json!({ "sessionUpdate": "config_option_update", "configOptions": expected }));
    assert_eq!(sent, [], "one update");
    peer.turn(&id, "config").await;
    assert_eq!(peer.updates()[0]["content"]["text"], "Ask Fast false");
}

// CFG-13, MODE-02
#[tokio::test]
async fn options_and_modes_can_be_set_during_a_turn() {
    let (mut peer, id, _) = opened().await;
    let turn = peer.prompt(&id, "wait").await;
    assert_eq!(peer.update().await["content"]["text"], "waiting");
    let state = set(&mut peer, &id, "model", json!("smart")).await.unwrap();
    assert_eq!(values(&state)[1], ("model", &json!("smart")));
    assert!(peer.call("session/set_mode", json!({ "sessionId": id, "modeId": "ask" })).await.is_ok());
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    peer.updates();
    peer.turn(&id, "config").await;
    assert_eq!(peer.updates()[0]["content"]["text"], "Ask Smart false");
}

#[tokio::test]
async fn sessions_have_options_of_their_own() {
    let (mut peer, first, _) = opened().await;
    let second = peer.new_session().await;
    set(&mut peer, &first, "model", json!("smart")).await.unwrap();
    let state = set(&mut peer, &second, "brave", json!(true)).await.unwrap();
    assert_eq!(values(&state)[1], ("model", &json!("fast")));
}
