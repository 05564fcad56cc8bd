//! Turns of version 2, from the client's side of the line.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};

use crate::{
    agent::{Serve, ServeOptions},
    rpc::Limits,
    session::{Steered, Turn, TurnHandle},
    transport::memory::{self, Lines},
    values::{PromptRequest, StopReason},
    wire::{Error, Result},
};

/// Says what it is told, and ends when it may.
#[acp_macros::acp_agent(crate = crate)]
#[derive(Clone)]
struct Waiting(Arc<Semaphore>);

#[acp_macros::acp_agent(crate = crate)]
impl Waiting {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(request.text()).await?;
        turn.until_cancelled(self.0.acquire()).await?.expect("it is never closed").forget();
        if request.text() == "fail" {
            return Err(Error::internal_error("as asked"));
        }
        Ok(StopReason::EndTurn)
    }

    async fn close_session(&self) {}

    /// Says so.
    #[command(during_turns)]
    async fn look(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("looking").await?;
        Err(Error::internal_error("nothing there"))
    }
}

/// Its turns take prompts in.
#[acp_macros::acp_agent(crate = crate, turns = "steer")]
#[derive(Clone)]
struct Steering(Arc<Semaphore>);

#[acp_macros::acp_agent(crate = crate)]
impl Steering {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(request.text()).await?;
        turn.until_cancelled(self.0.acquire()).await?.expect("it is never closed").forget();
        Ok(StopReason::EndTurn)
    }

    async fn steer(&self, request: PromptRequest, turn: TurnHandle<Self>) -> Result<Steered> {
        match &*request.text() {
            "later" => Ok(Steered::Queued),
            "never" => Err(Error::invalid_request("not this")),
            "last" => {
                self.0.add_permits(1);
                Ok(Steered::Joined)
            }
            text => {
                turn.message(format!("also {text}")).await?;
                Ok(Steered::Joined)
            }
        }
    }
}

/// Works without prompts, and in the background.
#[acp_macros::acp_agent(crate = crate)]
#[derive(Clone)]
struct Busy(Arc<Semaphore>);

#[acp_macros::acp_agent(crate = crate)]
impl Busy {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let gate = self.0.clone();
        match &*request.text() {
            "work" => {
                let work = turn.session().begin_work().await?;
                tokio::spawn(async move {
                    let permit = work.until_cancelled(gate.acquire()).await?;
                    permit.expect("it is never closed").forget();
                    work.message("worked").await?;
                    work.end(StopReason::Refusal);
                    Ok::<_, Error>(())
                });
            }
            "fail" => {
                let (work, other) = (turn.session().begin_work().await?, turn.session().begin_work().await?);
                work.fail(Error::internal_error("the disk is full"));
                turn.message("I go on").await?;
                tokio::spawn(async move {
                    gate.acquire().await.expect("it is never closed").forget();
                    other.fail(Error::internal_error("the disk is full again"));
                });
            }
            text if text.starts_with("edit") => {
                let call = turn.tool_call("Edit").id(text).start().await?;
                let (one, other) = (call.ask_permission(), call.ask_permission());
                let (one, other) = tokio::join!(one, other);
                let (one, other) = (one?.is_allowed(), other?.is_allowed());
                turn.message(format!("{one} {other}")).await?;
                call.complete(()).await?;
            }
            "background" => {
                let call = turn.tool_call("Build").id("build").start().await?;
                let call = call.into_background().await?.cancellable().await?;
                tokio::spawn(async move {
                    match call.until_cancelled(gate.acquire()).await {
                        Ok(permit) => {
                            permit.expect("it is never closed").forget();
                            call.complete("built").await
                        }
                        Err(_) => call.cancel().await,
                    }
                });
            }
            _ => {}
        }
        Ok(StopReason::EndTurn)
    }

    async fn resume_session(&self) {}
}

/// Builds in the background, and says here whether the end of it was sent.
#[acp_macros::acp_agent(crate = crate)]
#[derive(Clone)]
struct Builds(Arc<Semaphore>, mpsc::UnboundedSender<bool>);

