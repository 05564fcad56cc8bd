//! Lines, envelopes, ids, errors (TRANS, RPC, ERR).

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use acp_client::{
    ConnectOptions, Endpoint, ErrorKind, acp_client,
    handlers::{Error, RequestMeta},
    transport::{Limits, memory},
    values::ReadTextFileRequest,
};
use acp_schema::{AgentMethod, Method, MethodKind, RequestMethod, Side};
use serde_json::{Value, json, value::RawValue};
use tokio::sync::Notify;

use super::{Agent, Nothing, open_as};

/// A client with a few handlers, which counts their calls.
#[derive(Clone, Default)]
struct Few {
    calls: Arc<AtomicUsize>,
    go: Arc<Notify>,
}

#[acp_client]
impl Few {
    async fn read_text_file(&self, _: ReadTextFileRequest) -> String {
        self.calls.fetch_add(1, Ordering::Relaxed);
        "text".to_owned()
    }

    #[ext("_vendor/echo")]
    async fn echo(&self, params: Box<RawValue>) -> Box<RawValue> {
        params
    }

    #[ext("_vendor/optional")]
    async fn optional(&self, params: Optional) -> Option<u32> {
        params.number
    }

    #[ext("_vendor/unit")]
    async fn unit(&self, _params: ()) {}

    #[ext("_vendor/fail")]
    async fn fail(&self) -> Result<(), Error> {
        Err(Error::internal_error("as asked"))
    }

    #[ext("_vendor/wait")]
    async fn wait(&self) {
        self.go.notified().await;
    }

    #[ext(notification = "_vendor/told")]
    async fn told(&self, RequestMeta(meta): RequestMeta) -> Result<(), Error> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        Err(Error::internal_error(format!("{meta:?}")))
    }
}

#[derive(serde::Deserialize)]
struct Optional {
    number: Option<u32>,
}

