//! What only version 2 can say, by the handles of the session, on both versions. Each message is compared with the generated types.

use std::{sync::Arc, time::Duration};

use acp_schema::{v1, v2};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::{
    agent::{Serve, declaration::Threaded},
    rpc::Limits,
    session::{FileChange, FileType, Turn, cancelled_entry},
    transport::memory::{self, Lines},
    values::{
        ContentBlock, Diff, Meta, PlanEntry, PlanEntryPriority, PlanEntryStatus, PromptRequest, StopReason,
        TerminalExitStatus,
    },
    wire::{Error, Result},
};

/// Shows what it is told to show.
#[acp_macros::acp_agent(crate = crate)]
#[derive(Clone)]
struct Showing(Arc<Semaphore>);

#[acp_macros::acp_agent(crate = crate)]
impl Showing {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let gate = self.0.clone();
        let text = request.text();
        match &*text {
            "terminal" => {
                let call = turn.tool_call("Build").id("build").start().await?;
                let terminal = turn.show_terminal("make", "/src").await?;
                call.show(&terminal).await?;
                terminal.size(80, 24).await?;
                terminal.output(b"one\xff").await?;
                terminal.output(&[b'x'; 40_000]).await?;
                terminal.exited(TerminalExitStatus::new().exit_code(3).signal("SIGTERM".to_owned())).await?;
                call.complete(()).await?;
                drop(turn.show_terminal("lost", "/").await?);
                let error = turn.show_terminal("make", "src").await.expect_err("a relative directory");
                assert!(error.message().contains("`src`"), "{error}");
            }
            "background" => {
                let terminal = turn.show_terminal("serve", "/").await?.into_background().await?.cancellable().await?;
                terminal.output(b"ready").await?;
                tokio::spawn(async move {
                    let status = match terminal.until_cancelled(gate.acquire()).await {
                        Ok(permit) => {
                            permit.expect("it is never closed").forget();
                            TerminalExitStatus::new().exit_code(0)
                        }
                        Err(_) => TerminalExitStatus::new(),
                    };
                    assert!(gate.available_permits() == 0);
                    terminal.exited(status).await
                });
            }
            "append" => {
                let call = turn.tool_call("Search").id("search").content("a").start().await?;
                call.append("b").await?;
                call.append([FileChange::rename("/a", "/b"), FileChange::copy("/c", "/d")]).await?;
                call.append(()).await?;
                let error = call.append(Diff::new("relative", "")).await.expect_err("a relative path");
                assert!(error.message().contains("`relative`"), "{error}");
                call.append("c").await?;
                call.complete(()).await?;
            }
            "message" => {
                let mut message = turn.message_with_id("m");
                message.append("one").await?;
                message.replace(["two", "three"]).await?;
                message.append("four").await?;
                message.clear().await?;
                let mut thought = turn.thought_with_id("t");
                thought.replace([ContentBlock::from("hm")]).await?;
            }
            "plans" => {
                let entry = |text| PlanEntry::new(text, PlanEntryPriority::Low, PlanEntryStatus::Pending);
                turn.plan_with_id("tests", [entry("write"), cancelled_entry(entry("measure"))]).await?;
                turn.plan([entry("publish").meta(Meta::from_iter([("k".to_owned(), 1.into())]))]).await?;
            }
            "steps" => {
                let mut plan = turn.steps(["read", "write", "tidy"]).await?;
                plan.start(0).await?;
                assert_eq!(plan.next().await?, Some(1));
                assert_eq!(plan.add("test").await?, 3);
                let error = plan.done(4).await.expect_err("no such step");
                assert!(error.message().contains("no step 4: it has 4 steps"), "{error}");
                plan.cancel(2).await?;
                plan.done(1).await?;
                assert_eq!(plan.next().await?, Some(3));
                assert_eq!(plan.next().await?, None);
                assert_eq!(plan.entries().len(), 4);
                turn.steps_of([PlanEntry::new("again", PlanEntryPriority::High, PlanEntryStatus::Completed)]).await?;
                turn.title("Three steps").await?;
            }
            "files" => {
                let call = turn.tool_call("Edit").id("edit").start().await?;
                call.show(
                    (
                        "changed",
                        [
                            FileChange::add("/new").new_text("n\n"),
                            FileChange::modify("/both").old_text("a\n").new_text("b\n"),
                            FileChange::delete("/old").old_text("o\n"),
                            FileChange::rename("/from", "/to").old_text("1\n").new_text("2\n"),
                            FileChange::rename("/here", "/there").file_type(FileType::Directory),
                            FileChange::modify("/a.png").file_type(FileType::Binary).mime_type("image/png"),
                            FileChange::modify("/unknown").new_text("only new"),
                        ],
                        Diff::new("/plain", "text\n"),
                    )
                        .contents(),
                )
                .await?;
                let error = call.show(FileChange::copy("c", "/d")).await.expect_err("a relative path");
                assert!(error.message().contains("`c`"), "{error}");
                call.complete(()).await?;
            }
            #[cfg(feature = "local")]
            "command" => {
                let call = turn.tool_call("Run").id("run").start().await?;
                let workspace = turn.client().workspace(std::env::temp_dir());
                let done = call.run(workspace.shell("printf out; exit 3")).await?;
                assert_eq!((&*done.output, done.exit_code), ("out", Some(3)));
                call.complete(done.output).await?;
            }
            #[cfg(feature = "local")]
            "hanging" => {
                let command = turn.client().workspace("/").shell("printf begun; exec sleep 600").start().await?;
                let done = command.finish().await?;
                turn.message(done.signal.unwrap_or_default()).await?;
            }
            #[cfg(feature = "local")]
            "flood" => {
                let flood = "head -c 5000000 /dev/zero; printf end";
                let done = turn.client().workspace("/").shell(flood).output_byte_limit(10).run().await?;
                turn.message(done.output).await?;
            }
            other => return Err(Error::invalid_params(other.to_owned())),
        }
        Ok(StopReason::EndTurn)
    }

    async fn resume_session(&self) {}
}

