//! Options and modes of a session (CFG, MODE).

use acp_client::{ConfigOption, Connection, CurrentValue, ErrorKind, Session};
use serde_json::{Value, json};

use super::{Agent, Nothing, connect_as, open};

async fn with(answer: Value) -> (Connection, Session, Agent) {
    let (connection, mut agent) = connect_as(Nothing, json!({})).await;
    let connection = connection.unwrap();
    let session = open(&connection, &mut agent, answer).await;
    (connection, session, agent)
}

fn select(id: &str, current: &str, values: &[&str]) -> Value {
    let values: Vec<_> = values.iter().map(|value| json!({ "value": value, "name": value })).collect();
    json!({ "id": id, "name": id, "type": "select", "currentValue": current, "options": values })
}

fn modes() -> Value {
    let modes = json!([{ "id": "ask", "name": "Ask" }, { "id": "code", "name": "Code" }]);
    json!({ "currentModeId": "ask", "availableModes": modes })
}

#[tokio::test]
async fn options_keep_their_order_and_categories_and_unknown_ones_are_shown() {
    let mut model = select("model", "a", &["a"]);
    model["category"] = "model".into();
    let mut odd = select("odd", "x", &["x"]);
    odd["category"] = "_vendor_stuff".into();
    let mut wrong = select("wrong", "x", &["x"]);
    wrong["category"] = json!(7);
    let dial = json!({ "id": "dial", "name": "Dial", "type": "dial", "currentValue": 7, "max": 11 });
    let grouped = json!({ "id": "g", "name": "G", "type": "select", "currentValue": "y", "options": [
        { "group": "one", "name": "One", "options": [{ "value": "x", "name": "X" }] },
        { "group": "two", "name": "Two", "options": [{ "value": "y", "name": "Y" }] },
    ] });
    let sent = json!([odd, dial, model, wrong, 7, { "name": "no id" }, grouped]);
    let (_connection, session, mut agent) = with(json!({ "sessionId": "s", "configOptions": sent })).await;
    let options = session.options();
    let told: Vec<_> = options.iter().map(|option| (option.id(), option.category())).collect();
    let expected =
        [("odd", Some("_vendor_stuff")), ("dial", None), ("model", Some("model")), ("wrong", None), ("g", None)];
    assert_eq!(told, expected);
    let of = |category| options.of_category(category).map(ConfigOption::id).collect::<Vec<_>>();
    assert_eq!((of("_vendor_stuff"), of("model"), of("thought_level")), (vec!["odd"], vec!["model"], vec![]));
    assert_eq!(options.get("g").unwrap().values(), ["x", "y"]);
    let dial = options.get("dial").unwrap();
    let ConfigOption::Unknown { name, raw, .. } = dial else { panic!("{dial:?}") };
    assert!(name == "Dial" && raw.get().contains(r#""max":11"#) && dial.current().is_none());
    // The client does not set an option of an unknown kind.
    let error = session.set_option("dial", "7").await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid(_)) && error.to_string().contains("`dial`"), "{error}");
    agent.hears_nothing().await;
}

#[tokio::test]
async fn an_option_is_set_to_one_of_its_values() {
    let switch = |on: bool| json!({ "id": "web", "name": "Web", "type": "boolean", "currentValue": on });
    let options = |model: &str, on| json!([select("model", model, &["a", "b"]), switch(on)]);
    let (_connection, session, mut agent) =
        with(json!({ "sessionId": "s", "configOptions": options("a", false) })).await;
    for (id, value, says) in
        [("model", "c", "it has `a`, `b`"), ("web", "true", "on or off"), ("x", "a", "no option `x`")]
    {
        let error = session.set_option(id, value).await.unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
    assert!(session.set_option("model", true).await.is_err());
    agent.hears_nothing().await;
    // An option can be set during a turn, and outside of turns.
    let turn = session.prompt("on").await.unwrap();
    let prompt = agent.next().await;
    let answer = json!({ "configOptions": options("b", true) });
    let (set, asked) = tokio::join!(session.set_option("model", "b"), agent.answer(answer));
    assert_eq!(asked["params"], json!({ "sessionId": "s", "configId": "model", "value": "b" }), "a value has no type");
    // The answer has all options, and so also the options that changed with this one.
    assert_eq!(set.unwrap().get("web").unwrap().current(), Some(CurrentValue::Boolean(true)));
    agent.send(json!({ "id": prompt["id"], "result": { "stopReason": "end_turn" } })).await;
    turn.finish().await.unwrap();
    let answer = json!({ "configOptions": options("b", false) });
    let (set, asked) = tokio::join!(session.set_option("web", false), agent.answer(answer));
    set.unwrap();
    assert_eq!(asked["params"], json!({ "sessionId": "s", "configId": "web", "type": "boolean", "value": false }));
    // After a refusal, the client has the old value.
    let (refused, _) = tokio::join!(session.set_option("model", "a"), agent.refuse(-32602));
    assert_eq!(refused.unwrap_err().refusal().unwrap().code(), -32602);
    assert_eq!(session.options().get("model").unwrap().current(), Some(CurrentValue::Id("b")));
    // An update has the whole list, too: an option that it does not list is gone.
    let params = json!({ "sessionUpdate": "config_option_update", "configOptions": [switch(true)] });
    agent.update(params).await;
    session.next_update().await.unwrap();
    assert_eq!(session.options().iter().map(ConfigOption::id).collect::<Vec<_>>(), ["web"]);
}

#[tokio::test]
async fn a_mode_is_set_to_one_that_is_available() {
    let (_connection, session, mut agent) = with(json!({ "sessionId": "s", "modes": modes() })).await;
    let mode = || session.modes().unwrap().current_mode_id.to_string();
    let error = session.set_mode("sleep").await.unwrap_err();
    assert!(error.to_string().contains("it has `ask`, `code`"), "{error}");
    agent.hears_nothing().await;
    // A mode can be set during a turn, too. An answer may have further members.
    let turn = session.prompt("on").await.unwrap();
    let prompt = agent.next().await;
    let (set, asked) = tokio::join!(session.set_mode("code"), agent.answer(json!({ "modeId": "code" })));
    set.unwrap();
    assert_eq!(asked["params"], json!({ "sessionId": "s", "modeId": "code" }));
    assert_eq!(mode(), "code");
    agent.send(json!({ "id": prompt["id"], "result": { "stopReason": "end_turn" } })).await;
    turn.finish().await.unwrap();
    let (set, _) = tokio::join!(session.set_mode("ask"), agent.answer(json!(null)));
    set.unwrap();
    assert_eq!(mode(), "ask");
    // In a session without modes, no mode can be set.
    let (_connection, session, mut agent) = with(json!({ "sessionId": "s" })).await;
    let (error, ()) = tokio::join!(session.set_mode("code"), agent.hears_nothing());
    assert!(error.unwrap_err().to_string().contains("it has none"));
}

/// The schema calls the new mode `currentModeId`, and a page of the protocol calls it `modeId`.
#[tokio::test]
async fn a_change_of_mode_is_read_under_both_of_its_names() {
    let (_connection, session, mut agent) = with(json!({ "sessionId": "s", "modes": modes() })).await;
    for (name, mode) in [("currentModeId", "code"), ("modeId", "ask"), ("modeId", "code")] {
        agent.update(json!({ "sessionUpdate": "current_mode_update", name: mode })).await;
        session.next_update().await.unwrap();
        assert_eq!(session.modes().unwrap().current_mode_id.to_string(), mode, "{name}");
    }
}
