//! Calls of version 2 to agents that know nothing of it, from the client's side of the line.

use std::time::Duration;

use acp_schema::v2;
use serde_json::{Value, json};

use crate::{
    agent::{Serve, declaration::Threaded},
    client::Permission,
    dialect::v2::client_of_both,
    rpc::Limits,
    session::{Replay, Turn},
    transport::memory::{self, Lines},
    values::{
        AuthenticateRequest, Diff, ElicitationSchema, Meta, PromptRequest, SessionId, StopReason, ToolCallUpdate,
        ToolKind,
    },
    wire::{Error, Result},
};

/// A client of version 2.
struct Client {
    lines: Lines,
    last: u64,
}

impl Client {
    async fn of<A: Serve<Threading = Threaded> + Send + Sync>(agent: A) -> Self {
        Self::with(agent, json!({})).await
    }

    async fn with<A: Serve<Threading = Threaded> + Send + Sync>(agent: A, capabilities: Value) -> Self {
        let (near, far) = memory::pair();
        tokio::spawn(agent.serve(near, Limits::default()));
        let mut client = Self { lines: far.into_lines(), last: 0 };
        let info = json!({ "name": "client", "version": "1" });
        let answer =
            client.ask("initialize", json!({ "protocolVersion": 2, "info": info, "capabilities": capabilities })).await;
        answer.expect("it is initialized");
        client
    }

    async fn send(&mut self, message: Value) {
        self.lines.send(&message.to_string()).await.unwrap();
    }

    /// The next message that does not announce commands.
    async fn next(&mut self) -> Value {
        loop {
            let line = tokio::time::timeout(Duration::from_secs(10), self.lines.next_line()).await;
            let message: Value =
                serde_json::from_str(&line.expect("a line in time").unwrap().expect("a line")).unwrap();
            if message["params"]["update"]["sessionUpdate"] != "available_commands_update" {
                return message;
            }
        }
    }

    /// The next message that is no update.
    async fn next_call(&mut self) -> Value {
        loop {
            let message = self.next().await;
            if message["method"] != "session/update" {
                return message;
            }
        }
    }

    /// Sends a request that the schema allows. Returns its answer, and leaves the updates before it out.
    async fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        assert!(v2::ClientRequest::parse(method, &params).expect(method).is_ok(), "{method} {params}");
        self.ask_raw(method, params).await
    }

    async fn ask_raw(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.last += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params })).await;
        let mut answer = self.next_call().await;
        assert_eq!(answer["id"], self.last, "{answer}");
        if answer["error"].is_object() { Err(answer["error"].take()) } else { Ok(answer["result"].take()) }
    }

    async fn open(&mut self) -> Value {
        self.ask("session/new", json!({ "cwd": "/work" })).await.unwrap()["sessionId"].clone()
    }

    async fn prompt(&mut self, session: &Value, text: &str) {
        let prompt = json!({ "sessionId": session, "prompt": [{ "type": "text", "text": text }] });
        self.ask("session/prompt", prompt).await.unwrap();
    }

    /// Waits for the end of the turn. Returns what the agent said in it.
    async fn turn(&mut self) -> String {
        let mut said = String::new();
        loop {
            let message = self.next().await;
            let update = &message["params"]["update"];
            if update["sessionUpdate"] == "agent_message_chunk" {
                said += update["content"]["text"].as_str().unwrap();
            }
            if update["state"] == "idle" {
                return said;
            }
        }
    }
}

fn code(answer: Result<Value, Value>) -> i64 {
    answer.expect_err("a refusal")["code"].as_i64().unwrap()
}

#[derive(crate::ConfigOptions, Clone)]
#[config_option(crate = crate)]
struct Config {
    #[config_option(values("low", "high"), default = "low")]
    effort: String,
    #[config_option(default = false)]
    brave: bool,
}

/// An agent with nothing but turns, options, a command and a fallback, which gets none of what each agent answers.
#[acp_macros::acp_agent(crate = crate, config = Config)]
#[derive(Clone)]
struct Bare;