trait Contents {
    fn contents(self) -> Vec<crate::values::ToolCallContent>;
}

impl<const N: usize> Contents for (&str, [FileChange; N], Diff) {
    fn contents(self) -> Vec<crate::values::ToolCallContent> {
        let (text, changes, diff) = self;
        let changes = changes.into_iter().map(Into::into);
        std::iter::once(text.into()).chain(changes).chain([diff.into()]).collect()
    }
}

/// Reads `value` as `T`, and checks that `T` writes the same.
fn same<T: Serialize + DeserializeOwned>(value: &Value) {
    let read: T = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"));
    assert_eq!(serde_json::to_value(read).unwrap(), *value, "a field is not of the schema");
}

/// A client with one session.
struct Client {
    lines: Lines,
    version: u16,
    session: Value,
    last: u64,
}

impl Client {
    async fn of<A: Serve<Threading = Threaded> + Send + Sync>(agent: A, version: u16) -> Self {
        let (near, far) = memory::pair();
        tokio::spawn(agent.serve(near, Limits::default()));
        let mut client = Self { lines: far.into_lines(), version, session: Value::Null, last: 0 };
        let info = json!({ "name": "client", "version": "1" });
        let capabilities = if version == 1 { "clientCapabilities" } else { "capabilities" };
        client.ask("initialize", json!({ "protocolVersion": version, "info": info, capabilities: {} })).await;
        let (opened, _) = client.ask("session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
        client.session = opened["sessionId"].clone();
        client
    }

    async fn send(&mut self, message: Value) {
        self.lines.send(&message.to_string()).await.unwrap();
    }

    async fn request(&mut self, method: &str, params: Value) {
        self.last += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params })).await;
    }

    /// The next message. An update is one of the schema.
    async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(10), self.lines.next_line()).await;
        let message: Value = serde_json::from_str(&line.expect("a line in time").unwrap().expect("a line")).unwrap();
        if message["method"] == "session/update" {
            match self.version {
                1 => same::<v1::SessionNotification>(&message["params"]),
                _ => same::<v2::UpdateSessionNotification>(&message["params"]),
            }
        }
        message
    }

    async fn ask(&mut self, method: &str, params: Value) -> (Value, Vec<Value>) {
        self.request(method, params).await;
        let mut updates = Vec::new();
        loop {
            let mut message = self.next().await;
            if message["id"] == self.last {
                let answer =
                    if message["error"].is_object() { message["error"].take() } else { message["result"].take() };
                return (answer, updates);
            }
            updates.push(message["params"]["update"].take());
        }
    }

    async fn begin(&mut self, text: &str) {
        let prompt = json!({ "sessionId": self.session, "prompt": [{ "type": "text", "text": text }] });
        self.request("session/prompt", prompt).await;
    }

    /// The updates of a turn: on version 2, those between `running` and `idle`.
    async fn turn(&mut self, text: &str) -> Vec<Value> {
        self.begin(text).await;
        let mut updates = Vec::new();
        loop {
            let mut message = self.next().await;
            let update = message["params"]["update"].take();
            if message["id"] == self.last && (self.version == 1 || message["error"].is_object()) {
                assert_eq!(message["result"]["stopReason"], "end_turn", "{message}");
                return updates;
            }
            match update["sessionUpdate"].as_str() {
                None | Some("user_message" | "available_commands_update") => {}
                Some("state_update") if update["state"] == "idle" => {
                    assert_eq!(update["stopReason"], "end_turn", "{update}");
                    return updates;
                }
                Some("state_update") if update["background"].is_null() => {}
                Some(_) => updates.push(update),
            }
        }
    }

    async fn update(&mut self) -> Value {
        self.next().await["params"]["update"].take()
    }
}