#[acp_macros::acp_agent(crate = crate)]
impl Builds {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        let Self(gate, told) = self.clone();
        let call = turn.tool_call("Build").id("build").start().await?.into_background().await?;
        tokio::spawn(async move {
            gate.acquire().await.expect("it is never closed").forget();
            told.send(call.complete("built").await.is_ok()).expect("the test waits for it");
        });
        Ok(StopReason::EndTurn)
    }
}

/// A client of version 2, with one session.
struct Client {
    lines: Lines,
    session: Value,
    /// The requests for permission that are open.
    asked: Vec<Value>,
}

impl Client {
    async fn of<A: Serve<Threading = crate::agent::declaration::Threaded> + Send + Sync>(agent: A) -> Self {
        let (near, far) = memory::pair();
        tokio::spawn(agent.serve(near, Limits::default()));
        let mut client = Self { lines: far.into_lines(), session: Value::Null, asked: Vec::new() };
        let info = json!({ "name": "client", "version": "1" });
        client.ask(0, "initialize", json!({ "protocolVersion": 2, "info": info, "capabilities": {} })).await;
        let opened = client.ask(1, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
        client.session = opened["sessionId"].clone();
        client
    }

    async fn send(&mut self, message: Value) {
        self.lines.send(&message.to_string()).await.unwrap();
    }

    async fn request(&mut self, id: u64, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
    }

    async fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.request(id, method, params).await;
        let answer = self.next().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"].clone()
    }

    async fn prompt(&mut self, id: u64, text: &str) {
        let prompt = json!({ "sessionId": self.session, "prompt": [{ "type": "text", "text": text }] });
        self.request(id, "session/prompt", prompt).await;
    }

    async fn steer(&mut self, id: u64, text: &str) {
        let params = json!({ "sessionId": self.session, "prompt": [{ "type": "text", "text": text }] });
        self.request(id, "_session/steering", params).await;
    }

    async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
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

    /// The next messages, in short.
    async fn told(&mut self, count: usize) -> Vec<String> {
        let mut all = Vec::new();
        for _ in 0..count {
            let message = self.next().await;
            let update = &message["params"]["update"];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            match message["method"].as_str() {
                Some("session/request_permission") => {
                    all.push("asked".to_owned());
                    self.asked.push(message["id"].clone());
                    continue;
                }
                Some("$/cancel_request") => {
                    all.push("withdrawn".to_owned());
                    continue;
                }
                _ => {}
            }
            all.push(match (update["sessionUpdate"].as_str(), message.get("error")) {
                (Some("state_update"), _) if update["error"].is_object() => {
                    format!("idle: error {}", text(&update["error"]["message"]))
                }
                (Some("state_update"), _) => {
                    let mut state = text(&update["state"]);
                    if let Some(reason) = update["stopReason"].as_str() {
                        state += &format!(": {reason}");
                    }
                    if let Some(background) = update["background"].as_array() {
                        let ids: Vec<_> = background.iter().map(|item| text(&item["toolCallId"])).collect();
                        state += &format!(" {ids:?}");
                    }
                    state
                }
                (Some("tool_call" | "tool_call_update"), _) => {
                    let can_be_cancelled =
                        if update["capabilities"]["cancel"].is_object() { " can be cancelled" } else { "" };
                    let status = update["status"].as_str().map(|status| format!(" {status}")).unwrap_or_default();
                    format!("{}{status}{can_be_cancelled}", text(&update["toolCallId"]))
                }
                (Some("user_message"), _) => format!("user: {}", text(&update["content"][0]["text"])),
                (Some("notice"), _) => format!("notice: {}", text(&update["title"])),
                (Some(_), _) => format!("said: {}", text(&update["content"]["text"])),
                (None, Some(error)) => format!("{} refused: {}", message["id"], error["code"]),
                (None, None) if message["result"]["messageId"].is_string() => format!("{} inserted", message["id"]),
                (None, None) if message["result"]["outcome"].is_string() => {
                    format!("{} {}", message["id"], text(&message["result"]["outcome"]))
                }
                (None, None) => format!("{} answered", message["id"]),
            });
        }
        all
    }
}

