//! The events of an agent for a `tracing` subscriber. They report what happened, and never contain content.

mod listener;

use acp_runtime::{
    agent::{FromCall, Handlers, Parts, handlers},
    prelude::*,
    schema::v1::UsageUpdate,
};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};
use tracing::Level;

use self::listener::Listener;

/// A text that stands for content of users and their files.
const SECRET: &str = "s3cr3t";

#[derive(ConfigOptions, Clone)]
struct Config {
    /// How careful.
    #[config_option(values("low", "high"), default = "low")]
    care: String,
}

#[acp_agent(config = Config)]
struct Discreet;

#[acp_agent]
impl Discreet {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        turn.message(request.text()).await?;
        turn.update_config(|config| "high".clone_into(&mut config.care)).await?;
        turn.usage(UsageUpdate::new(1, 2)).await?;
        let call = turn.tool_call(SECRET).raw_input(json!({ SECRET: SECRET })).location("/s3cr3t").start().await?;
        if call.ask_permission().await?.is_allowed() {
            let content = turn.client().read_text_file("/s3cr3t").await?;
            call.complete(content).await?;
        }
        if request.text().ends_with("fail") {
            return Err(Error::internal_error(SECRET).with_data(SECRET));
        }
        Ok(StopReason::EndTurn)
    }

    /// Returns its params.
    #[ext("_observe.dev/tell")]
    async fn tell(&self, value: Value) -> Value {
        value
    }
}