fn agent() -> Showing {
    Showing(Arc::new(Semaphore::new(0)))
}

/// The bytes of base64 with padding, without a second implementation that is worth its lines.
fn bytes(text: &Value) -> Vec<u8> {
    let digit = |char: u8| {
        let all = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        all.iter().position(|one| *one == char).map(|place| place as u32)
    };
    let mut bytes = Vec::new();
    for group in text.as_str().unwrap().as_bytes().chunks(4) {
        let number = group.iter().fold(0, |number, char| number << 6 | digit(*char).unwrap_or(0));
        let count = 3 - group.iter().filter(|char| **char == b'=').count();
        bytes.extend(&number.to_be_bytes()[1..=count]);
    }
    bytes
}

#[tokio::test]
async fn a_terminal_of_the_agents_own_is_shown_with_its_output_and_its_end() {
    let told = Client::of(agent(), 2).await.turn("terminal").await;
    let id = &told[1]["terminalId"];
    assert_eq!(
        told[1],
        json!({ "sessionUpdate": "terminal_update", "terminalId": id, "command": "make", "cwd": "/src" })
    );
    assert_eq!(told[2]["content"], json!([{ "type": "terminal", "terminalId": id }]));
    assert_eq!(told[3]["size"], json!({ "cols": 80, "rows": 24 }));
    assert_eq!(told[4], json!({ "sessionUpdate": "terminal_output_chunk", "terminalId": id, "data": "b25l/w==" }));
    assert_eq!([bytes(&told[5]["data"]), bytes(&told[6]["data"])].concat(), [b'x'; 40_000]);
    assert_eq!(told[7]["exitStatus"], json!({ "exitCode": 3, "signal": "SIGTERM" }));
    assert!(told[7].get("capabilities").is_none());
    assert_eq!((&told[8]["toolCallId"], &told[8]["status"]), (&json!("build"), &json!("completed")));
    assert_eq!((&told[9]["command"], &told[10]["exitStatus"]), (&json!("lost"), &json!({})));
    assert_eq!((&told[9]["terminalId"], told.len()), (&told[10]["terminalId"], 11));
    assert_ne!(&told[9]["terminalId"], id);
    // A client of version 1 is told of the call alone.
    let told = Client::of(agent(), 1).await.turn("terminal").await;
    let told: Vec<_> = told.iter().map(|update| (&update["toolCallId"], &update["content"])).collect();
    assert_eq!(told, [(&json!("build"), &Value::Null), (&json!("build"), &Value::Null)]);
}