#[tokio::test]
async fn a_prompt_is_answered_when_it_is_inserted_and_its_turn_stands_between_running_and_idle() {
    let mut client = Client::of(Waiting(Arc::new(Semaphore::new(1)))).await;
    client.prompt(2, "hi").await;
    let answer = client.next().await;
    let message = client.next().await;
    assert!(answer["result"]["messageId"].is_string(), "{answer}");
    assert_eq!(message["params"]["update"]["messageId"], answer["result"]["messageId"]);
    assert_eq!(message["params"]["update"]["content"], json!([{ "type": "text", "text": "hi" }]));
    assert_eq!(client.told(3).await, ["running", "said: hi", "idle: end_turn"]);
}

#[tokio::test]
async fn a_failure_behind_the_insertion_is_the_reason_of_the_idle() {
    let mut client = Client::of(Waiting(Arc::new(Semaphore::new(1)))).await;
    client.prompt(2, "fail").await;
    assert_eq!(client.told(5).await, ["2 inserted", "user: fail", "running", "said: fail", "idle: error as asked"]);
}

#[tokio::test]
async fn prompts_are_held_during_a_turn_and_begin_in_order() {
    let gate = Arc::new(Semaphore::new(0));
    let mut client = Client::of(Waiting(gate.clone())).await;
    client.prompt(2, "one").await;
    assert_eq!(client.told(4).await, ["2 inserted", "user: one", "running", "said: one"]);
    client.prompt(3, "two").await;
    client.prompt(4, "three").await;
    gate.add_permits(3);
    let expected = [
        "idle: end_turn",
        "user: two",
        "3 inserted",
        "running",
        "said: two",
        "idle: end_turn",
        "user: three",
        "4 inserted",
        "running",
        "said: three",
        "idle: end_turn",
    ];
    assert_eq!(client.told(11).await, expected);
}

#[tokio::test]
async fn a_cancel_ends_the_turn_and_refuses_what_is_held() {
    let mut client = Client::of(Waiting(Arc::new(Semaphore::new(0)))).await;
    client.prompt(2, "one").await;
    client.told(4).await;
    client.prompt(3, "two").await;
    client.notify("session/cancel", json!({ "sessionId": client.session })).await;
    assert_eq!(client.told(2).await, ["3 refused: -32800", "idle: cancelled"]);
    // One that is withdrawn leaves the turn alone.
    client.prompt(4, "three").await;
    client.told(4).await;
    client.prompt(5, "four").await;
    client.notify("$/cancel_request", json!({ "requestId": 5 })).await;
    assert_eq!(client.told(1).await, ["5 refused: -32800"]);
    client.prompt(6, "five").await;
    client.request(7, "session/close", json!({ "sessionId": client.session })).await;
    assert_eq!(client.told(3).await, ["6 refused: -32800", "idle: cancelled", "7 answered"]);
}

#[tokio::test]
async fn a_prompt_that_the_turn_takes_in_is_told_and_answered_at_once() {
    let gate = Arc::new(Semaphore::new(0));
    let mut client = Client::of(Steering(gate.clone())).await;
    client.prompt(2, "one").await;
    client.told(4).await;
    client.prompt(3, "two").await;
    let mut told = client.told(3).await;
    told.sort();
    assert_eq!(told, ["3 inserted", "said: also two", "user: two"]);
    client.prompt(4, "never").await;
    assert_eq!(client.told(1).await, ["4 refused: -32600"]);
    client.prompt(5, "later").await;
    gate.add_permits(2);
    let expected = ["idle: end_turn", "user: later", "5 inserted", "running", "said: later", "idle: end_turn"];
    assert_eq!(client.told(6).await, expected);
}