#[tokio::test]
async fn each_message_is_one_line_with_an_integer_for_an_id() {
    let (connection, session, mut agent) = open_as(Nothing, json!({})).await;
    let mut turn = session.prompt("two\nlines, and \u{2028}ü🦀\r\n").await.unwrap();
    turn.cancel();
    let raw: Box<RawValue> = serde_json::from_str("{\n\"a\": [1,\r\n2]\n}").unwrap();
    connection.ext_notification("_vendor/raw", &raw).unwrap();
    let mut lines = Vec::new();
    for _ in 0..3 {
        lines.push(agent.line().await.unwrap());
    }
    for line in &lines {
        assert!(line.starts_with(r#"{"jsonrpc":"2.0","#) && !line.contains('\n'), "{line}");
    }
    let messages: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(messages[0]["id"].is_u64(), "{}", lines[0]);
    assert_eq!(messages[0]["params"]["prompt"][0]["text"], "two\nlines, and \u{2028}ü🦀\r\n");
    assert_eq!((&messages[1]["method"], messages[1].get("id")), (&json!("session/cancel"), None));
    assert_eq!(messages[2]["params"], json!({ "a": [1, 2] }));
}

#[tokio::test]
async fn requests_are_answered_with_their_very_ids_and_with_one_outcome() {
    let (_connection, _session, mut agent) = open_as(Few::default(), json!({})).await;
    for id in ["1", "0", "-7", "9007199254740993", r#""1""#, r#""a\u0062""#, r#""""#, "null"] {
        for (method, outcome) in
            [("_vendor/echo", r#""result":{"a":1.50}}"#), ("_vendor/none", r#""error":{"code":-32601,"#)]
        {
            agent.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"a":1.50}}}}"#)).await;
            let answer = agent.line().await.unwrap();
            assert!(answer.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},{outcome}"#)), "{answer}");
            assert_ne!(answer.contains(r#""result""#), answer.contains(r#""error""#), "{answer}");
        }
    }
}

#[tokio::test]
async fn notifications_are_never_answered() {
    let client = Few::default();
    let (_connection, _session, mut agent) = open_as(client.clone(), json!({})).await;
    for notification in [
        r#"{"jsonrpc":"2.0","method":"_vendor/unknown","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"$/unknown"}"#,
        r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":77}}"#,
        r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":7}"#,
        r#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"session/update"}"#,
        r#"{"jsonrpc":"2.0","method":"elicitation/complete","params":{"elicitationId":"unknown"}}"#,
        r#"{"jsonrpc":"2.0","method":"fs/read_text_file","params":{"sessionId":"s","path":"/a"}}"#,
        r#"{"jsonrpc":"2.0","method":"_vendor/told","params":{"_meta":{}}}"#,
        r#"{"method":"session/update","params":{}}"#,
    ] {
        agent.say(notification).await;
        agent.hears_nothing().await;
    }
    // The handler that fails was called.
    assert!(client.calls.load(Ordering::Relaxed) >= 1);
}

#[tokio::test]
async fn unknown_methods_are_refused_and_the_connection_lives_on() {
    let (_connection, _session, mut agent) = open_as(Few::default(), json!({})).await;
    // Methods of the protocol without a handler are unknown, too, whatever their params.
    for method in ["fs/write_text_file", "terminal/create", "elicitation/create", "session/new", "_vendor/unknown", ""]
    {
        let answer = agent.ask(method, json!({})).await;
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
    }
    let params = json!({ "sessionId": "s", "path": "/a" });
    assert_eq!(agent.ask("fs/read_text_file", params).await["result"]["content"], "text");
}

#[tokio::test]
async fn params_of_the_wrong_shape_are_refused_before_the_handler_runs() {
    let client = Few::default();
    let (_connection, _session, mut agent) = open_as(client.clone(), json!({})).await;
    for params in [json!({}), json!([]), json!({ "sessionId": "s" }), json!({ "sessionId": 1, "path": "/a" })] {
        let answer = agent.ask("fs/read_text_file", params.clone()).await;
        assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
    }
    assert_eq!(client.calls.load(Ordering::Relaxed), 0);
    let answer = agent.ask("_vendor/optional", json!({ "number": "one" })).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    // The agent also gets the error of a handler that fails.
    let answer = agent.ask("_vendor/fail", json!({})).await;
    assert_eq!(answer["error"], json!({ "code": -32603, "message": "as asked" }));
}

#[tokio::test]
async fn params_may_be_missing_where_nothing_is_required() {
    let (_connection, _session, mut agent) = open_as(Few::default(), json!({})).await;
    for params in ["", r#","params":null"#, r#","params":{}"#, r#","params":{"number":null}"#] {
        agent.say(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"_vendor/optional"{params}}}"#)).await;
        assert_eq!(agent.line().await.unwrap(), r#"{"jsonrpc":"2.0","id":1,"result":null}"#, "{params}");
    }
}

/// As the methods of the schema, which answer objects.
#[tokio::test]
async fn an_answer_without_content_is_an_object() {
    let (_connection, _session, mut agent) = open_as(Few::default(), json!({})).await;
    for params in ["", r#","params":null"#, r#","params":{}"#, r#","params":[]"#, r#","params":{"_meta":{"a":1}}"#] {
        agent.say(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"_vendor/unit"{params}}}"#)).await;
        assert_eq!(agent.line().await.unwrap(), r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "{params}");
    }
}

/// Agents on other SDKs, and on an older version of this one, answer `null`.
#[tokio::test]
async fn an_answer_without_content_is_read_in_each_form() {
    /// A method whose answer has no content.
    struct SetModel;

    impl Method for SetModel {
        const NAME: &'static str = "session/set_model";
        const HANDLER: &'static str = "set_model";
        const SIDE: Side = Side::Agent;
        const KIND: MethodKind = MethodKind::Request;
        type Params = Value;
        type Response = ();
    }

    impl RequestMethod for SetModel {}
    impl AgentMethod for SetModel {}

    let (connection, _session, mut agent) = open_as(Nothing, json!({})).await;
    let nothing = json!({});
    for answer in [json!(null), json!({}), json!({ "_meta": { "a": 1 } })] {
        let (read, _) =
            tokio::join!(connection.ext_request::<()>("_vendor/unit", &nothing), agent.answer(answer.clone()));
        read.unwrap();
        let (read, _) = tokio::join!(connection.call::<SetModel>(&nothing), agent.answer(answer.clone()));
        read.unwrap();
        let (read, _) =
            tokio::join!(connection.ext_request::<Value>("_vendor/any", &nothing), agent.answer(answer.clone()));
        assert_eq!(read.unwrap(), answer);
    }
    let (read, _) = tokio::join!(connection.ext_request::<()>("_vendor/unit", &nothing), agent.answer(json!("text")));
    assert!(matches!(read.unwrap_err().kind(), ErrorKind::Unreadable { .. }));
}

/// Lines that are no messages may be an agent's banner or log. So the client answers a wrong line only if it is a
/// request.
#[tokio::test]
async fn a_broken_request_is_refused_with_its_id_and_other_lines_are_passed_over() {
    let (connection, _session, mut agent) = open_as(Few::default(), json!({})).await;
    for broken in [
        r#"{"id":5,"method":"_vendor/echo"}"#,
        r#"{"jsonrpc":"1.0","id":5,"method":"_vendor/echo"}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":7}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"_vendor/echo","params":7}"#,
    ] {
        agent.say(broken).await;
        let answer = agent.next().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(5), &json!(-32600)), "{broken}");
    }
    for junk in [
        "Welcome!",
        "{\"half\":",
        "42",
        "[]",
        r#"[{"jsonrpc":"2.0","id":1,"method":"_vendor/echo"}]"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"_vendor/echo"}"#,
        "",
        "\r",
    ] {
        agent.say(junk).await;
        agent.hears_nothing().await;
    }
    let nothing = json!({});
    let asking = connection.ext_request::<Value>("_vendor/name", &nothing);
    let (error, _) = tokio::join!(asking, agent.refuse(-1));
    assert_eq!(error.unwrap_err().junk()[..2], ["Welcome!", "{\"half\":"]);
}