#[tokio::test]
async fn a_terminal_in_the_background_is_listed_until_its_end_and_told_again() {
    let agent = agent();
    let mut client = Client::of(agent.clone(), 2).await;
    let told = client.turn("background").await;
    let id = told[0]["terminalId"].clone();
    let item = json!([{ "type": "terminal", "terminalId": id }]);
    assert_eq!((&told[1]["state"], &told[1]["background"]), (&json!("running"), &item));
    assert_eq!(told[2]["capabilities"], json!({ "cancel": {} }));
    assert_eq!(bytes(&told[3]["data"]), b"ready");
    let params = json!({ "sessionId": client.session, "cwd": "/", "mcpServers": [] });
    let (_, again) = client.ask("session/resume", params).await;
    assert_eq!((&again[0]["command"], bytes(&again[0]["output"]["data"])), (&json!("serve"), b"ready".to_vec()));
    assert_eq!(again[1]["capabilities"], json!({ "cancel": {} }));
    assert_eq!((&again[2]["state"], &again[2]["background"], again.len()), (&json!("idle"), &item, 3));
    agent.0.add_permits(1);
    let (end, state) = (client.update().await, client.update().await);
    assert_eq!((&end["exitStatus"], &end["capabilities"]), (&json!({ "exitCode": 0 }), &Value::Null));
    assert!(end.as_object().unwrap().contains_key("capabilities"), "nothing is left to cancel");
    assert_eq!((&state["state"], &state["background"]), (&json!("idle"), &json!([])));
    // The client cancels one.
    let told = client.turn("background").await;
    let params = json!({ "sessionId": client.session, "terminalId": told[1]["terminalId"] });
    let (answer, _) = client.ask("terminal/cancel", params.clone()).await;
    assert_eq!(answer, json!({}));
    assert_eq!(client.update().await["exitStatus"], json!({}));
    assert_eq!(client.update().await["background"], json!([]));
    let (answer, _) = client.ask("terminal/cancel", params).await;
    assert_eq!(answer["code"], -32602);
}