#[tokio::test]
async fn what_steering_sends_is_a_message_of_the_turn_or_begins_one() {
    let gate = Arc::new(Semaphore::new(0));
    let mut client = Client::of(Steering(gate.clone())).await;
    client.steer(2, "one").await;
    assert_eq!(client.told(4).await, ["2 startedNewTurn", "user: one", "running", "said: one"]);
    client.steer(3, "two").await;
    let mut told = client.told(3).await;
    told.sort();
    assert_eq!(told, ["3 injected", "said: also two", "user: two"]);
    client.steer(4, "never").await;
    assert_eq!(client.told(1).await, ["4 refused: -32600"]);
    client.steer(5, "later").await;
    gate.add_permits(1);
    let expected = ["idle: end_turn", "5 startedNewTurn", "user: later", "running", "said: later"];
    assert_eq!(client.told(5).await, expected);
    client.steer(6, "later").await;
    client.notify("session/cancel", json!({ "sessionId": client.session })).await;
    assert_eq!(client.told(2).await, ["6 refused: -32800", "idle: cancelled"]);
}

#[tokio::test]
async fn what_the_turn_takes_in_is_answered_before_its_end() {
    for method in ["session/prompt", "_session/steering"] {
        let mut client = Client::of(Steering(Arc::new(Semaphore::new(0)))).await;
        client.prompt(2, "go").await;
        client.told(4).await;
        let params = json!({ "sessionId": client.session, "prompt": [{ "type": "text", "text": "last" }] });
        client.request(3, method, params).await;
        let (message, answer, end) = (client.next().await, client.next().await, client.next().await);
        assert_eq!(message["params"]["update"]["sessionUpdate"], "user_message");
        assert_eq!(answer["id"], 3, "{answer}");
        assert_eq!(end["params"]["update"]["state"], "idle", "{end}");
    }
}

#[cfg(feature = "unstable")]
#[tokio::test]
async fn only_agents_that_steer_tell_of_the_draft() {
    let gate = Arc::new(Semaphore::new(0));
    let again = json!({ "protocolVersion": 2, "info": { "name": "client", "version": "1" }, "capabilities": {} });
    let mut steering = Client::of(Steering(gate.clone())).await;
    let mut waiting = Client::of(Waiting(gate)).await;
    for (client, expected) in [(&mut steering, json!({})), (&mut waiting, Value::Null)] {
        let answer = client.ask(2, "initialize", again.clone()).await;
        assert_eq!(answer["capabilities"]["session"]["steering"], expected);
    }
}

#[tokio::test]
async fn a_command_beside_a_turn_is_no_turn_and_alone_it_is_work() {
    let gate = Arc::new(Semaphore::new(0));
    let mut client = Client::of(Waiting(gate.clone())).await;
    client.prompt(2, "/look").await;
    let alone = ["2 inserted", "running", "said: looking", "user: /look", "idle: error nothing there"];
    let mut told = client.told(5).await;
    told[..4].sort();
    assert_eq!(told, alone);
    client.prompt(3, "one").await;
    client.told(4).await;
    client.prompt(4, "/look").await;
    let mut told = client.told(4).await;
    told[..3].sort();
    assert_eq!(told, ["4 inserted", "said: looking", "user: /look", "notice: nothing there"]);
    gate.add_permits(1);
    assert_eq!(client.told(1).await, ["idle: end_turn"]);
}

#[tokio::test]
async fn work_of_the_agents_own_is_told_without_a_message_of_the_user() {
    let gate = Arc::new(Semaphore::new(0));
    let mut client = Client::of(Busy(gate.clone())).await;
    client.prompt(2, "work").await;
    // The turn ends, and the session works on.
    assert_eq!(client.told(3).await, ["2 inserted", "user: work", "running"]);
    gate.add_permits(1);
    assert_eq!(client.told(2).await, ["said: worked", "idle: refusal"]);
    client.prompt(3, "work").await;
    client.told(3).await;
    client.notify("session/cancel", json!({ "sessionId": client.session })).await;
    assert_eq!(client.told(1).await, ["idle: cancelled"]);
    client.prompt(4, "work").await;
    client.told(3).await;
    let again = json!({ "sessionId": client.session, "cwd": "/", "mcpServers": [] });
    client.request(5, "session/resume", again).await;
    assert_eq!(
        client.told(3).await,
        ["idle: cancelled", "idle: cancelled", "5 answered"],
        "the second is the snapshot"
    );
}

