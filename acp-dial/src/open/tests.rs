use serde_json::{Value, json, value::RawValue};

use super::{table::Learnt, *};
use crate::message::{Kind, Message, params_of};

/// The session of a message that leaves.
fn leaves(open: &Open, text: &str) -> Option<Box<str>> {
    open.leaves(&Message::read(text.into()).unwrap())?.session
}

#[test]
fn an_answer_belongs_to_the_session_of_its_question() {
    let open = Open::default();
    let question = br#"{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s"}}"#;
    open.arrives(question, None);
    open.arrives(br#"{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{}}"#, Some("t"));
    open.arrives(br#"{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{}}"#, None);
    for (id, session) in [(1, Some("s")), (2, Some("t")), (3, None), (1, None)] {
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
        assert_eq!(leaves(&open, &answer).as_deref(), session, "{id}");
    }
}

#[test]
fn answers_open_and_end_sessions_once() {
    let open = Open::default();
    let ask = |id: u64, method: &str, session: &str| {
        let params = if session.is_empty() { "{}".to_owned() } else { format!(r#"{{"sessionId":"{session}"}}"#) };
        let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#);
        leaves(&open, &request);
    };
    let answer = |text: &str| open.arrives(text.as_bytes(), None);
    let some = |text: &str| Some(Box::<str>::from(text));
    ask(1, "session/new", "");
    let new = r#"{"jsonrpc":"2.0","id":"1","result":{"sessionId":"s"}}"#;
    assert_eq!(answer(new), Learnt { opened: some("s"), method: some("session/new"), ..Learnt::default() });
    assert_eq!(answer(new), Learnt::default(), "the second one");
    ask(2, "session/fork", "s");
    let fork = answer(r#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"t"}}"#);
    assert_eq!(fork, Learnt { opened: some("t"), method: some("session/fork"), about: some("s"), ..Learnt::default() });
    assert!(!open.is_asked_about("s"));
    ask(3, "session/load", "u");
    let loaded = answer(r#"{"jsonrpc":"2.0","id":3,"result":null}"#);
    assert_eq!(
        loaded,
        Learnt {
            opened: some("u"),
            method: some("session/load"),
            about: some("u"),
            behind: some("u"),
            ..Learnt::default()
        }
    );
    ask(4, "session/load", "v");
    let refused = answer(r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32002,"message":"no"}}"#);
    assert_eq!(
        refused,
        Learnt {
            refused: some("v"),
            method: some("session/load"),
            about: some("v"),
            behind: some("v"),
            ..Learnt::default()
        }
    );
    ask(5, "session/close", "s");
    let closed = answer(r#"{"jsonrpc":"2.0","id":5,"result":{}}"#);
    assert_eq!(
        closed,
        Learnt { ended: some("s"), method: some("session/close"), about: some("s"), ..Learnt::default() }
    );
    ask(6, "session/prompt", "t");
    let cancel = r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":6}}"#;
    assert_eq!(leaves(&open, cancel).as_deref(), Some("t"), "it follows its request");
    assert!(open.is_asked_about("t"));
    let ended = answer(r#"{"jsonrpc":"2.0","id":6,"result":{"stopReason":"end_turn"}}"#);
    assert_eq!(
        ended,
        Learnt { prompted: some("t"), method: some("session/prompt"), about: some("t"), ..Learnt::default() }
    );
}

fn id(message: &Message) -> Value {
    let Kind::Request { id, .. } = &message.kind else { panic!("{message:?}") };
    serde_json::from_str(id).unwrap()
}

fn params(message: &Message) -> Value {
    serde_json::from_str(params_of(&message.bytes).unwrap().get()).unwrap()
}

/// A connection has begun, has a session `s`, and works on a prompt there.
fn busy() -> Open {
    let open = Open::default();
    let initialize = Message::read(
        br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}"#
            .into(),
    );
    let result = json!({ "protocolVersion": 1, "agentCapabilities": { "sessionCapabilities": { "resume": {} } } });
    let result = RawValue::from_string(result.to_string()).unwrap();
    open.begins(&initialize.unwrap(), Some(&result)).unwrap();
    send(&open, r#"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/home","mcpServers":[]}}"#);
    open.arrives(br#"{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}"#, None);
    send(&open, r#"{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s"}}"#);
    open
}

/// A message is sent, and accepted.
fn send(open: &Open, text: &str) {
    let Leaving { number, .. } = open.leaves(&Message::read(text.into()).unwrap()).unwrap();
    open.sends(number);
}

fn told(again: &Again) -> Vec<Value> {
    again.told.iter().map(|told| serde_json::from_slice(told).unwrap()).collect()
}

#[test]
fn another_connection_begins_as_the_first_one_and_resumes_its_sessions() {
    let open = busy();
    assert!(open.can_begin_again());
    let again = open.begins_again("gone");
    let [initialize, resume] = <[Message; 2]>::try_from(Vec::from(again.messages.clone())).unwrap();
    assert_eq!((initialize.method(), params(&initialize)["protocolVersion"].clone()), ("initialize", json!(1)));
    assert_eq!(resume.method(), "session/resume");
    assert_eq!(params(&resume), json!({ "sessionId": "s", "cwd": "/home", "mcpServers": [] }));
    let told = told(&again);
    assert_eq!((told.len(), &told[0]["id"]), (1, &json!(2)), "the prompt fails: {told:?}");
    assert!(told[0]["error"]["message"].as_str().unwrap().ends_with("(gone)"));

    // The answer to the resume is not the client's, who hears of the options.
    let Leaving { number, .. } = open.leaves(&resume).unwrap();
    open.sends(number);
    let result = json!({ "configOptions": [{ "id": "model" }], "modes": { "currentModeId": "ask" } });
    let answer = json!({ "jsonrpc": "2.0", "id": id(&resume), "result": result }).to_string();
    let learnt = open.arrives(answer.as_bytes(), None);
    assert_eq!(learnt.opened.as_deref(), Some("s"));
    let instead: Vec<Value> =
        learnt.instead.unwrap().iter().map(|told| serde_json::from_slice(told).unwrap()).collect();
    assert_eq!(instead[0]["params"]["update"]["configOptions"], result["configOptions"]);
    assert_eq!(
        instead[1]["params"],
        json!({ "sessionId": "s", "update": { "sessionUpdate": "current_mode_update", "currentModeId": "ask" } })
    );
}

#[test]
fn what_has_surely_not_left_is_sent_again_in_its_order() {
    let open = busy();
    let leave = |text: &str| open.leaves(&Message::read(text.into()).unwrap()).unwrap().number;
    let refused = leave(r#"{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s"}}"#);
    leave(r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}"#);
    let lost = leave(r#"{"jsonrpc":"2.0","id":4,"method":"session/list","params":{}}"#);
    open.sends(lost);
    let prompt = r#"{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s"}}"#;
    open.sends(refused);
    open.did_not_send(refused, &Message::read(prompt.into()).unwrap());
    let again = open.begins_again("gone");
    let methods: Vec<_> = again.messages.iter().map(Message::method).collect();
    assert_eq!(methods, ["initialize", "session/resume", "session/prompt", "session/cancel"]);
    let mut failed: Vec<_> = told(&again).iter().map(|told| told["id"].as_u64().unwrap()).collect();
    failed.sort_unstable();
    assert_eq!(failed, [2, 4]);
}

#[test]
fn a_question_of_a_lost_connection_is_withdrawn_and_its_answer_goes_nowhere() {
    let open = busy();
    let question = br#"{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s"}}"#;
    open.arrives(question, None);
    let answer = Message::read(br#"{"jsonrpc":"2.0","id":7,"result":{}}"#.into()).unwrap();
    let told = told(&open.begins_again("gone"));
    let withdrawn = told.iter().find(|told| told["method"] == "$/cancel_request").unwrap();
    assert_eq!(withdrawn["params"]["requestId"], 7);
    // The next agent has the same number for a question of its own.
    open.arrives(question, None);
    assert_eq!(open.leaves(&answer), None);
    assert_eq!(open.leaves(&answer).unwrap().session.as_deref(), Some("s"));
}

/// In version 2, the answer to a prompt does not end its turn.
#[test]
fn a_turn_of_version_2_that_was_interrupted_ends_with_an_error() {
    let open = Open::default();
    let initialize =
        Message::read(br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":2}}"#.into())
            .unwrap();
    let result = RawValue::from_string(r#"{"protocolVersion":2}"#.to_owned()).unwrap();
    open.begins(&initialize, Some(&result)).unwrap();
    let state = |session: &str, state: &str| {
        let update = json!({ "sessionUpdate": "state_update", "state": state });
        let params = json!({ "sessionId": session, "update": update });
        open.arrives(
            json!({ "jsonrpc": "2.0", "method": "session/update", "params": params }).to_string().as_bytes(),
            None,
        );
    };
    for (id, session) in [(1, "works"), (2, "rests"), (3, "begins")] {
        send(
            &open,
            &format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"session/prompt","params":{{"sessionId":"{session}"}}}}"#),
        );
        open.arrives(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"messageId":"m"}}}}"#).as_bytes(), None);
    }
    state("works", "running");
    state("rests", "running");
    state("rests", "idle");
    let told = told(&open.begins_again("gone"));
    let mut ended: Vec<_> = told.iter().map(|told| told["params"]["sessionId"].as_str().unwrap()).collect();
    ended.sort_unstable();
    assert_eq!(ended, ["begins", "works"], "{told:?}");
    let update = &told[0]["params"]["update"];
    assert_eq!((&update["state"], &update["stopReason"]), (&json!("idle"), &json!("error")));
    assert!(update["error"]["message"].as_str().unwrap().ends_with("(gone)"));
    assert!(open.begins_again("gone").told.is_empty(), "it is told once");
}

#[test]
fn no_connection_begins_for_an_agent_that_resumes_nothing_or_speaks_another_version() {
    let open = Open::default();
    assert!(!open.can_begin_again(), "the first one has not begun");
    let initialize =
        Message::read(br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#.into())
            .unwrap();
    let result = |version: u64| {
        RawValue::from_string(json!({ "protocolVersion": version, "agentCapabilities": {} }).to_string()).unwrap()
    };
    open.begins(&initialize, Some(&result(1))).unwrap();
    assert!(open.can_begin_again(), "it has no sessions");
    send(&open, r#"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{}}"#);
    open.arrives(br#"{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}"#, None);
    assert!(!open.can_begin_again());
    let again = open.begins_again("gone").messages.pop_front().unwrap();
    assert!(open.begins(&again, Some(&result(1))).is_ok());
    assert!(open.begins(&again, Some(&result(2))).unwrap_err().contains("version 2"));
    assert!(open.begins(&again, None).unwrap_err().contains("refuses"));
}

#[tokio::test]
async fn messages_of_a_session_wait_until_it_is_resumed_or_refused() {
    use std::{
        future::Future as _,
        pin::pin,
        task::{Context, Waker},
    };
    let open = busy();
    let again = open.begins_again("gone");
    let resume = &again.messages[1];
    open.leaves(resume).unwrap();
    let mut waiting = pin!(open.resumed("s"));
    let mut context = Context::from_waker(Waker::noop());
    assert!(waiting.as_mut().poll(&mut context).is_pending());
    open.resumed("another").await;
    let answer =
        json!({ "jsonrpc": "2.0", "id": id(resume), "error": { "code": -32002, "message": "no" } }).to_string();
    assert_eq!(open.arrives(answer.as_bytes(), None).instead, Some(Vec::new()));
    waiting.await;
    assert_eq!(open.begins_again("gone").messages.len(), 1, "only `initialize`: the session is not there any more");
}