/// Sends the secret in every possible way. Returns the events that a subscriber up to this level received.
async fn told(most: Level) -> String {
    let listener = Listener::new(most);
    let told = listener.told.clone();
    let _listening = tracing::subscriber::set_default(listener);
    let mut peer = Peer::serve(Discreet);
    let mut capabilities = all_capabilities();
    capabilities["_meta"] = json!({ SECRET: SECRET });
    peer.initialize(capabilities).await;
    let opened = peer
        .call("session/new", json!({ "cwd": "/s3cr3t", "mcpServers": [], SECRET: SECRET }))
        .await
        .expect("an answer");
    let session = opened["sessionId"].as_str().expect("an id").to_owned();
    for how in ["s3cr3t", "s3cr3t fail", "s3cr3t cancel"] {
        let turn = peer.prompt(&session, how).await;
        let asked = peer.asked("session/request_permission").await;
        if how.ends_with("cancel") {
            peer.cancel(&session).await;
            assert_eq!(peer.stop_reason(turn).await, "cancelled");
            continue;
        }
        peer.reply(&asked, json!({ "outcome": { "outcome": "selected", "optionId": "allow" } })).await;
        let asked = peer.asked("fs/read_text_file").await;
        peer.reply(&asked, json!({ "content": SECRET })).await;
        let _ = peer.answer(turn).await;
    }
    let set = |value: &str| json!({ "sessionId": session, "configId": "care", "value": value });
    peer.call("session/set_config_option", set("low")).await.expect("an answer");
    peer.call("session/set_config_option", set(SECRET)).await.expect_err("a refusal");
    peer.call("_observe.dev/tell", json!({ SECRET: [SECRET], "type": SECRET, "text": SECRET }))
        .await
        .expect("an answer");
    peer.call("session/prompt", json!({ "sessionId": session, "prompt": SECRET })).await.expect_err("a refusal");
    for line in ["s3cr3t", "{\"s3cr3t\"", "[\"s3cr3t\"]", "{\"s3cr3t\":1}"] {
        peer.send_line(line).await;
    }
    peer.notify("session/cancel", json!({ "sessionId": [SECRET] })).await;
    peer.notify("$/cancel_request", json!({ "requestId": { SECRET: 1 } })).await;
    peer.send_line(r#"{"jsonrpc":"2.0","id":99,"result":"s3cr3t"}"#).await;
    peer.settled().await;
    assert!(peer.hang_up().await.well());
    let told = told.lock().expect("nobody panics with it").clone();
    told.replace(&session, "SESSION")
}

fn assert_told(told: &str, expected: &[&str]) {
    for expected in expected {
        assert!(told.contains(expected), "nobody said `{expected}`:\n{told}");
    }
    assert!(!told.contains(SECRET), "the secret is out:\n{told}");
}

#[tokio::test]
async fn spans_and_events_say_what_happened_and_not_what_was_said() {
    let told = told(Level::DEBUG).await;
    assert_told(
        &told,
        &[
            "connection\n",
            "message=connection open",
            "message=request method=session/prompt id=3 bytes=",
            " turn id=3 session=SESSION",
            " request id=8 method=_observe.dev/tell",
            " transaction cause=\"session/set_config_option\" session=SESSION option=care",
            " transaction cause=\"agent\" session=SESSION",
            "message=the turn ended stop_reason=EndTurn",
            "message=the turn ended stop_reason=\"Cancelled\"",
            "message=asked the other side method=\"session/request_permission\" id=0",
            "message=the other side answered id=1 bytes=20 elapsed=",
            "message=withdrew what the other side was asked",
            "message=answered id=3 elapsed=",
            "code=-32602 elapsed=",
            "message=refused a message",
            "message=connection closed",
        ],
    );
    assert!(!told.contains("acp_runtime::wire"), "the wire log is off:\n{told}");
}

#[tokio::test]
async fn the_wire_log_shows_the_shape_of_messages_and_not_their_content() {
    let told = told(Level::TRACE).await;
    assert_told(
        &told,
        &[
            r#"message={"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"SESSION","prompt":[{"type":"text","text":(6 bytes)}]}}"#,
            r#""update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":(6 bytes)}}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}"#,
            "(9 bytes that are no JSON)",
        ],
    );
}

#[derive(ConfigOptions, Clone)]
struct Fussy {
    #[config_option(default = false)]
    loud: bool,
}

/// Fails in every way.
#[acp_agent(config = Fussy)]
struct Failing;

#[derive(Debug)]
struct StoreFailed(std::io::Error);

impl From<StoreFailed> for Error {
    fn from(StoreFailed(error): StoreFailed) -> Self {
        Error::internal_error("the session was not stored").with_source(error)
    }
}

#[acp_agent]
impl Failing {
    async fn load_session(&self) -> Result<(), StoreFailed> {
        Err(StoreFailed(std::io::Error::other("the disk is full")))
    }

    async fn prompt(&self, request: PromptRequest, turn: Turn<Fussy>) -> anyhow::Result<StopReason> {
        use anyhow::Context;
        match request.text().as_str() {
            "store" => Err(std::io::Error::other("the disk is full")).context("writing").context("no notes")?,
            "refuse" => Err(Error::auth_required()).context("the token is old")?,
            "cancel" => turn.until_cancelled(std::future::pending::<()>()).await?,
            _ => {}
        }
        Ok(StopReason::EndTurn)
    }

    #[on_change(Fussy::LOUD)]
    async fn louder(&self) -> Result<(), std::io::Error> {
        Err(std::io::Error::other("no loudspeaker"))
    }

    /// Fails.
    #[command]
    async fn undo(&self) -> Result<StopReason, std::io::Error> {
        Err(std::io::Error::other("nothing was done"))
    }

    #[ext("_observe.dev/fail")]
    async fn fail(&self) -> Result<(), std::io::Error> {
        Err(std::io::Error::other("no answer"))
    }

    #[ext(notification = "_observe.dev/lost")]
    async fn lost(&self) -> Result<()> {
        Err(Error::new(7, "lost"))
    }
}

#[tokio::test]
async fn a_handlers_error_is_heard_with_what_has_led_to_it() {
    let listener = Listener { errors: true, ..Listener::new(Level::DEBUG) };
    let told = listener.told.clone();
    let _listening = tracing::subscriber::set_default(listener);
    let (mut peer, id) = Peer::session(Failing).await;
    let heard = || std::mem::take(&mut *told.lock().expect("nobody panics with it"));
    for (text, message, event) in [
        (
            "store",
            "no notes",
            "a handler failed handler=\"session/prompt\" code=-32603 error=no notes: writing: the disk is full",
        ),
        (
            "refuse",
            "authentication required",
            "a handler refused handler=\"session/prompt\" code=-32000 error=authentication required: the token is old",
        ),
    ] {
        let turn = peer.prompt(&id, text).await;
        assert_eq!(peer.answer(turn).await.unwrap_err().message, message, "the client sees what it saw");
        assert!(heard().contains(event), "{text}");
    }
    let turn = peer.prompt(&id, "cancel").await;
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    assert!(
        heard().contains("a handler refused handler=\"session/prompt\" code=-32800 error=the request was cancelled")
    );

    let turn = peer.prompt(&id, "/undo").await;
    peer.answer(turn).await.unwrap_err();
    assert!(
        heard().contains("handler=\"/undo\" code=-32603 error=input or output failed: other error: nothing was done")
    );

    let load = json!({ "sessionId": "s", "cwd": "/", "mcpServers": [] });
    let refused = peer.call("session/load", load).await.unwrap_err();
    assert_eq!((refused.message.as_str(), refused.data), ("the session was not stored", None));
    assert!(
        heard().contains("handler=\"session/load\" code=-32603 error=the session was not stored: the disk is full")
    );

    let set = json!({ "sessionId": id, "configId": "loud", "type": "boolean", "value": true });
    let refused = peer.call("session/set_config_option", set).await.unwrap_err();
    assert_eq!(refused.message, "input or output failed: other error");
    assert!(
        heard().contains("handler=\"on_change\" code=-32603 error=input or output failed: other error: no loudspeaker")
    );

    peer.call("_observe.dev/fail", json!({})).await.unwrap_err();
    assert!(
        heard()
            .contains("handler=\"_observe.dev/fail\" code=-32603 error=input or output failed: other error: no answer")
    );
    peer.notify("_observe.dev/lost", json!({})).await;
    peer.settled().await;
    assert!(heard().contains("a handler failed handler=\"_observe.dev/lost\" code=7 error=lost"));

    // What the runtime refuses by itself is no error of a handler.
    peer.call("session/prompt", acp_tests::peer::prompt("no session", "hello")).await.unwrap_err();
    assert_eq!(heard(), "");
}

/// The functions of its sessions' lives fail, one of them for want of a parameter.
#[acp_agent]
#[derive(Clone)]
struct Mortal;

struct Store;

impl<A: Handlers> FromCall<'_, handlers::session_ended, A> for Store {
    fn from_call(_: &mut Parts<'_, A, handlers::session_ended>) -> Result<Self> {
        Err(Error::internal_error("no store").with_source(std::io::Error::other("the disk is full")))
    }
}

