//! Methods that the schema does not know: by name, by prefix, and all others.

use std::sync::{Arc, Mutex};

use acp_runtime::{
    agent::{MethodName, RequestMeta},
    prelude::*,
};
use acp_tests::peer::Peer;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json, value::RawValue};

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values("fast", "smart"), default = "fast")]
    model: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SetModel {
    model_id: String,
}

#[derive(Serialize)]
struct Set {
    was: String,
}

/// What notifications were handled, and by whom.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn note(&self, by: &str, what: &str) {
        self.0.lock().expect("nobody panics with it").push(format!("{by}: {what}"));
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().expect("nobody panics with it").clone()
    }
}

/// Handles a few names, and a prefix.
#[acp_agent(config = Config, ext_listing = "_acp-tests.dev/extensions")]
#[derive(Default)]
struct Named {
    seen: Seen,
}

#[acp_agent(parts(git))]
impl Named {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// A method that the schema had once.
    #[method("session/set_model")]
    async fn set_model(&self, request: SetModel, session: SessionHandle<Config>) -> Result<Set> {
        let was = session.get(Config::MODEL);
        session.set(Config::MODEL, request.model_id).await?;
        Ok(Set { was })
    }

    #[method("session/fork")]
    async fn fork(&self, params: Box<RawValue>) -> Box<RawValue> {
        params
    }

    #[method("editor/focus", notification)]
    async fn focus(&self, params: Value) {
        self.seen.note("focus", params["file"].as_str().unwrap_or_default());
    }

    #[method(prefix = "_x.ai/git/")]
    async fn git(&self, method: MethodName, params: Value, RequestMeta(meta): RequestMeta) -> Value {
        json!(["git", *method, params, meta])
    }

    #[method(prefix = "_x.ai/git/", notification)]
    async fn git_event(&self, MethodName(method): MethodName) {
        self.seen.note("git", &method);
    }
}

mod git {
    use acp_runtime::{agent::MethodName, prelude::*};

    use super::Named;

    #[acp_agent(part = git)]
    impl Named {
        #[ext("_x.ai/git/status")]
        async fn status(&self) -> &'static str {
            "clean"
        }

        #[method(prefix = "_x.ai/git/hub/")]
        async fn hub(&self, method: MethodName) -> String {
            format!("hub {method}")
        }
    }
}

/// Handles whatever comes.
#[acp_agent]
#[derive(Clone)]
struct Whatever {
    seen: Seen,
}

#[acp_agent]
impl Whatever {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method(prefix = "_x.ai/")]
    async fn of_xai(&self, method: MethodName) -> String {
        format!("x.ai {method}")
    }

    #[fallback]
    async fn other(&self, method: MethodName, params: Box<RawValue>) -> Result<Value> {
        if method.starts_with("_acp-tests.dev/") {
            return Err(Error::method_not_found(&method));
        }
        if *method == *"session/list" {
            return Ok(json!({ "sessions": [] }));
        }
        Ok(json!(["other", *method, params]))
    }

    #[fallback(notification)]
    async fn other_event(&self, method: MethodName, params: Option<Value>) {
        self.seen.note("other", &format!("{method} {}", params.unwrap_or_default()));
    }
}

/// Answers nothing, in each way to do so.
#[acp_agent]
#[derive(Clone)]
struct Quiet;

#[derive(Serialize)]
struct Done;

/// Nothing is required of it.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Wishes {
    depth: Option<u8>,
}

#[acp_agent]
impl Quiet {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method("session/set_model")]
    async fn by_name(&self) -> Result<()> {
        Ok(())
    }

    #[ext("_acp-tests.dev/nothing")]
    async fn nothing(&self) {}

    #[ext("_acp-tests.dev/done")]
    async fn done(&self) -> Done {
        Done
    }

    #[ext("_acp-tests.dev/null")]
    async fn null(&self) -> Value {
        Value::Null
    }

    #[ext("_acp-tests.dev/none")]
    async fn none(&self) -> Option<u8> {
        None
    }

    #[method(prefix = "_x.ai/")]
    async fn by_prefix(&self) -> Result<()> {
        Ok(())
    }

    #[fallback]
    async fn other(&self) {}
}

/// Tells what its handlers have read.
#[acp_agent]
#[derive(Clone)]
struct Reader;

#[acp_agent]
impl Reader {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("_acp-tests.dev/unread")]
    async fn unread(&self) -> &'static str {
        "not read"
    }

    #[ext("_acp-tests.dev/unit")]
    async fn unit(&self, _params: ()) -> &'static str {
        "()"
    }

    #[ext("_acp-tests.dev/wishes")]
    async fn wishes(&self, wishes: Wishes) -> Wishes {
        wishes
    }

    #[ext("_acp-tests.dev/maybe")]
    async fn maybe(&self, wishes: Option<Wishes>) -> String {
        format!("{wishes:?}")
    }

    #[ext("_acp-tests.dev/list")]
    async fn list(&self, numbers: Vec<u8>) -> usize {
        numbers.len()
    }

    #[ext("_acp-tests.dev/value")]
    async fn value(&self, params: Value) -> Value {
        params
    }
}