#[tokio::test]
async fn content_is_added_in_pieces_and_as_a_whole_on_version_1() {
    let text = |text: &str| json!({ "type": "content", "content": { "type": "text", "text": text } });
    let told = Client::of(agent(), 2).await.turn("append").await;
    assert_eq!(told[0]["content"], json!([text("a")]));
    let piece = |content: Value| json!({ "sessionUpdate": "tool_call_content_chunk", "toolCallId": "search", "content": content });
    assert_eq!(told[1], piece(text("b")));
    let changes = json!([
        { "operation": "move", "oldPath": "/a", "path": "/b" },
        { "operation": "copy", "oldPath": "/c", "path": "/d" },
    ]);
    let patch = "diff --git /a /b\nsimilarity index 100%\nrename from /a\nrename to /b\n\
                 diff --git /c /d\nsimilarity index 100%\ncopy from /c\ncopy to /d\n";
    let diff = json!({ "type": "diff", "changes": changes, "patch": { "format": "git_patch", "text": patch } });
    assert_eq!(told[2], piece(diff));
    assert_eq!(told[3], piece(text("c")));
    assert_eq!((&told[4]["status"], told.len()), (&json!("completed"), 5));
    let told = Client::of(agent(), 1).await.turn("append").await;
    let texts = |update: &Value| {
        let all = update["content"].as_array().unwrap().iter();
        all.map(|content| content["content"]["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(texts(&told[1]), ["a", "b"]);
    assert_eq!(texts(&told[3]), ["a", "b", "Moved `/a` to `/b`", "Copied `/c` to `/d`", "c"]);
}

#[tokio::test]
async fn a_message_is_replaced_and_cleared_and_on_version_1_another_one_is_said() {
    let told = Client::of(agent(), 2).await.turn("message").await;
    let text = |text: &str| json!({ "type": "text", "text": text });
    let said =
        |name: &str, id: &str, content: Value| json!({ "sessionUpdate": name, "messageId": id, "content": content });
    let expected = [
        said("agent_message_chunk", "m", text("one")),
        said("agent_message", "m", json!([text("two")])),
        said("agent_message_chunk", "m", text("three")),
        said("agent_message_chunk", "m", text("four")),
        said("agent_message", "m", json!([])),
        said("agent_thought", "t", json!([text("hm")])),
    ];
    assert_eq!(told, expected);
    let told = Client::of(agent(), 1).await.turn("message").await;
    let texts: Vec<_> = told.iter().map(|update| update["content"]["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["one", "two", "three", "four", "hm"]);
    assert_eq!(told[0]["messageId"], "m");
    assert!(told[1]["messageId"] != "m" && told[1]["messageId"] == told[3]["messageId"]);
    assert!(told.iter().all(|update| update.get("_meta").is_none()));
}

#[tokio::test]
async fn plans_stand_side_by_side_and_an_entry_may_be_cancelled() {
    let told = Client::of(agent(), 2).await.turn("plans").await;
    let entry = |text: &str, status: &str| json!({ "content": text, "priority": "low", "status": status });
    let entries = json!([entry("write", "pending"), entry("measure", "cancelled")]);
    assert_eq!(told[0]["plan"], json!({ "type": "items", "planId": "tests", "entries": entries }));
    assert!(told[0].get("_meta").is_none());
    assert_eq!(told[1]["plan"]["planId"], "plan");
    assert_eq!(told[1]["plan"]["entries"][0]["_meta"], json!({ "k": 1 }));
    let told = Client::of(agent(), 1).await.turn("plans").await;
    assert_eq!(told[0]["entries"][1]["status"], "completed");
}

#[tokio::test]
async fn changes_of_files_are_one_diff_and_on_version_1_diffs_and_lines() {
    let told = Client::of(agent(), 2).await.turn("files").await;
    let content = told[1]["content"].as_array().unwrap();
    let expected = json!([
        { "operation": "add", "path": "/new", "fileType": "text" },
        { "operation": "modify", "path": "/both", "fileType": "text" },
        { "operation": "delete", "path": "/old", "fileType": "text" },
        { "operation": "move", "oldPath": "/from", "path": "/to", "fileType": "text" },
        { "operation": "move", "oldPath": "/here", "path": "/there", "fileType": "directory" },
        { "operation": "modify", "path": "/a.png", "fileType": "binary", "mimeType": "image/png" },
        { "operation": "modify", "path": "/unknown", "fileType": "text" },
    ]);
    assert_eq!(content[1]["changes"], expected);
    let patch = content[1]["patch"]["text"].as_str().unwrap();
    for line in ["new file mode 100644", "--- /both", "+++ /dev/null", "rename from /from", "-1", "+2"] {
        assert!(patch.lines().any(|one| one == line), "{line}: {patch}");
    }
    assert!(!patch.contains("/here") && !patch.contains("/a.png") && !patch.contains("/unknown"), "{patch}");
    assert_eq!((content.len(), &content[2]["changes"][0]["path"]), (3, &json!("/plain")));
    let told = Client::of(agent(), 1).await.turn("files").await;
    let content: Vec<_> = told[1]["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|content| {
            let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
            match content["type"].as_str() {
                Some("diff") => [&content["path"], &content["oldText"], &content["newText"]].map(text).join(" "),
                _ => text(&content["content"]["text"]),
            }
        })
        .collect();
    let expected = [
        "changed",
        "/new - n\n",
        "/both a\n b\n",
        "/old o\n ",
        "/to 1\n 2\n",
        "Moved `/here` to `/there`",
        "Modified `/a.png`",
        "Modified `/unknown`",
        "/plain - text\n",
    ];
    assert_eq!(content, expected);
}

#[cfg(all(feature = "local", unix))]
#[tokio::test]
async fn a_command_of_the_agent_is_shown_while_it_runs_and_the_client_may_end_it() {
    let mut client = Client::of(agent(), 2).await;
    let told = client.turn("command").await;
    let id = &told[1]["terminalId"];
    let cwd = std::env::temp_dir().components().collect::<std::path::PathBuf>();
    assert_eq!((&told[1]["command"], &told[1]["cwd"]), (&json!("printf out; exit 3"), &json!(cwd)));
    assert_eq!(
        told[2],
        json!({ "sessionUpdate": "terminal_update", "terminalId": id, "capabilities": { "cancel": {} } })
    );
    let shown = told.iter().position(|update| update["content"] == json!([{ "type": "terminal", "terminalId": id }]));
    let printed = told.iter().position(|update| update["data"] == "b3V0");
    let ended = told.iter().position(|update| update["exitStatus"] == json!({ "exitCode": 3 }));
    assert!(shown.is_some() && printed.is_some() && printed < ended, "{told:?}");
    assert_eq!(ended, Some(told.len() - 2), "the last is the end of the call");

    client.begin("hanging").await;
    let id = loop {
        let update = client.update().await;
        if update["data"] == "YmVndW4=" {
            break update["terminalId"].clone();
        }
    };
    let params = json!({ "sessionId": client.session, "terminalId": id });
    let (answer, mut told) = client.ask("terminal/cancel", params).await;
    assert_eq!(answer, json!({}));
    while told.last().is_none_or(|update| update["state"] != "idle") {
        let update = client.update().await;
        told.push(update);
    }
    assert_eq!(told[0]["exitStatus"], json!({ "signal": "SIGKILL" }));
    assert_eq!(told[1]["content"]["text"], "SIGKILL");

    // A client of version 1 sees the call and its result alone.
    let told = Client::of(agent(), 1).await.turn("command").await;
    assert_eq!((told.len(), &told[1]["content"][0]["content"]["text"]), (2, &json!("out")));
}

#[cfg(all(feature = "local", unix))]
#[tokio::test]
async fn a_command_that_prints_faster_than_its_client_reads_goes_on_and_the_client_gets_its_end() {
    let mut client = Client::of(agent(), 2).await;
    let told = client.turn("flood").await;
    let printed: Vec<_> = told.iter().filter(|update| update["data"].is_string()).collect();
    let all: usize = printed.iter().map(|update| bytes(&update["data"]).len()).sum();
    assert!(all <= 5_000_003 + 100 * printed.len(), "{all}");
    assert!(bytes(&printed.last().unwrap()["data"]).ends_with(b"end"));
    assert!(told.iter().all(|update| update["data"].as_str().is_none_or(|data| data.len() < 100_000)), "a bound");
}

#[test]
fn git_applies_the_patch_of_several_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| -> std::path::PathBuf { folder.path().join(name) };
    for name in ["moved", "moved and changed", "copied", "copied and changed", "modified", "deleted"] {
        std::fs::write(path(name), format!("{name}\nsame\n")).expect("it can be written");
    }
    let texts = |change: FileChange, name: &str| {
        change.old_text(format!("{name}\nsame\n")).new_text(format!("{name}!\nsame\n"))
    };
    let contents: Vec<crate::values::ToolCallContent> = [
        FileChange::rename(path("moved"), path("to \"1\"")),
        texts(FileChange::rename(path("moved and changed"), path("ü")), "moved and changed"),
        FileChange::copy(path("copied"), path("copy")),
        texts(FileChange::copy(path("copied and changed"), path("copy 2")), "copied and changed"),
        texts(FileChange::modify(path("modified")), "modified"),
        FileChange::delete(path("deleted")).old_text("deleted\nsame\n"),
        FileChange::add(path("added")).new_text("added!\nsame\n"),
    ]
    .map(Into::into)
    .into();
    let written = serde_json::to_value(super::changes::Changes::of(&contents)).expect("it can be written");
    let patch = written["patch"]["text"].as_str().expect("a patch");
    std::fs::write(path("the.patch"), patch).expect("it can be written");
    let mut git = std::process::Command::new("git");
    git.args(["apply", "-p0", "--unsafe-paths", "the.patch"]).current_dir(&folder);
    let done = git.output().expect("git is there");
    assert!(done.status.success(), "{}\n{patch}", String::from_utf8_lossy(&done.stderr));
    for (name, line) in [
        ("to \"1\"", "moved"),
        ("ü", "moved and changed!"),
        ("copied", "copied"),
        ("copy", "copied"),
        ("copied and changed", "copied and changed"),
        ("copy 2", "copied and changed!"),
        ("modified", "modified!"),
        ("added", "added!"),
    ] {
        assert_eq!(std::fs::read_to_string(path(name)).expect(name), format!("{line}\nsame\n"), "{name}");
    }
    for name in ["moved", "moved and changed", "deleted"] {
        assert!(!path(name).exists(), "{name}");
    }
}

#[tokio::test]
async fn each_change_of_a_step_sends_the_whole_plan() {
    // A letter for each state: pending, in progress, completed, cancelled (`x`).
    let told = |updates: &[Value], entries: &str| -> Vec<String> {
        let states = |update: &Value| {
            let entries = update.pointer(entries).unwrap_or_else(|| panic!("no plan: {update}")).as_array().unwrap();
            entries
                .iter()
                .map(|entry| entry["status"].as_str().unwrap().replace("cancelled", "x")[..1].to_owned())
                .collect()
        };
        updates.iter().map(states).collect()
    };
    for (version, kind, entries, cancelled) in [(1, "plan", "/entries", 'c'), (2, "plan_update", "/plan/entries", 'x')]
    {
        let updates = Client::of(agent(), version).await.turn("steps").await;
        let (title, plans) = updates.split_last().unwrap();
        assert_eq!(*title, json!({ "sessionUpdate": "session_info_update", "title": "Three steps" }));
        assert!(plans.iter().all(|update| update["sessionUpdate"] == kind), "{plans:?}");
        let expected = ["ppp", "ipp", "cip", "cipp", "ci?p", "cc?p", "cc?i", "cc?c", "c"];
        assert_eq!(told(plans, entries), expected.map(|states| states.replace('?', &cancelled.to_string())));
        let first = json!({ "content": "write", "priority": "medium", "status": "pending" });
        assert_eq!(plans[0].pointer(entries).unwrap()[1], first);
        assert_eq!(plans[8].pointer(entries).unwrap()[0]["priority"], "high");
    }
}