/// The session is idle, with the reason, behind the last work alone.
#[tokio::test]
async fn work_that_fails_beside_other_work_is_told_by_a_notice() {
    let gate = Arc::new(Semaphore::new(0));
    let mut client = Client::of(Busy(gate.clone())).await;
    client.prompt(2, "fail").await;
    assert_eq!(client.told(3).await, ["2 inserted", "user: fail", "running"]);
    let notice = client.next().await["params"]["update"].clone();
    let expected = json!({ "severity": "error", "title": "What the agent did by itself has failed", "description": "the disk is full" });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&notice[name], value, "{notice}");
    }
    assert_eq!(client.told(1).await, ["said: I go on"]);
    gate.add_permits(1);
    assert_eq!(client.told(1).await, ["idle: error the disk is full again"]);
}

#[tokio::test]
async fn background_work_is_listed_until_it_has_ended_and_told_again_to_who_resumes() {
    let gate = Arc::new(Semaphore::new(0));
    let mut client = Client::of(Busy(gate.clone())).await;
    client.prompt(2, "nothing").await;
    assert_eq!(client.told(4).await, ["2 inserted", "user: nothing", "running", "idle: end_turn"]);
    client.prompt(3, "background").await;
    let expected = [
        "3 inserted",
        "user: background",
        "running",
        "build",
        r#"running ["build"]"#,
        "build can be cancelled",
        r#"idle: end_turn ["build"]"#,
    ];
    assert_eq!(client.told(7).await, expected);
    // A cancel of the session leaves it alone.
    client.notify("session/cancel", json!({ "sessionId": client.session })).await;
    let again = json!({ "sessionId": client.session, "cwd": "/", "mcpServers": [] });
    client.request(4, "session/resume", again).await;
    let expected = ["build pending", "build can be cancelled", r#"idle: end_turn ["build"]"#, "4 answered"];
    assert_eq!(client.told(4).await, expected);
    gate.add_permits(1);
    assert_eq!(client.told(2).await, ["build completed", "idle: end_turn []"]);
    client.prompt(5, "nothing").await;
    assert_eq!(client.told(4).await[2..], ["running []", "idle: end_turn []"], "from now on in each state");
}

#[tokio::test]
async fn nothing_is_told_of_background_work_whose_session_is_closed() {
    let gate = Arc::new(Semaphore::new(0));
    let (told, mut ended) = mpsc::unbounded_channel();
    let mut client = Client::of(Builds(gate.clone(), told)).await;
    client.prompt(2, "go").await;
    assert_eq!(client.told(6).await[5], r#"idle: end_turn ["build"]"#);
    client.request(3, "session/close", json!({ "sessionId": client.session })).await;
    assert_eq!(client.told(1).await, ["3 answered"]);
    gate.add_permits(1);
    assert_eq!(ended.recv().await, Some(false));
    assert_eq!(client.ask(4, "session/list", json!({})).await, json!({ "sessions": [] }));
}

#[tokio::test]
async fn a_question_blocks_the_turn_until_the_work_goes_on() {
    let mut client = Client::of(Busy(Arc::new(Semaphore::new(0)))).await;
    client.prompt(2, "edit").await;
    let mut told = client.told(7).await;
    told[4..].sort();
    assert_eq!(told, ["2 inserted", "user: edit", "running", "edit", "asked", "asked", "requires_action"]);
    let allow = json!({ "outcome": { "outcome": "selected", "optionId": "allow" } });
    let answer = |id: &Value| json!({ "jsonrpc": "2.0", "id": id, "result": allow });
    let first = answer(&client.asked[0]);
    client.send(first).await;
    // The call that is allowed goes on, although the other question is open.
    assert_eq!(client.told(2).await, ["running", "edit in_progress"]);
    let second = answer(&client.asked[1]);
    client.send(second).await;
    let expected = ["edit in_progress", "said: true true", "edit completed", "idle: end_turn"];
    assert_eq!(client.told(4).await, expected);

    client.prompt(3, "edit again").await;
    client.told(7).await;
    client.notify("session/cancel", json!({ "sessionId": client.session })).await;
    assert_eq!(client.told(4).await, ["withdrawn", "withdrawn", "edit again failed", "idle: cancelled"]);
}

#[tokio::test]
async fn the_highest_served_version_at_or_below_the_one_asked_for_is_answered() {
    let options = |versions| ServeOptions::new().versions(versions);
    let all = [(0, None), (1, Some(1)), (2, Some(2)), (99, Some(2))];
    let only_1 = [(0, Some(1)), (1, Some(1)), (2, Some(1)), (99, Some(1))];
    let only_2 = [(0, None), (1, None), (2, Some(2)), (99, Some(2))];
    for (versions, cases, supported) in
        [(1..=2, all, json!([1, 2])), (1..=1, only_1, json!([])), (2..=9, only_2, json!([2]))]
    {
        for (asked, answered) in cases {
            let (near, far) = memory::pair();
            tokio::spawn(Waiting(Arc::new(Semaphore::new(0))).serve(near, options(versions.clone())));
            let mut client = Client { lines: far.into_lines(), session: Value::Null, asked: Vec::new() };
            let info = json!({ "name": "client", "version": "1" });
            let params = json!({ "protocolVersion": asked, "info": info, "capabilities": {} });
            client.request(0, "initialize", params).await;
            let answer = client.next().await;
            assert_eq!(answer["result"]["protocolVersion"].as_u64(), answered, "{asked} of {versions:?}: {answer}");
            if answered.is_none() {
                assert_eq!(answer["error"]["code"], -32022);
                assert_eq!(answer["error"]["data"], json!({ "requested": asked, "supported": supported }));
            }
        }
    }
    let (near, _far) = memory::pair();
    let error = Waiting(Arc::new(Semaphore::new(0))).serve(near, options(3..=9)).await.unwrap_err();
    assert!(error.message().contains("the versions 3 to 9") && error.message().contains("has 1 to 2 "), "{error}");
}

#[tokio::test]
async fn a_second_initialize_is_answered_as_the_first_and_on_version_1_refused() {
    for (version, is_repeated) in [(1, false), (2, true)] {
        let (near, far) = memory::pair();
        tokio::spawn(Waiting(Arc::new(Semaphore::new(0))).serve(near, Limits::default()));
        let mut client = Client { lines: far.into_lines(), session: Value::Null, asked: Vec::new() };
        let info = json!({ "name": "client", "version": "1" });
        let params = json!({ "protocolVersion": version, "info": info, "capabilities": {} });
        let first = client.ask(0, "initialize", params.clone()).await;
        assert_eq!(first["protocolVersion"], version);
        client.request(1, "initialize", params).await;
        let second = client.next().await;
        match is_repeated {
            true => assert_eq!(second["result"], first),
            false => assert_eq!(second["error"]["code"], -32600),
        }
    }
}

#[tokio::test]
async fn a_client_that_asks_for_an_unknown_version_in_the_form_of_version_1_gets_this_version() {
    let options = || ServeOptions::new();
    for (asked, code) in [(1, None), (99, None), (2, Some(-32602))] {
        let (near, far) = memory::pair();
        tokio::spawn(Waiting(Arc::new(Semaphore::new(0))).serve(near, options()));
        let mut client = Client { lines: far.into_lines(), session: Value::Null, asked: Vec::new() };
        client.request(0, "initialize", json!({ "protocolVersion": asked, "clientCapabilities": {} })).await;
        let answer = client.next().await;
        match code {
            None => assert_eq!(answer["result"]["protocolVersion"], 1, "{asked}: {answer}"),
            Some(code) => assert_eq!(answer["error"]["code"], code, "{asked}: {answer}"),
        }
    }
}