#[acp_agent]
impl Mortal {
    async fn session_opened(&self) -> Result<(), std::io::Error> {
        Err(std::io::Error::other("no watcher"))
    }

    async fn session_ended(&self, _: Store) {}

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[tokio::test]
async fn a_failure_in_the_life_of_a_session_is_heard_once() {
    for errors in [true, false] {
        let listener = Listener { errors, ..Listener::new(Level::DEBUG) };
        let told = listener.told.clone();
        let _listening = tracing::subscriber::set_default(listener);
        let (mut peer, _) = Peer::session(Mortal).await;
        assert!(peer.hang_up().await.well());
        let told = told.lock().expect("nobody panics with it");
        let expected = [
            "handler=\"session_opened\" code=-32603 error=input or output failed: other error: no watcher",
            "handler=\"session_ended\" code=-32603 error=no store: the disk is full",
        ];
        for expected in expected {
            assert_eq!(told.matches(expected).count(), usize::from(errors), "`{expected}`:\n{told}");
        }
        let failures = told.matches("failed").count() - told.matches("or output failed").count();
        assert_eq!(failures, if errors { 2 } else { 0 }, "nobody else tells of it:\n{told}");
    }
}

#[tokio::test]
async fn an_error_of_a_notifications_handler_is_told_at_one_target() {
    let listener = Listener::new(Level::DEBUG);
    let told = listener.told.clone();
    let _listening = tracing::subscriber::set_default(listener);
    let (mut peer, _) = Peer::session(Failing).await;
    peer.notify("_observe.dev/lost", json!({})).await;
    peer.settled().await;
    let told = told.lock().expect("nobody panics with it");
    assert!(told.contains("method=_observe.dev/lost"), "it arrived:\n{told}");
    assert!(!told.contains("code=7") && !told.contains("WARN") && !told.contains("notification did"), "{told}");
}

/// Its functions panic, with a text that nobody may repeat.
#[acp_agent]
#[derive(Clone)]
struct Panicking;

#[acp_agent]
impl Panicking {
    async fn session_opened(&self) {
        panic!("{SECRET}");
    }

    async fn prompt(&self, request: PromptRequest) -> StopReason {
        tokio::task::yield_now().await;
        panic!("{}", request.text());
    }

    #[ext("_observe.dev/fail")]
    async fn fail(&self) {
        panic!("{SECRET}");
    }

    #[ext(notification = "_observe.dev/lost")]
    async fn lost(&self) {
        panic!("{SECRET}");
    }
}

#[tokio::test]
async fn a_panic_of_a_handler_is_heard_once_and_without_its_message() {
    for errors in [true, false] {
        let listener = Listener { errors, ..Listener::new(Level::DEBUG) };
        let told = listener.told.clone();
        let _listening = tracing::subscriber::set_default(listener);
        let (mut peer, id) = Peer::session(Panicking).await;
        let turn = peer.prompt(&id, SECRET).await;
        peer.answer(turn).await.unwrap_err();
        peer.call("_observe.dev/fail", json!({})).await.unwrap_err();
        peer.notify("_observe.dev/lost", json!({})).await;
        peer.settled().await;
        let told = told.lock().expect("nobody panics with it");
        for handler in ["session_opened", "session/prompt", "_observe.dev/fail", "_observe.dev/lost"] {
            let event = format!("message=a handler panicked; stderr tells where handler=\"{handler}\"");
            assert_eq!(told.matches(&event).count(), usize::from(errors), "`{handler}`:\n{told}");
        }
        assert_eq!(told.matches("panicked").count(), if errors { 4 } else { 0 }, "nobody else tells of it:\n{told}");
        assert!(!told.contains(SECRET), "{told}");
    }
}

/// Without this check, a broken listener would make the tests above pass.
#[test]
fn a_secret_that_is_told_is_heard() {
    let listener = Listener::new(Level::TRACE);
    let heard = listener.told.clone();
    let _listening = tracing::subscriber::set_default(listener);
    tracing::info!(target: "acp_runtime", text = SECRET, "told");
    assert!(heard.lock().expect("nobody panics with it").contains(SECRET));
}