#[tokio::test]
async fn a_handler_that_waits_holds_up_neither_updates_nor_answers() {
    let client = Few::default();
    let (connection, session, mut agent) = open_as(client.clone(), json!({})).await;
    agent.send(json!({ "id": 1, "method": "_vendor/wait" })).await;
    let mut turn = session.prompt("on").await.unwrap();
    let prompt = agent.next().await;
    agent
        .update(json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "here" } }))
        .await;
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("here"));
    // Meanwhile both sides send requests, and the answers come in another order.
    let nothing = json!({});
    let asking = async {
        tokio::join!(
            connection.ext_request::<u32>("_vendor/one", &nothing),
            connection.ext_request::<u32>("_vendor/two", &nothing)
        )
    };
    let answering = async {
        let (one, two) = (agent.next().await, agent.next().await);
        assert_eq!(agent.ask("_vendor/echo", json!([7])).await["result"], json!([7]));
        agent.send(json!({ "id": two["id"], "result": 2 })).await;
        agent.send(json!({ "id": one["id"], "result": 1 })).await;
        agent.send(json!({ "id": prompt["id"], "result": { "stopReason": "end_turn" } })).await;
    };
    let ((one, two), ()) = tokio::join!(asking, answering);
    assert_eq!((one.unwrap(), two.unwrap()), (1, 2));
    turn.finish().await.unwrap();
    client.go.notify_one();
    assert_eq!(agent.next().await, json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
}

