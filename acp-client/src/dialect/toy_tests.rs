//! A second version of the protocol, in which all names and shapes are different. The clients of the tests speak both
//! versions, and depend on neither.

use serde_json::{Value, json, value::to_raw_value};

use super::*;
use crate::{
    ConnectOptions, Connection, Error, ErrorKind, Result, Update,
    schema::Method,
    transport::memory::{self, Lines},
    values::{PermissionOptionId, RequestPermissionRequest, SessionUpdate, StopReason, methods},
};

/// The other version. Sessions are talks there, and an answer to `initialize` says little.
struct Toy;

fn raw(value: &Value) -> Box<RawValue> {
    to_raw_value(value).unwrap()
}

fn value(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap()
}

impl Dialect for Toy {
    fn version(&self) -> u16 {
        7
    }

    fn initialized(&self, answer: &str) -> serde_json::Result<InitializeResponse> {
        let answer: Value = serde_json::from_str(answer)?;
        let offers = json!({ "loadSession": answer["offers"] == "old talks" });
        serde_json::from_value(json!({ "protocolVersion": 7, "agentCapabilities": offers }))
    }

    fn said(&self, method: &str, params: &dyn Fn() -> serde_json::Result<Box<RawValue>>) -> Option<Said> {
        let values = value(&params().ok()?);
        let talk = &values["sessionId"];
        let (method, params, answer): (_, _, TranslateAnswer) = match method {
            methods::Initialize::NAME => ("initialize", json!({ "protocolVersion": 7, "hello": "toy" }), |_| None),
            methods::NewSession::NAME => ("begin", json!({ "in": values["cwd"] }), |answer| {
                Some(raw(&json!({ "sessionId": value(answer)["talk"], "configOptions": [switch(false)] })))
            }),
            methods::LoadSession::NAME => ("begin", json!({ "again": talk }), |_| Some(raw(&json!({})))),
            methods::Prompt::NAME => ("say", json!({ "talk": talk, "text": values["prompt"][0]["text"] }), |answer| {
                Some(raw(&json!({ "stopReason": value(answer)["why"] })))
            }),
            methods::SetSessionConfigOption::NAME => ("turn", json!({ "on": values["value"] }), |answer| {
                Some(raw(&json!({ "configOptions": [switch(value(answer)["on"] == true)] })))
            }),
            methods::Cancel::NAME => ("hush", json!({ "talk": talk }), |_| None),
            _ => return None,
        };
        Some(Said { method, params: raw(&params), answer: Answered::By(answer) })
    }