/// Declares the same handlers for an agent with other options.
macro_rules! with_fallback {
    ($name:ident, $config:ident) => {
        #[acp_agent(config = $config)]
        struct $name;

        #[acp_agent]
        impl $name {
            async fn prompt(&self) -> StopReason {
                StopReason::EndTurn
            }

            #[fallback]
            async fn other(&self, method: MethodName) -> Result<Value> {
                if method.starts_with("_acp-tests.dev/") {
                    return Err(Error::method_not_found(&method));
                }
                Ok(json!({ "_meta": { "other": *method } }))
            }
        }
    };
}

#[derive(ConfigOptions, Clone)]
struct Moded {
    #[config_option(category = "mode", values("ask", "code"), default = "ask")]
    mode: String,
}

with_fallback!(WithoutModes, Config);
with_fallback!(WithModes, Moded);

#[tokio::test]
async fn the_fallback_has_the_modes_of_an_agent_that_has_options_but_no_modes() {
    let option = |id: &str| json!({ "sessionId": id, "configId": "none", "value": "fast" });
    let (mut peer, id) = Peer::session(WithoutModes).await;
    let mode = json!({ "sessionId": id, "modeId": "code" });
    assert_eq!(peer.call("session/set_mode", mode).await, Ok(json!({ "_meta": { "other": "session/set_mode" } })));
    assert_eq!(peer.call("session/set_config_option", option(&id)).await.unwrap_err().code, -32602);

    let (mut peer, id) = Peer::session(WithModes).await;
    let mode = json!({ "sessionId": id, "modeId": "code" });
    assert_eq!(peer.call("session/set_mode", mode).await, Ok(json!({})), "the runtime serves it");
    assert_eq!(peer.call("session/set_config_option", option(&id)).await.unwrap_err().code, -32602);
}

#[tokio::test]
async fn a_method_that_the_schema_does_not_know_has_a_handler_by_its_name() {
    let (mut peer, id) = Peer::session(Named::default()).await;
    let set = peer.call("session/set_model", json!({ "sessionId": id, "modelId": "smart" })).await;
    assert_eq!(set, Ok(json!({ "was": "fast" })));
    assert_eq!(peer.updates()[0]["sessionUpdate"], "config_option_update", "the option has changed with it");
    let refused = peer.call("session/set_model", json!({ "sessionId": id, "modelId": 5 })).await.unwrap_err();
    assert_eq!(refused.code, -32602);
    let unknown = peer.call("session/set_model", json!({ "sessionId": "none", "modelId": "fast" })).await;
    assert_eq!(unknown.unwrap_err().code, -32602);
}

/// As the methods of the schema, which answer objects: a client on an SDK that has the method's type cannot read `null`.
#[tokio::test]
async fn an_answer_without_content_is_an_object() {
    let mut peer = Peer::serve(Quiet);
    peer.initialize(json!({})).await;
    for method in ["session/set_model", "_acp-tests.dev/nothing", "_acp-tests.dev/done", "_x.ai/any", "no/such"] {
        assert_eq!(peer.call(method, json!({})).await, Ok(json!({})), "{method}");
    }
    for method in ["_acp-tests.dev/null", "_acp-tests.dev/none"] {
        assert_eq!(peer.call(method, json!({})).await, Ok(Value::Null), "{method}: the author's own null");
    }
}