#[tokio::test]
async fn an_answer_that_is_none_ends_its_request() {
    let (connection, session, mut agent) = open_as(Nothing, json!({})).await;
    for (answer, says) in [
        (r#""jsonrpc":"2.0","result":1,"error":{"code":1,"message":"no"}"#, "a result and an error"),
        (r#""jsonrpc":"2.0","error":{"code":"one","message":"no"}"#, "no integer `code`"),
        (r#""jsonrpc":"2.0","error":{"code":3000000000,"message":"no"}"#, "no integer `code`"),
        (r#""jsonrpc":"2.0","error":{"code":1}"#, "no string `message`"),
        (r#""result":1"#, "`jsonrpc` is not"),
        // A program in JavaScript writes this if its result is `undefined`.
        (r#""jsonrpc":"2.0""#, "neither a result nor an error"),
    ] {
        let mut turn = session.prompt("on").await.unwrap();
        let prompt = agent.next().await;
        agent.say(&format!(r#"{{"id":{},{answer}}}"#, prompt["id"])).await;
        let error = tokio::time::timeout(super::SOON, turn.next()).await.expect("it ends").unwrap_err();
        assert!(error.to_string().contains(says), "{answer}: {error}");
        assert!(matches!(error.kind(), ErrorKind::Unreadable { .. }), "{answer}: {error}");
        agent.hears_nothing().await;
    }
    // An answer without a request changes nothing.
    for answer in
        [r#"{"jsonrpc":"2.0","id":99,"result":1}"#, r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#]
    {
        agent.say(answer).await;
        agent.hears_nothing().await;
    }
    let nothing = json!({});
    let (answer, _) = tokio::join!(connection.ext_request::<u32>("_vendor/on", &nothing), agent.answer(json!(1)));
    assert_eq!(answer.unwrap(), 1);
}

#[tokio::test]
async fn the_errors_of_the_agent_are_told_as_they_came() {
    let (connection, _session, mut agent) = open_as(Nothing, json!({})).await;
    let nothing = json!({});
    for code in [-32700, -32600, -32601, -32602, -32603, -32800, -32002, -32099, 7, 0, i32::MIN, i32::MAX] {
        let answering = async {
            let id = agent.next().await["id"].take();
            let error = json!({ "code": code, "message": "a reason", "data": { "more": [1] }, "extra": true });
            agent.send(json!({ "id": id, "error": error })).await;
        };
        let (error, ()) = tokio::join!(connection.ext_request::<u32>("_vendor/x", &nothing), answering);
        let error = error.unwrap_err();
        let refusal = error.refusal().unwrap_or_else(|| panic!("{error}"));
        assert_eq!((refusal.code(), refusal.message()), (code, "a reason"));
        assert_eq!(refusal.data(), Some(&json!({ "more": [1] })));
    }
}

#[tokio::test]
async fn lines_are_as_long_as_the_limit_says() {
    let (connection, session, mut agent) = open_as(Nothing, json!({})).await;
    let mut turn = session.prompt("on").await.unwrap();
    agent.next().await;
    let long = "x".repeat(20 * 1024 * 1024);
    let update = json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": long } });
    let (text, ()) = tokio::join!(turn.text(), agent.update(update));
    assert_eq!(text.unwrap().unwrap().len(), long.len());
    drop((turn, connection));

    let (near, far) = memory::pair();
    let mut agent = Agent(far.into_lines());
    let options = ConnectOptions::new().limits(Limits::new().line_bytes(1000));
    let endpoint = Endpoint::over(near).options(options);
    let (connection, _) = tokio::join!(endpoint.connect(), agent.answer(json!({ "protocolVersion": 1 })));
    let (connection, nothing) = (connection.unwrap(), json!({}));
    let asking = connection.ext_request::<Value>("_vendor/x", &nothing);
    let (error, _) = tokio::join!(asking, agent.answer(json!({ "x": "x".repeat(2000) })));
    assert!(error.unwrap_err().to_string().contains("longer than 1000 bytes"));
    agent.hears_nothing().await;
}

#[tokio::test]
async fn only_names_with_an_underscore_are_extensions() {
    let (connection, _session, mut agent) = open_as(Nothing, json!({})).await;
    let nothing = json!({});
    for name in ["vendor/name", "session/new", ""] {
        let asking = tokio::time::timeout(super::SOON, connection.ext_request::<Value>(name, &nothing));
        let (error, _) = tokio::join!(asking, async {
            tokio::task::yield_now().await;
            agent.hears_nothing().await;
        });
        let error = error.unwrap().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid(_)) && error.to_string().contains("`_`"), "{error}");
        let error = connection.ext_notification(name, &nothing).unwrap_err();
        assert!(error.to_string().contains(&format!("`{name}`")), "{error}");
    }
    agent.hears_nothing().await;
    let (answer, asked) = tokio::join!(connection.ext_request("_v/n", &nothing), agent.answer(json!([1.0, "ü"])));
    let answer: Box<RawValue> = answer.unwrap();
    assert_eq!((answer.get(), &asked["method"]), (r#"[1.0,"ü"]"#, &json!("_v/n")));
}

#[tokio::test]
async fn an_extension_gets_its_params_as_they_were_sent() {
    let (_connection, _session, mut agent) = open_as(Few::default(), json!({})).await;
    for params in [r#"{"b":1.50,"a":[null,123456789012345678901234567890],"_meta":{"k":1}}"#, r#"[ 1, "ü\u0000" ]"#] {
        agent.say(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"_vendor/echo","params":{params}}}"#)).await;
        assert_eq!(agent.line().await.unwrap(), format!(r#"{{"jsonrpc":"2.0","id":1,"result":{params}}}"#));
    }
}

/// Every client may be asked for permission, even a client without handlers.
#[tokio::test]
async fn permission_is_refused_by_a_client_without_handlers() {
    let (_connection, _session, mut agent) = open_as(Nothing, json!({})).await;
    let options = json!([{ "optionId": "a", "name": "Allow", "kind": "allow_once" }]);
    let params = json!({ "sessionId": "s", "toolCall": { "toolCallId": "c" }, "options": options });
    let answer = agent.ask("session/request_permission", params).await;
    assert_eq!(answer["result"], json!({ "outcome": { "outcome": "cancelled" } }));
}