    fn heard<'m>(&self, method: &'m str, params: Option<&RawValue>) -> Heard<'m> {
        let toys = params.map_or(Value::Null, value);
        let (talk, text) = (&toys["talk"], &toys["what"]);
        let (method, params) = match method {
            "said" => {
                let update =
                    json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": text } });
                (methods::SessionUpdate::NAME, json!({ "sessionId": talk, "update": update }))
            }
            "turned" => {
                let update = json!({ "sessionUpdate": "config_option_update", "configOptions": [switch(true)] });
                (methods::SessionUpdate::NAME, json!({ "sessionId": talk, "update": update }))
            }
            "may" => {
                let yes = json!({ "optionId": "yes", "name": "Yes", "kind": "allow_once" });
                let call = json!({ "toolCallId": "c", "title": text });
                let params = json!({ "sessionId": talk, "toolCall": call, "options": [yes] });
                (methods::RequestPermission::NAME, params)
            }
            _ => return Heard::unchanged(method),
        };
        Heard { params: Some(raw(&params)), ..Heard::unchanged(method) }
    }

    fn cut_off(&self, head: &str) -> Option<(String, String)> {
        Some((lost::text_after(head, r#""talk""#)?, "agent_message_chunk".to_owned()))
    }
}

fn switch(is_on: bool) -> Value {
    json!({ "id": "shout", "name": "Shout", "type": "boolean", "currentValue": is_on })
}

const BOTH: Dialects = &[|| Box::new(v1::V1), || Box::new(Toy)];

/// A client that knows nothing of versions.
struct Editor;

#[acp_macros::acp_client(crate = crate)]
impl Editor {
    async fn request_permission(&self, request: RequestPermissionRequest) -> PermissionOptionId {
        assert_eq!(request.tool_call.title.as_deref(), Some("Dig?"));
        request.options[0].option_id.clone()
    }
}

/// Connects to an agent that answers `initialize` like this.
async fn connect(options: ConnectOptions, answer: Value) -> (Result<Connection>, Lines) {
    let (near, far) = memory::pair();
    let mut agent = far.into_lines();
    let opened = Connection::open(Editor, near, options, None, BOTH);
    let answers = async {
        let (id, params) = asked(&mut agent, "initialize").await;
        assert_eq!(params, json!({ "protocolVersion": 7, "hello": "toy" }), "the highest version is asked for");
        respond(&mut agent, &id, answer).await;
    };
    let (opened, ()) = tokio::join!(opened, answers);
    (opened, agent)
}

async fn next(agent: &mut Lines) -> Value {
    let line = tokio::time::timeout(std::time::Duration::from_secs(10), agent.next_line()).await;
    serde_json::from_str(&line.expect("a line in time").unwrap().expect("a line")).unwrap()
}

/// The id and the params of the next message, which has this method.
async fn asked(agent: &mut Lines, method: &str) -> (Value, Value) {
    let mut message = next(agent).await;
    assert_eq!(message["method"], method, "{message}");
    (message["id"].take(), message["params"].take())
}

async fn send(agent: &mut Lines, message: Value) {
    agent.send(&message.to_string()).await.unwrap();
}

async fn respond(agent: &mut Lines, id: &Value, result: Value) {
    send(agent, json!({ "jsonrpc": "2.0", "id": id, "result": result })).await;
}

async fn tell(agent: &mut Lines, method: &str, params: Value) {
    send(agent, json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
}

#[tokio::test]
async fn a_client_drives_an_agent_of_a_version_that_it_does_not_know_of() {
    let (connection, mut agent) =
        connect(ConnectOptions::new(), json!({ "protocolVersion": 7, "offers": "old talks" })).await;
    let connection = connection.unwrap();
    let plays = async {
        let (id, params) = asked(&mut agent, "begin").await;
        assert_eq!(params, json!({ "in": "/" }));
        respond(&mut agent, &id, json!({ "talk": "t" })).await;

        let (id, params) = asked(&mut agent, "turn").await;
        assert_eq!(params, json!({ "on": true }));
        respond(&mut agent, &id, json!({ "on": true })).await;

        let (prompt, params) = asked(&mut agent, "say").await;
        assert_eq!(params, json!({ "talk": "t", "text": "hi" }));
        tell(&mut agent, "said", json!({ "talk": "t", "what": "one" })).await;
        send(
            &mut agent,
            json!({ "jsonrpc": "2.0", "id": 1, "method": "may", "params": { "talk": "t", "what": "Dig?" } }),
        )
        .await;
        assert_eq!(next(&mut agent).await["result"]["outcome"]["optionId"], "yes");
        assert_eq!(asked(&mut agent, "hush").await.1, json!({ "talk": "t" }));
        respond(&mut agent, &prompt, json!({ "why": "cancelled" })).await;

        let (id, params) = asked(&mut agent, "begin").await;
        assert_eq!(params, json!({ "again": "t" }));
        tell(&mut agent, "turned", json!({ "talk": "t" })).await;
        respond(&mut agent, &id, json!({})).await;
        // A method that the version does not have, and one of a vendor.
        let (id, _) = asked(&mut agent, "_toy/any").await;
        tell(&mut agent, "session/none", json!({})).await;
        respond(&mut agent, &id, json!(3)).await;
    };
    let drives = async {
        let session = connection.new_session("/").await.unwrap();
        assert_eq!(session.id().as_str(), "t");
        session.set_option("shout", true).await.unwrap();
        let mut turn = session.prompt("hi").await.unwrap();
        assert_eq!(turn.text().await.unwrap().as_deref(), Some("one"));
        let waits = tokio::time::sleep(std::time::Duration::from_millis(20));
        let (next, ()) = tokio::join!(turn.next(), async {
            waits.await;
            session.cancel();
        });
        assert!(next.unwrap().is_none());
        assert_eq!(turn.end().unwrap().stop_reason, Some(StopReason::Cancelled));

        let mut loading = connection.load_session("t", "/").await.unwrap();
        let update = loading.next().await.unwrap().unwrap();
        assert!(matches!(update.known(), Some(SessionUpdate::ConfigOptionUpdate(_))), "{update:?}");
        let session = loading.await.unwrap();
        assert_eq!(session.options().get("shout").unwrap().current(), Some(crate::CurrentValue::Boolean(true)));
        assert_eq!(connection.ext_request::<u8>("_toy/any", &json!({})).await.unwrap(), 3);
    };
    tokio::join!(plays, drives);
}

#[tokio::test]
async fn the_version_of_the_agents_answer_is_spoken() {
    let answer = json!({ "protocolVersion": 1, "agentCapabilities": {} });
    let (connection, mut agent) = connect(ConnectOptions::new(), answer).await;
    let connection = connection.unwrap();
    let (session, ()) = tokio::join!(connection.new_session("/"), async {
        let (id, params) = asked(&mut agent, "session/new").await;
        assert_eq!(params, json!({ "cwd": "/", "mcpServers": [] }));
        respond(&mut agent, &id, json!({ "sessionId": "s" })).await;
    });
    assert_eq!(session.unwrap().id().as_str(), "s");

    let refused = |error: &Error| matches!(error.kind(), ErrorKind::Version(3));
    let (connection, _) = connect(ConnectOptions::new(), json!({ "protocolVersion": 3 })).await;
    assert!(connection.is_err_and(|error| refused(&error)));
}

#[tokio::test]
async fn the_place_of_an_update_that_is_too_long_is_known_in_each_version() {
    let mut options = ConnectOptions::new();
    options.limits.line_bytes = 1024;
    let (connection, mut agent) = connect(options, json!({ "protocolVersion": 7 })).await;
    let connection = connection.unwrap();
    let (session, ()) = tokio::join!(connection.new_session("/"), async {
        let (id, _) = asked(&mut agent, "begin").await;
        respond(&mut agent, &id, json!({ "talk": "t" })).await;
        tell(&mut agent, "said", json!({ "talk": "t", "what": "x".repeat(2048) })).await;
    });
    let update = session.unwrap().next_update().await.unwrap();
    let Update::Unknown(update) = update else { panic!("{update:?}") };
    assert_eq!(update.kind, "agent_message_chunk");
    assert!(update.lost.is_some());
}