/// The table of `agent`, "Params and answers of methods of your own".
#[tokio::test]
async fn absent_params_are_read_as_the_docs_say() {
    let mut peer = Peer::serve(Reader);
    peer.initialize(json!({})).await;
    let none = json!({ "depth": null });
    let refused = Err(-32602);
    for (method, absent, object, list) in [
        ("unread", Ok(json!("not read")), Ok(json!("not read")), Ok(json!("not read"))),
        ("unit", Ok(json!("()")), Ok(json!("()")), Ok(json!("()"))),
        ("wishes", Ok(none.clone()), Ok(none), refused.clone()),
        ("maybe", Ok(json!("None")), Ok(json!("Some(Wishes { depth: None })")), refused.clone()),
        ("list", refused.clone(), refused, Ok(json!(0))),
        ("value", Ok(Value::Null), Ok(json!({})), Ok(json!([]))),
    ] {
        for (params, expected) in
            [("", &absent), (r#","params":null"#, &absent), (r#","params":{}"#, &object), (r#","params":[]"#, &list)]
        {
            let method = format!("_acp-tests.dev/{method}");
            let (id, _) = peer.request_message(&method, json!({}));
            peer.send_line(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"{params}}}"#)).await;
            let answer = peer.answer(id).await.map_err(|refusal| refusal.code);
            assert_eq!(&answer, expected, "{method}{params}");
        }
    }
}

#[tokio::test]
async fn raw_params_and_answers_pass_as_they_are() {
    let (mut peer, _) = Peer::session(Named::default()).await;
    let params = json!({ "sessionId": "sess_1", "deep": [1, { "_meta": null }] });
    assert_eq!(peer.call("session/fork", params.clone()).await, Ok(params));
}

#[tokio::test]
async fn a_name_is_that_of_a_request_or_of_a_notification() {
    let agent = Named::default();
    let seen = agent.seen.clone();
    let (mut peer, id) = Peer::session(agent).await;
    peer.notify("editor/focus", json!({ "file": "/a" })).await;
    assert_eq!(peer.settled().await, []);
    assert_eq!(seen.all(), ["focus: /a"]);
    assert_eq!(peer.call("editor/focus", json!({ "file": "/b" })).await.unwrap_err().code, -32601);
    peer.notify("session/set_model", json!({ "sessionId": id, "modelId": "smart" })).await;
    peer.notify("session/prompt", json!({ "sessionId": id, "prompt": [] })).await;
    assert_eq!(peer.settled().await, [], "a request without an id is no request");
    assert_eq!(seen.all(), ["focus: /a"]);
}

#[tokio::test]
async fn a_whole_name_comes_before_a_prefix_and_a_longer_prefix_before_a_shorter() {
    let agent = Named::default();
    let seen = agent.seen.clone();
    let (mut peer, _) = Peer::session(agent).await;
    assert_eq!(peer.call("_x.ai/git/status", json!({})).await, Ok(json!("clean")), "in another block");
    assert_eq!(peer.call("_x.ai/git/hub/issues", json!({})).await, Ok(json!("hub _x.ai/git/hub/issues")));
    let params = json!({ "_meta": { "trace": 1 } });
    let branch = peer.call("_x.ai/git/branch", params.clone()).await;
    assert_eq!(branch, Ok(json!(["git", "_x.ai/git/branch", params, { "trace": 1 }])));
    assert_eq!(peer.call("_x.ai/git/*", json!({})).await, Ok(json!(["git", "_x.ai/git/*", {}, null])));
    for unknown in ["_x.ai/git", "_x.ai/other", "session/git", "*", "session/list"] {
        assert_eq!(peer.call(unknown, json!({})).await.unwrap_err().code, -32601, "{unknown}");
    }
    peer.notify("_x.ai/git/pushed", json!({})).await;
    peer.notify("_x.ai/git/hub/starred", json!({})).await;
    assert_eq!(peer.settled().await, []);
    assert_eq!(seen.all(), ["git: _x.ai/git/pushed", "git: _x.ai/git/hub/starred"]);
}

#[tokio::test]
async fn the_fallback_has_what_nobody_else_handles() {
    let seen = Seen::default();
    let (mut peer, id) = Peer::session(Whatever { seen: seen.clone() }).await;
    assert_eq!(peer.turn(&id, "hello").await, "end_turn", "the protocol's methods are its handlers' and the runtime's");
    assert_eq!(peer.call("_x.ai/any", json!({})).await, Ok(json!("x.ai _x.ai/any")));
    for name in ["session/fork", "_acme.dev/x", "plain", "*", "* (notification)"] {
        assert_eq!(peer.call(name, json!({ "a": 1 })).await, Ok(json!(["other", name, { "a": 1 }])), "{name}");
    }
    let listed = peer.call("session/list", json!({})).await;
    assert_eq!(listed, Ok(json!({ "sessions": [] })), "a method of the protocol that has no handler");
    assert_eq!(peer.call("_acp-tests.dev/none", json!({})).await.unwrap_err().code, -32601);
    peer.notify("editor/focus", json!({ "file": "/a" })).await;
    peer.notify("session/new", json!({})).await;
    assert_eq!(peer.settled().await, []);
    assert_eq!(seen.all(), [r#"other: editor/focus {"file":"/a"}"#], "a request without an id is no request");
}

#[tokio::test]
async fn no_method_is_called_before_initialize() {
    let seen = Seen::default();
    let mut peer = Peer::serve(Whatever { seen: seen.clone() });
    assert_eq!(peer.call("session/fork", json!({})).await.unwrap_err().code, -32600);
    peer.notify("editor/focus", json!({})).await;
    let _ = peer.initialize(json!({})).await;
    assert_eq!(seen.all(), [""; 0]);
    assert!(peer.call("session/fork", json!({})).await.is_ok());
}

#[tokio::test]
async fn methods_with_a_name_are_listed_and_prefixes_are_not() {
    let mut peer = Peer::serve(Named::default());
    let initialized = peer.initialize(json!({})).await;
    let listed = initialized["_meta"]["_acp-tests.dev/extensions"].as_array().unwrap();
    let names: Vec<_> = listed.iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["session/set_model", "session/fork", "editor/focus", "_x.ai/git/status"]);
    assert_eq!(listed[0]["description"], "A method that the schema had once.");
}
