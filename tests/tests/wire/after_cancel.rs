//! Calls of a turn that begin after its cancel: they send nothing, do nothing, and return the cancel.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use acp_runtime::{client::Elicitation, prelude::*, values::ElicitationSchema};
use acp_tests::peer::{Message, Peer, all_capabilities};
use serde_json::{Value, json};
use tempfile::TempDir;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[derive(Questions)]
struct Release {
    #[expect(dead_code, reason = "nobody answers")]
    version: String,
}

/// Waits for the cancel of the turn, and then makes the call that the prompt names.
#[acp_agent(config = Config)]
#[derive(Clone)]
struct Late {
    folder: Arc<TempDir>,
    returned: Arc<Mutex<Option<Result<()>>>>,
}

#[acp_agent]
impl Late {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let what = request.text();
        if what == "pieces" {
            loop {
                turn.until_cancelled(turn.message("piece")).await??;
            }
        }
        let (client, file) = (turn.client(), self.folder.path().join("file"));
        let workspace = client.workspace(self.folder.path());
        let call = turn.tool_call("Try").start().await?;
        let terminal = match what.as_str() {
            "release" | "kill" => Some(client.terminal("make").start().await?),
            _ => None,
        };
        turn.message("waiting").await?;
        turn.cancelled().await;
        let returned = match (what.as_str(), terminal) {
            ("read", _) => workspace.read("read").await.map(drop),
            ("lines", _) => workspace.read_lines("read", 1, 1).await.map(drop),
            ("write", _) => workspace.write("file", "late").await,
            ("command", _) => workspace.shell("echo late > file").run().await.map(drop),
            ("permission", _) => call.ask_permission().await.map(drop),
            ("lasting", _) => call.permission().remember("key").ask().await.map(drop),
            ("ask", _) => turn.ask::<Release>("What?").await.map(drop),
            ("or else", _) => turn.ask::<Release>("What?").or_else(|| Elicitation::Declined).await.map(drop),
            ("form", _) => client.elicit_form("What?", ElicitationSchema::new()).await.map(drop),
            ("url", _) => client.elicit_url("Look", "id", "https://example.com").await.map(drop),
            ("extension", _) => client.ext_request::<Value>("_acp-tests.dev/late", &()).await.map(drop),
            ("kill", Some(terminal)) => terminal.kill().await,
            ("release", Some(terminal)) => terminal.release().await,
            ("option", _) => turn.set(Config::BRAVE, true).await,
            ("blocking", _) => turn.blocking(move || fs::write(file, "late")).await.map(drop).map_err(Error::from),
            ("until", _) => {
                turn.until_cancelled(async { fs::write(file, "late") }).await.map(drop).map_err(Error::from)
            }
            _ => Err(Error::internal_error("no such call")),
        };
        *self.returned.lock().expect("no panic") = Some(returned);
        Ok(StopReason::EndTurn)
    }
}

/// The messages that a turn sends after its cancel, without the end of its tool call and its answer. Checks that the late call
/// returns the cancel, and that no file is written.
async fn after_the_cancel(what: &str, capabilities: Value) -> Vec<Message> {
    let agent = Late { folder: Arc::new(tempfile::tempdir().expect("a folder")), returned: Arc::default() };
    let root = agent.folder.path().to_owned();
    fs::write(root.join("read"), "text").expect("a file");
    let (mut peer, id) = Peer::session_with(agent.clone(), capabilities).await;
    let turn = peer.prompt(&id, what).await;
    if matches!(what, "release" | "kill") {
        let created = peer.asked("terminal/create").await;
        peer.reply(&created, json!({ "terminalId": "t" })).await;
    }
    while peer.update().await["content"]["text"] != "waiting" {}
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled", "{what}");
    let returned = agent.returned.lock().expect("no panic").take().expect("the call returned");
    assert_eq!(returned, Err(Error::request_cancelled()), "{what}");
    // Work on another thread may be late.
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(files(&root), ["read"], "{what}");
    let sent = peer.settled().await;
    sent.into_iter().filter(|message| !ends_a_call(message)).collect()
}

fn files(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").file_name());
    files.map(|name| name.to_string_lossy().into_owned()).collect()
}

fn ends_a_call(message: &Message) -> bool {
    matches!(message, Message::Notification { params, .. } if params["update"]["status"] == "failed")
}

/// A client with files, terminals and forms.
fn everything() -> Value {
    let mut capabilities = all_capabilities();
    capabilities["elicitation"] = json!({ "form": {}, "url": {} });
    capabilities
}

// CANCEL-05
#[tokio::test]
async fn files_that_a_cancelled_turn_asks_for_are_not_sent() {
    for what in ["read", "lines", "write"] {
        assert_eq!(after_the_cancel(what, everything()).await, [], "{what}");
    }
}

// CANCEL-05
#[tokio::test]
async fn a_cancelled_turn_leaves_the_disk_as_it_is() {
    for what in ["read", "lines", "write", "blocking", "until"] {
        assert_eq!(after_the_cancel(what, json!({})).await, [], "{what}");
    }
}

// CANCEL-05, TERM-03
#[tokio::test]
async fn a_cancelled_turn_makes_no_terminal_and_releases_its_own_once() {
    assert_eq!(after_the_cancel("command", everything()).await, []);
    assert_eq!(after_the_cancel("command", json!({})).await, [], "by the agent itself");
    for what in ["release", "kill"] {
        let sent = after_the_cancel(what, everything()).await;
        let [Message::Request { method, .. }] = &sent[..] else { panic!("{what}: {sent:?}") };
        assert_eq!(method, "terminal/release", "{what}");
    }
}

// CANCEL-05
#[tokio::test]
async fn a_cancelled_turn_does_not_ask_the_user() {
    for what in ["permission", "lasting", "ask", "form", "url", "extension"] {
        assert_eq!(after_the_cancel(what, everything()).await, [], "{what}");
    }
    assert_eq!(after_the_cancel("or else", json!({})).await, [], "the client shows no forms");
}

// CANCEL-05
#[tokio::test]
async fn a_cancelled_turn_leaves_the_options_as_they_are() {
    assert_eq!(after_the_cancel("option", everything()).await, []);
}

/// The guide shows such a loop. It is never idle, so the cancel must be read beside it.
// CANCEL-05
#[tokio::test]
async fn a_loop_of_updates_in_until_cancelled_ends_with_the_cancel() {
    let agent = Late { folder: Arc::new(tempfile::tempdir().expect("a folder")), returned: Arc::default() };
    let (mut peer, id) = Peer::session(agent).await;
    let turn = peer.prompt(&id, "pieces").await;
    assert_eq!(peer.update().await["content"]["text"], "piece");
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
}