#[acp_macros::acp_agent(crate = crate)]
impl Bare {
    async fn prompt(&self, turn: Turn<Config>, request: PromptRequest) -> Result<StopReason> {
        match &*request.text() {
            "wait" => {
                turn.message("waiting").await?;
                turn.cancelled().await;
            }
            _ => turn.message(format!("{} {}", turn.config().effort, turn.config().brave)).await?,
        }
        Ok(StopReason::EndTurn)
    }

    /// Says so.
    #[command]
    async fn look(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[fallback]
    async fn other(&self) -> Result<()> {
        Err(Error::method_not_found("of the agent"))
    }
}

#[tokio::test]
async fn an_agent_without_a_store_lists_resumes_and_closes_its_active_sessions() {
    let mut client = Client::of(Bare).await;
    let (one, two) = (client.open().await, client.open().await);
    let list = client.ask("session/list", json!({})).await.unwrap();
    assert!(serde_json::from_value::<v2::ListSessionsResponse>(list.clone()).is_ok());
    let mut ids: Vec<_> = list["sessions"].as_array().unwrap().iter().map(|info| info["sessionId"].clone()).collect();
    ids.sort_by_key(Value::to_string);
    let mut expected = [one.clone(), two.clone()];
    expected.sort_by_key(Value::to_string);
    assert_eq!(ids, expected);
    assert_eq!(list["sessions"][0]["cwd"], "/work");
    assert_eq!(client.ask("session/list", json!({ "cwd": "/other" })).await.unwrap(), json!({ "sessions": [] }));
    assert_eq!(code(client.ask("session/list", json!({ "cursor": "c" })).await), -32602);
    assert_eq!(code(client.ask("session/list", json!({ "cwd": "work" })).await), -32602);

    // The options stay as the client has set them.
    let set = json!({ "sessionId": one, "configId": "effort", "type": "id", "value": "high" });
    client.ask("session/set_config_option", set).await.unwrap();
    for replay_from in [Value::Null, json!({ "type": "start" })] {
        let resume = json!({ "sessionId": one, "cwd": "/work", "replayFrom": replay_from });
        client.last += 1;
        client.send(json!({ "jsonrpc": "2.0", "id": client.last, "method": "session/resume", "params": resume })).await;
        // The state comes before the answer, and nothing is replayed.
        let told = client.next().await;
        assert_eq!(told["params"]["update"], json!({ "sessionUpdate": "state_update", "state": "idle" }), "{told}");
        let answer = client.next().await;
        assert_eq!(answer["id"], client.last, "{answer}");
        assert!(answer["result"].to_string().contains(r#""currentValue":"high""#), "{answer}");
    }
    let moved = json!({ "sessionId": one, "cwd": "/other" });
    assert_eq!(code(client.ask("session/resume", moved).await), -32602);
    assert_eq!(code(client.ask("session/resume", json!({ "sessionId": one, "cwd": "work" })).await), -32602);
    let unknown = client.ask("session/resume", json!({ "sessionId": "none", "cwd": "/work" })).await.unwrap_err();
    assert_eq!((&unknown["code"], &unknown["data"]), (&json!(-32002), &json!({ "sessionId": "none" })));

    assert_eq!(client.ask("session/close", json!({ "sessionId": one })).await.unwrap(), json!({}));
    let left = client.ask("session/list", json!({})).await.unwrap();
    assert_eq!(left["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(left["sessions"][0]["sessionId"], two);
    // What is closed already is closed.
    assert_eq!(client.ask("session/close", json!({ "sessionId": one })).await.unwrap(), json!({}));
    let prompt = json!({ "sessionId": one, "prompt": [{ "type": "text", "text": "hi" }] });
    assert_eq!(code(client.ask("session/prompt", prompt).await), -32002);
}

#[tokio::test]
async fn a_session_that_is_resumed_goes_on_with_its_turn() {
    let mut client = Client::of(Bare).await;
    let session = client.open().await;
    client.prompt(&session, "wait").await;
    while client.next().await["params"]["update"]["sessionUpdate"] != "agent_message_chunk" {}
    client.last += 1;
    let resume = json!({ "sessionId": session, "cwd": "/work" });
    client.send(json!({ "jsonrpc": "2.0", "id": client.last, "method": "session/resume", "params": resume })).await;
    assert_eq!(client.next().await["params"]["update"]["state"], "running");
    assert_eq!(client.next().await["id"], client.last);
    client.send(json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": session } })).await;
    client.turn().await;
    client.prompt(&session, "hi").await;
    assert_eq!(client.turn().await, "low false");
}

#[tokio::test]
async fn version_1_has_no_baseline() {
    let (near, far) = memory::pair();
    tokio::spawn(Bare.serve(near, Limits::default()));
    let mut client = Client { lines: far.into_lines(), last: 0 };
    client.ask_raw("initialize", json!({ "protocolVersion": 1 })).await.unwrap();
    for (method, code_of_1) in [
        ("session/list", -32601),
        ("session/resume", -32601),
        ("session/load", -32601),
        ("session/close", -32601),
        ("logout", -32601),
        ("tool_call/cancel", -32601),
    ] {
        let params = json!({ "sessionId": "s", "cwd": "/", "mcpServers": [] });
        assert_eq!(code(client.ask_raw(method, params).await), code_of_1, "{method}");
    }
    // Null is an id there.
    client.send(json!({ "jsonrpc": "2.0", "id": null, "method": "session/new", "params": { "cwd": "/", "mcpServers": [] } })).await;
    assert!(client.next_call().await["result"]["sessionId"].is_string());
}

#[tokio::test]
async fn what_version_2_lacks_or_forbids_is_refused() {
    let mut client = Client::of(Bare).await;
    let session = client.open().await;
    for method in ["session/load", "session/set_mode", "authenticate", "logout", "auth/login", "auth/logout"] {
        let params = json!({ "sessionId": session, "methodId": "m", "cwd": "/", "mcpServers": [], "modeId": "m" });
        let error = client.ask_raw(method, params).await.unwrap_err();
        // The agent without logins has no way to log in either; its fallback says so.
        let name = if method.starts_with("auth/") { "of the agent" } else { method };
        assert_eq!(error, json!({ "code": -32601, "message": format!("no method `{name}`") }));
    }
    let prompt = |block: Value| json!({ "sessionId": session, "prompt": [block] });
    let image = json!({ "type": "image", "data": "AA==", "mimeType": "image/png" });
    let told = client.ask("session/prompt", prompt(image.clone())).await.unwrap_err()["message"].to_string();
    assert!(told.contains("`session.prompt.image`"), "the capability has the name of this version: {told}");
    let set = |id: &str, kind: &str, value: Value| json!({ "sessionId": session, "configId": id, "type": kind, "value": value });
    let http = json!({ "type": "http", "name": "h", "url": "https://a.b" });
    for (method, params) in [
        ("session/prompt", prompt(image)),
        ("session/prompt", prompt(json!({ "type": "_video" }))),
        ("session/set_config_option", set("none", "id", json!("v"))),
        ("session/set_config_option", set("effort", "id", json!("none"))),
        ("session/set_config_option", set("effort", "boolean", json!(true))),
        ("session/set_config_option", set("brave", "id", json!("on"))),
        ("session/set_config_option", set("effort", "_text", json!("low"))),
        ("session/new", json!({ "cwd": "work" })),
        ("session/new", json!({ "cwd": "/", "mcpServers": [http] })),
        ("session/new", json!({ "cwd": "/", "mcpServers": [{ "type": "_pipe" }] })),
        ("tool_call/cancel", json!({ "sessionId": session, "toolCallId": "none" })),
        ("terminal/cancel", json!({ "sessionId": session, "terminalId": "none" })),
    ] {
        assert_eq!(code(client.ask(method, params.clone()).await), -32602, "{method} {params}");
    }
    assert_eq!(code(client.ask_raw("session/prompt", json!({ "sessionId": session, "prompt": [] })).await), -32602);
    for (method, params) in [
        ("tool_call/cancel", json!({ "sessionId": "none", "toolCallId": "c" })),
        ("terminal/cancel", json!({ "sessionId": "none", "terminalId": "t" })),
        (
            "session/set_config_option",
            json!({ "sessionId": "none", "configId": "effort", "type": "id", "value": "low" }),
        ),
    ] {
        let error = client.ask(method, params).await.unwrap_err();
        assert_eq!((&error["code"], &error["data"]), (&json!(-32002), &json!({ "sessionId": "none" })), "{method}");
    }
    // None of this has changed anything.
    client.ask("session/set_config_option", set("brave", "boolean", json!(true))).await.unwrap();
    client.prompt(&session, "hi").await;
    assert_eq!(client.turn().await, "low true");
}

#[tokio::test]
async fn an_id_that_is_no_text_and_no_integer_is_refused_without_an_id() {
    let mut client = Client::of(Bare).await;
    for id in [Value::Null, json!(1.5)] {
        client.send(json!({ "jsonrpc": "2.0", "id": id, "method": "session/new", "params": { "cwd": "/" } })).await;
        let answer = client.next().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)), "{answer}");
        client.send(json!({ "jsonrpc": "1", "id": id, "method": "session/new" })).await;
        assert_eq!(client.next().await["id"], Value::Null);
    }
    client.send(json!({ "jsonrpc": "2.0", "id": "a", "method": "session/new", "params": { "cwd": "/" } })).await;
    assert_eq!(client.next().await["id"], "a");
}

/// It loads sessions, and replays a message.
#[acp_macros::acp_agent(crate = crate)]
#[derive(Clone)]
struct Loads;

#[acp_macros::acp_agent(crate = crate)]
impl Loads {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("loaded").await?;
        Ok(StopReason::EndTurn)
    }

    async fn load_session(&self, id: &SessionId, replay: Replay) -> Result<()> {
        if id.as_ref() == "none" {
            return Err(Error::session_not_found("none"));
        }
        replay.agent("as before").await
    }
}

#[tokio::test]
async fn a_handler_of_loads_resumes_without_its_replay() {
    let mut client = Client::of(Loads).await;
    for (replay_from, replayed) in [(Value::Null, 0), (json!({ "type": "start" }), 1), (Value::Null, 0)] {
        client.last += 1;
        let resume = json!({ "sessionId": "kept", "cwd": "/work", "replayFrom": replay_from });
        client.send(json!({ "jsonrpc": "2.0", "id": client.last, "method": "session/resume", "params": resume })).await;
        let mut told = Vec::new();
        while told.last().is_none_or(|last: &Value| last["id"] != client.last) {
            told.push(client.next().await);
        }
        let of = |kind: &str| told.iter().filter(|told| told["params"]["update"]["sessionUpdate"] == kind).count();
        assert_eq!((of("agent_message_chunk"), of("state_update")), (replayed, 1), "{told:?}");
        assert!(told.last().unwrap()["result"].is_object(), "{told:?}");
        // What the session says from here on is told.
        client.prompt(&json!("kept"), "hi").await;
        assert_eq!(client.turn().await, "loaded");
    }
    let unknown = client.ask("session/resume", json!({ "sessionId": "none", "cwd": "/work" })).await.unwrap_err();
    assert_eq!(unknown["code"], -32002);
}

/// It resumes sessions, and has no history.
#[acp_macros::acp_agent(crate = crate)]
#[derive(Clone)]
struct Resumes;

#[acp_macros::acp_agent(crate = crate)]
impl Resumes {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn resume_session(&self) {}
}

#[tokio::test]
async fn a_handler_of_resumes_has_nothing_to_replay() {
    let mut client = Client::of(Resumes).await;
    for replay_from in [json!({ "type": "start" }), Value::Null] {
        let resume = json!({ "sessionId": "kept", "cwd": "/work", "replayFrom": replay_from });
        assert!(client.ask("session/resume", resume).await.unwrap().is_object());
    }
}

/// It has a way to log in, and no handler of logouts.
#[acp_macros::acp_agent(crate = crate, auth(agent(id = "key", name = "Key"), terminal(id = "shell", name = "Shell")), needs_auth)]
#[derive(Clone)]
struct LogsIn;

#[acp_macros::acp_agent(crate = crate)]
impl LogsIn {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn authenticate(&self, request: AuthenticateRequest) -> Result<()> {
        assert_eq!(request.method_id.as_ref(), "key");
        Ok(())
    }
}

#[tokio::test]
async fn a_client_logs_in_and_out() {
    let mut client = Client::of(LogsIn).await;
    let new = json!({ "cwd": "/work" });
    assert_eq!(code(client.ask("session/new", new.clone()).await), -32000);
    for wrong in ["none", "shell"] {
        assert_eq!(code(client.ask("auth/login", json!({ "methodId": wrong })).await), -32602);
    }
    assert_eq!(client.ask("auth/login", json!({ "methodId": "key" })).await, Ok(json!({})));
    assert!(client.ask("session/new", new.clone()).await.is_ok());
    assert_eq!(client.ask("auth/logout", json!({})).await, Ok(json!({})));
    assert_eq!(code(client.ask("session/new", new).await), -32000);
    assert_eq!(code(client.ask("session/list", json!({})).await), -32000);
}

/// It asks what it is told to.
#[acp_macros::acp_agent(crate = crate)]
#[derive(Clone)]
struct Asks;

#[acp_macros::acp_agent(crate = crate)]
impl Asks {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let client = turn.client();
        let said = match &*request.text() {
            "call" => {
                let diff = Diff::new("/work/a", "new").old_text("old".to_owned());
                let call = turn.tool_call("Write it").kind(ToolKind::Edit).content(diff).start().await?;
                let permission = call.ask_permission().await?;
                call.complete("").await?;
                format!("{} {}", permission.is_allowed(), permission.error().is_some())
            }
            "command" => {
                let meta = Meta::from_iter([("mine".to_owned(), json!(1))]);
                let call = turn.tool_call("Test").id("test").kind(ToolKind::Execute).start().await?;
                let permission = call.permission().meta(meta).command("make test", "/work").ask().await?;
                let early =
                    turn.tool_call("Build").id("build").permission().command("make", "/").remember("make").await?;
                let error = call.permission().command("make", "work").await.expect_err("a relative directory");
                assert!(error.message().contains("`work`"), "{error}");
                call.complete("").await?;
                format!("{} {}", permission.is_allowed(), early.is_allowed())
            }
            "bare" => {
                let call = ToolCallUpdate::new("c").kind(ToolKind::Execute);
                format!("{}", client.request_permission(call, Permission::once_or_always()).await?.is_allowed())
            }
            "form" => format!("{:?}", client.elicit_form("Which?", ElicitationSchema::new()).await?),
            "files" => {
                assert!(!client.can_read_files() && !client.can_write_files() && !client.can_run_terminals());
                let read = client.read_text_file("/work/a").await.expect_err("nobody reads it");
                let run = client.terminal("make").start().await.expect_err("nobody runs it");
                format!("{}\n{}", read.message(), run.message())
            }
            "alone" => {
                let call = turn.tool_call("Wait").id("alone").start().await?.cancellable().await?;
                let is_cancelled = call.until_cancelled(std::future::pending::<()>()).await.is_err();
                call.cancel().await?;
                format!("{is_cancelled} {}", turn.is_cancelled())
            }
            #[cfg(feature = "local")]
            "local" => {
                let folder = tempfile::tempdir()?;
                let workspace = client.workspace(folder.path());
                workspace.write("a", "by the agent").await?;
                let read = workspace.command("cat").args(["a"]).run().await?.output;
                format!("{} {}", read == workspace.read("a").await?, read)
            }
            other => other.to_owned(),
        };
        turn.message(said).await?;
        Ok(StopReason::EndTurn)
    }
}

/// Prompts the agent, checks its question by the schema, and answers it. Returns the question, and what the agent said then.
async fn asked(client: &mut Client, session: &Value, what: &str, outcome: Value) -> (Value, String) {
    client.prompt(session, what).await;
    let mut question = client.next_call().await;
    let (method, params) = (question["method"].as_str().unwrap().to_owned(), question["params"].take());
    assert!(v2::AgentRequest::parse(&method, &params).expect("a method").is_ok(), "{method} {params}");
    client.send(json!({ "jsonrpc": "2.0", "id": question["id"], "result": outcome })).await;
    (params, client.turn().await)
}

#[tokio::test]
async fn a_permission_for_a_command_says_so_to_a_client_of_version_2() {
    for version in [1, 2] {
        let mut client = client_of_both::Client::of(Asks, version).await;
        let opened = client.ask("session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
        let prompt = json!({ "sessionId": opened["sessionId"], "prompt": [{ "type": "text", "text": "command" }] });
        client.send("session/prompt", prompt).await;
        let mut asked = Vec::new();
        while asked.len() < 2 {
            let question = client.next().await;
            if question["method"] == "session/request_permission" {
                let outcome = json!({ "outcome": { "outcome": "selected", "optionId": "allow" } });
                client.respond(&question["id"], outcome).await;
                asked.push(question["params"].clone());
            }
        }
        assert_eq!(asked[0]["_meta"], json!({ "mine": 1 }), "version {version}");
        assert!(asked[1].get("_meta").is_none(), "version {version}");
        if version == 1 {
            assert_eq!((&asked[0]["toolCall"]["title"], asked[0].get("subject")), (&json!("Test"), None));
            continue;
        }
        for params in &asked {
            assert!(
                v2::AgentRequest::parse("session/request_permission", params).expect("a method").is_ok(),
                "{params}"
            );
        }
        let subjects: Vec<_> = asked.iter().map(|params| (&params["title"], &params["subject"])).collect();
        let reported = json!({ "type": "command", "command": "make test", "cwd": "/work", "toolCallId": "test" });
        // The client does not know the other call.
        let early = json!({ "type": "command", "command": "make", "cwd": "/" });
        assert_eq!(subjects, [(&json!("Test"), &reported), (&json!("Build"), &early)]);
        let subject = |value: &Value| serde_json::from_value::<v2::CommandPermissionSubject>(value.clone()).unwrap();
        assert_eq!((subject(&reported).command, subject(&early).tool_call_id), ("make test".to_owned(), None));
    }
}

#[tokio::test]
async fn a_permission_has_a_title_and_the_tool_call_as_its_subject() {
    let mut client = Client::of(Asks).await;
    let session = client.open().await;
    let outcome = |outcome: Value| json!({ "outcome": outcome });
    let allow = outcome(json!({ "outcome": "selected", "optionId": "allow" }));
    let (question, said) = asked(&mut client, &session, "call", allow.clone()).await;
    assert_eq!((&question["title"], &said), (&json!("Write it"), &"true false".to_owned()));
    let subject = &question["subject"];
    assert_eq!((&subject["type"], &subject["toolCall"]["title"]), (&json!("tool_call"), &json!("Write it")));
    assert!(subject["toolCall"].get("toolCall").is_none() && question.get("toolCall").is_none());
    let change = &subject["toolCall"]["content"][0]["changes"][0];
    assert_eq!((&change["operation"], &change["path"]), (&json!("modify"), &json!("/work/a")));
    assert_eq!(question["options"].as_array().unwrap().len(), 2);

    for (answer, expected) in [
        (outcome(json!({ "outcome": "cancelled" })), "false false"),
        (outcome(json!({ "outcome": "selected", "optionId": "reject" })), "false false"),
        (outcome(json!({ "outcome": "selected", "optionId": "made_up" })), "false true"),
        (outcome(json!({ "outcome": "_later", "optionId": "allow" })), "false true"),
    ] {
        assert_eq!(asked(&mut client, &session, "call", answer.clone()).await.1, expected, "{answer}");
    }
    let (question, said) = asked(&mut client, &session, "bare", allow).await;
    assert_eq!((&question["title"], &*said), (&json!("Run a command"), "true"));
}

#[tokio::test]
async fn forms_are_asked_as_before_and_files_and_terminals_are_none_of_this_version() {
    let mut client = Client::with(Asks, json!({ "elicitation": { "form": {} } })).await;
    let session = client.open().await;
    let answer = json!({ "action": "accept", "content": { "a": 1 } });
    assert_eq!(asked(&mut client, &session, "form", answer).await.1, r#"Accepted({"a": Integer(1)})"#);
    assert_eq!(asked(&mut client, &session, "form", json!({ "action": "_later" })).await.1, "Cancelled");
    client.prompt(&session, "files").await;
    let said = client.turn().await;
    let of_version = "this client speaks version 2 of the protocol, which has no";
    assert!(said.contains(&format!("{of_version} `fs/read_text_file`")), "{said}");
    assert!(said.contains(&format!("{of_version} `terminal/create`")), "{said}");
}

#[tokio::test]
async fn a_form_blocks_the_turn_until_it_is_answered() {
    let mut client = Client::with(Asks, json!({ "elicitation": { "form": {} } })).await;
    let session = client.open().await;
    client.prompt(&session, "form").await;
    let mut told = Vec::new();
    while told.last() != Some(&json!("idle")) {
        let message = client.next().await;
        let state = &message["params"]["update"]["state"];
        told.extend(Some(state.clone()).filter(Value::is_string));
        if message["method"] == "elicitation/create" {
            let id = message["id"].clone();
            // The state may stand before or behind the question.
            if told.last() != Some(&json!("requires_action")) {
                told.push(client.next().await["params"]["update"]["state"].clone());
            }
            client.send(json!({ "jsonrpc": "2.0", "id": id, "result": { "action": "decline" } })).await;
        }
    }
    assert_eq!(told, ["running", "requires_action", "running", "idle"]);
}

#[cfg(all(unix, feature = "local"))]
#[tokio::test]
async fn a_workspace_works_without_the_client() {
    let mut client = Client::of(Asks).await;
    let session = client.open().await;
    client.prompt(&session, "local").await;
    assert_eq!(client.turn().await, "true by the agent");
}

#[tokio::test]
async fn a_tool_call_that_may_be_cancelled_alone_is_cancelled_alone() {
    let mut client = Client::of(Asks).await;
    let session = client.open().await;
    client.prompt(&session, "alone").await;
    let mut advertised = false;
    while !advertised {
        advertised = client.next().await["params"]["update"]["capabilities"]["cancel"].is_object();
    }
    let cancel = |id: &str| json!({ "sessionId": session, "toolCallId": id });
    assert_eq!(code(client.ask("tool_call/cancel", cancel("other")).await), -32602);
    client.last += 1;
    client
        .send(json!({ "jsonrpc": "2.0", "id": client.last, "method": "tool_call/cancel", "params": cancel("alone") }))
        .await;
    let mut told = vec![client.next().await];
    while told.last().is_none_or(|last| last["params"]["update"]["state"] != "idle") {
        told.push(client.next().await);
    }
    assert!(told.iter().any(|told| told["id"] == client.last && told["result"] == json!({})), "{told:?}");
    assert!(told.iter().any(|told| told["params"]["update"]["content"]["text"] == "true false"), "{told:?}");
    assert_eq!(code(client.ask("tool_call/cancel", cancel("alone")).await), -32602);
}
