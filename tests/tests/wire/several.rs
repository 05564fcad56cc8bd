//! Several clients of one session: all that follow it read the same, ask and answer for it, and leave it without ending anything for
//! the others.

use std::{sync::Arc, time::Duration};

use acp_runtime::{
    agent::{Host, ServeOptions},
    prelude::*,
    store::{MemoryStore, SessionStore},
    transport::{Context, Principal},
};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};
use tokio::sync::Notify;

#[derive(ConfigOptions, Clone)]
struct Config {
    /// How the agent speaks.
    #[config_option(values("soft", "loud"), default = "soft")]
    voice: String,
    /// Tools need not ask.
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(config = Config, store = store, clients = "many")]
struct Shared {
    store: Arc<dyn SessionStore>,
    goes_on: Arc<Notify>,
}

#[acp_agent]
impl Shared {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        match request.text().as_str() {
            "ask" => {
                let call = turn.tool_call("Write").start().await?;
                let permission = call.ask_permission().await?;
                call.complete(if permission.is_allowed() { "written" } else { "left alone" }).await?;
            }
            "wait" => {
                turn.message("begun ").await?;
                let waited = turn.until_cancelled(self.goes_on.notified()).await;
                turn.message(if waited.is_ok() { "done" } else { "stopped" }).await?;
            }
            text => turn.message(format!("{text}?")).await?,
        }
        Ok(StopReason::EndTurn)
    }
}

fn host() -> (Host<Shared>, Arc<Notify>) {
    let goes_on = Arc::<Notify>::default();
    (Host::new(Shared { store: Arc::new(MemoryStore::new()), goes_on: goes_on.clone() }), goes_on)
}

async fn client(host: &Host<Shared>, principal: Option<&str>, capabilities: Value) -> Peer {
    let context = Context::new();
    let context = principal.map_or(context.clone(), |name| context.with(Principal::new(name)));
    let mut peer = Peer::serve_by(host, context);
    peer.initialize(capabilities).await;
    peer
}

fn opening(session: &str) -> Value {
    json!({ "sessionId": session, "cwd": "/", "mcpServers": [] })
}

/// What was said, in short.
fn text(update: &Value) -> String {
    let said = update["content"]["text"].as_str().unwrap_or_default();
    match update["sessionUpdate"].as_str().expect("a kind") {
        "user_message_chunk" => format!("> {said}"),
        "agent_message_chunk" => said.to_owned(),
        other => other.to_owned(),
    }
}

#[tokio::test]
async fn a_client_that_comes_in_the_middle_of_a_turn_reads_what_the_first_reads() {
    let (host, goes_on) = host();
    let mut first = client(&host, Some("ann"), all_capabilities()).await;
    let session = first.new_session().await;
    first.turn(&session, "hello").await;
    first.updates();
    let turn = first.prompt(&session, "wait").await;
    assert_eq!(text(&first.update().await), "begun ");

    let mut second = client(&host, Some("ann"), all_capabilities()).await;
    let loaded = second.call("session/load", opening(&session)).await.unwrap();
    assert_eq!(loaded["configOptions"][0]["currentValue"], "soft", "{loaded}");
    let told: Vec<_> = second.updates().iter().map(text).collect();
    assert_eq!(told, ["> hello", "hello?", "> wait", "begun "]);

    goes_on.notify_one();
    assert_eq!(text(&first.update().await), "done");
    assert_eq!(text(&second.update().await), "done");
    assert_eq!(first.stop_reason(turn).await, "end_turn");

    // Each is told the prompts of the other, and the answers.
    second.turn(&session, "and I").await;
    assert_eq!(second.updates().iter().map(text).collect::<Vec<_>>(), ["and I?"], "it knows its own prompt");
    assert_eq!(text(&first.update().await), "> and I");
    assert_eq!(text(&first.update().await), "and I?");
    assert!(first.hang_up().await.well() && second.hang_up().await.well());
}

#[tokio::test]
async fn a_change_by_one_is_told_to_the_others_as_each_can_see_it() {
    let (host, _) = host();
    let mut first = client(&host, None, all_capabilities()).await;
    let session = first.new_session().await;
    let mut plain = client(&host, None, json!({})).await;
    let resumed = plain.call("session/resume", opening(&session)).await.unwrap();
    assert_eq!(resumed["configOptions"].as_array().unwrap().len(), 1, "it has no booleans: {resumed}");

    let set = |id: &str, value: Value| json!({ "sessionId": session, "configId": id, "value": value });
    plain.call("session/set_config_option", set("voice", json!("loud"))).await.unwrap();
    let told = first.update().await;
    assert_eq!(told["configOptions"].as_array().unwrap().len(), 2, "{told}");
    assert_eq!(told["configOptions"][0]["currentValue"], "loud");
    assert!(plain.updates().is_empty(), "its answer has the options");

    let brave = json!({ "sessionId": session, "configId": "brave", "type": "boolean", "value": true });
    first.call("session/set_config_option", brave).await.unwrap();
    first.call("session/set_config_option", set("voice", json!("soft"))).await.unwrap();
    let told = plain.update().await;
    assert_eq!(told["configOptions"], json!([told["configOptions"][0]]), "{told}");
    assert_eq!(told["configOptions"][0]["currentValue"], "soft", "no change of a boolean was told: {told}");
    assert!(first.hang_up().await.well() && plain.hang_up().await.well());
}

#[tokio::test]
async fn a_question_goes_to_all_and_the_first_answer_counts() {
    let (host, _) = host();
    let mut first = client(&host, None, all_capabilities()).await;
    let session = first.new_session().await;
    let mut second = client(&host, None, all_capabilities()).await;
    second.call("session/resume", opening(&session)).await.unwrap();
    let turn = first.prompt(&session, "ask").await;
    let (asked, also) =
        (first.asked("session/request_permission").await, second.asked("session/request_permission").await);
    assert_eq!(asked.params, also.params);

    // Who comes while the question is open can answer it, too.
    let mut third = client(&host, None, all_capabilities()).await;
    third.call("session/resume", opening(&session)).await.unwrap();
    let late = third.asked("session/request_permission").await;
    third.reply(&late, json!({ "outcome": { "outcome": "selected", "optionId": "allow" } })).await;
    for (peer, asked) in [(&mut first, asked), (&mut second, also)] {
        let withdrawn = peer.notified("$/cancel_request").await;
        assert_eq!(withdrawn["requestId"], asked.id, "{withdrawn}");
        // Its answer comes too late, and means nothing.
        peer.reply(&asked, json!({ "outcome": { "outcome": "selected", "optionId": "reject" } })).await;
    }
    assert_eq!(first.stop_reason(turn).await, "end_turn");
    for peer in [&mut first, &mut second, &mut third] {
        while peer.update().await["content"][0]["content"]["text"] != "written" {}
    }
    assert!(first.hang_up().await.well() && second.hang_up().await.well() && third.hang_up().await.well());
}

/// A client that cannot ask its user answers `cancelled`. It does not decide for the others.
#[tokio::test]
async fn a_client_that_selects_nothing_leaves_the_decision_to_the_others() {
    let (host, _) = host();
    let mut first = client(&host, None, all_capabilities()).await;
    let session = first.new_session().await;
    let mut second = client(&host, None, all_capabilities()).await;
    second.call("session/resume", opening(&session)).await.unwrap();
    let selected = json!({ "outcome": { "outcome": "selected", "optionId": "allow" } });
    let cancelled = json!({ "outcome": { "outcome": "cancelled" } });
    for (answer, result) in [(&selected, "written"), (&cancelled, "left alone")] {
        let turn = first.prompt(&session, "ask").await;
        let asked = first.asked("session/request_permission").await;
        first.reply(&asked, cancelled.clone()).await;
        // The agent has read this answer when it has answered the next request.
        first.call("session/list", json!({})).await.unwrap();
        let asked = second.asked("session/request_permission").await;
        second.reply(&asked, answer.clone()).await;
        assert_eq!(first.stop_reason(turn).await, "end_turn");
        for peer in [&mut first, &mut second] {
            while peer.update().await["content"][0]["content"]["text"] != result {}
            peer.updates();
        }
    }
    assert!(first.hang_up().await.well() && second.hang_up().await.well());
}

#[tokio::test]
async fn a_client_that_leaves_ends_nothing_and_any_client_cancels() {
    let (host, goes_on) = host();
    let mut first = client(&host, None, all_capabilities()).await;
    let session = first.new_session().await;
    let mut second = client(&host, None, all_capabilities()).await;
    second.call("session/resume", opening(&session)).await.unwrap();

    first.prompt(&session, "wait").await;
    assert_eq!(text(&second.update().await), "> wait");
    assert_eq!(text(&second.update().await), "begun ");
    assert!(first.hang_up().await.well());
    goes_on.notify_one();
    assert_eq!(text(&second.update().await), "done");
    second.settled().await;

    let mut third = client(&host, None, all_capabilities()).await;
    third.call("session/resume", opening(&session)).await.unwrap();
    let turn = second.prompt(&session, "wait").await;
    assert_eq!(text(&third.update().await), "> wait");
    third.cancel(&session).await;
    assert_eq!(second.stop_reason(turn).await, "cancelled");
    assert!(second.hang_up().await.well() && third.hang_up().await.well());
}

#[tokio::test]
async fn a_close_by_one_ends_the_session_for_all() {
    let (host, _) = host();
    let mut first = client(&host, None, all_capabilities()).await;
    let session = first.new_session().await;
    let mut second = client(&host, None, all_capabilities()).await;
    second.call("session/resume", opening(&session)).await.unwrap();
    let turn = first.prompt(&session, "wait").await;
    assert_eq!(text(&second.update().await), "> wait");
    second.call("session/close", json!({ "sessionId": session })).await.unwrap();
    assert_eq!(first.stop_reason(turn).await, "cancelled");
    let over = first.call("session/prompt", json!({ "sessionId": session, "prompt": [] })).await.unwrap_err();
    assert_eq!(over.code, -32002, "{over:?}");
    assert!(first.hang_up().await.well() && second.hang_up().await.well());
}

#[tokio::test]
async fn a_session_without_clients_leaves_memory_and_comes_back() {
    let (host, _) = host();
    let serve = |timeout: u64| {
        let options = ServeOptions::new().unfollowed_timeout(Duration::from_millis(timeout));
        Peer::serve_by_within(&host, Context::new(), options)
    };
    let active = || format!("{host:?}");
    let mut first = serve(1);
    first.initialize(all_capabilities()).await;
    let session = first.new_session().await;
    first.turn(&session, "hello").await;
    let mut second = serve(1);
    second.initialize(all_capabilities()).await;
    second.call("session/resume", opening(&session)).await.unwrap();
    assert!(first.hang_up().await.well());
    assert_eq!(second.turn(&session, "alone").await, "end_turn");
    assert!(active().contains("sessions: 1"), "{}", active());
    assert!(second.hang_up().await.well());
    while active().contains("sessions: 1") {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let mut third = serve(60_000);
    third.initialize(all_capabilities()).await;
    third.call("session/load", opening(&session)).await.unwrap();
    assert_eq!(third.updates().iter().map(text).collect::<Vec<_>>(), ["> hello", "hello?", "> alone", "alone?"]);
}

/// A process that ends does not keep them until their time is over.
#[tokio::test]
async fn sessions_without_clients_end_at_once_when_the_host_is_told_so() {
    let (host, _) = host();
    let mut first = client(&host, None, all_capabilities()).await;
    let session = first.new_session().await;
    assert!(first.hang_up().await.well());
    let mut second = client(&host, None, all_capabilities()).await;
    let other = second.new_session().await;
    assert!(format!("{host:?}").contains("sessions: 2"), "{host:?}");
    host.end_unfollowed().await;
    assert!(format!("{host:?}").contains("sessions: 1"), "{host:?}");
    assert_eq!(second.turn(&other, "hello").await, "end_turn");
    assert!(second.hang_up().await.well());
    host.end_unfollowed().await;
    assert!(format!("{host:?}").contains("sessions: 0"), "{host:?}");
    // They are kept.
    let mut third = client(&host, None, all_capabilities()).await;
    for session in [session, other] {
        third.call("session/resume", opening(&session)).await.unwrap();
    }
}

#[tokio::test]
async fn a_session_whose_clients_have_all_gone_is_deleted_by_any_other() {
    let (host, _) = host();
    let mut first = client(&host, None, all_capabilities()).await;
    let mut second = client(&host, None, all_capabilities()).await;
    let mut third = client(&host, None, all_capabilities()).await;
    let session = first.new_session().await;
    second.call("session/resume", opening(&session)).await.unwrap();
    let named = json!({ "sessionId": session });
    assert!(first.hang_up().await.well());
    assert_eq!(third.call("session/delete", named.clone()).await.unwrap_err().code, -32002, "the second one has it");
    assert!(second.hang_up().await.well());
    third.call("session/delete", named).await.unwrap();
    assert!(format!("{host:?}").contains("sessions: 0"), "{host:?}");
    assert_eq!(third.call("session/resume", opening(&session)).await.unwrap_err().code, -32002);
}

/// With `on_demand`, also by a prompt.
#[tokio::test]
async fn a_prompt_of_another_client_follows_the_session() {
    #[acp_agent(clients = "many", store = store, on_demand)]
    #[derive(Clone)]
    struct Ready {
        store: Arc<dyn SessionStore>,
    }

    #[acp_agent]
    impl Ready {
        async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
            turn.message(format!("{}?", request.text())).await?;
            Ok(StopReason::EndTurn)
        }
    }

    let host = Host::new(Ready { store: Arc::new(MemoryStore::new()) });
    let mut clients = Vec::new();
    for name in ["ann", "ann", "bob"] {
        let mut peer = Peer::serve_by(&host, Context::new().with(Principal::new(name)));
        peer.initialize(all_capabilities()).await;
        clients.push(peer);
    }
    let [mut first, mut second, mut other] = <[Peer; 3]>::try_from(clients).unwrap_or_else(|_| panic!("three clients"));
    let session = first.new_session().await;
    first.turn(&session, "one").await;
    first.updates();
    assert_eq!(second.turn(&session, "two").await, "end_turn");
    assert_eq!(second.updates().iter().map(text).collect::<Vec<_>>(), ["two?"]);
    assert_eq!([text(&first.update().await), text(&first.update().await)], ["> two", "two?"]);
    // Both follow it from here on.
    first.turn(&session, "three").await;
    assert_eq!([text(&second.update().await), text(&second.update().await)], ["> three", "three?"]);
    let refused = other.call("session/prompt", json!({ "sessionId": session, "prompt": [] })).await.unwrap_err();
    assert_eq!(refused.code, -32002, "{refused:?}");
    assert!(first.hang_up().await.well() && second.hang_up().await.well() && other.hang_up().await.well());
}

/// With `clients = "first"`.
#[tokio::test]
async fn a_session_that_another_client_has_may_be_refused_until_it_leaves() {
    #[acp_agent(clients = "first", store = store)]
    #[derive(Clone)]
    struct First {
        store: Arc<dyn SessionStore>,
    }

    #[acp_agent]
    impl First {
        async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
            turn.message("done").await?;
            Ok(StopReason::EndTurn)
        }
    }

    let host = Host::new(First { store: Arc::new(MemoryStore::new()) });
    let mut clients = Vec::new();
    for _ in 0..2 {
        let mut peer = Peer::serve_by(&host, Context::new());
        peer.initialize(all_capabilities()).await;
        clients.push(peer);
    }
    let [mut first, mut second] = <[Peer; 2]>::try_from(clients).unwrap_or_else(|_| panic!("two clients"));
    let session = first.new_session().await;
    first.turn(&session, "hello").await;
    for method in ["session/load", "session/resume"] {
        let refused = second.call(method, opening(&session)).await.unwrap_err();
        assert_eq!(refused.code, -32600, "{refused:?}");
        assert!(refused.message.contains("another client has the session"), "{refused:?}");
        // The one that has it reloads it.
        first.call(method, opening(&session)).await.unwrap();
    }
    first.turn(&session, "hello").await;
    assert_eq!(second.updates(), Vec::<Value>::new());
    assert!(first.hang_up().await.well());
    second.call("session/load", opening(&session)).await.unwrap();
    second.updates();
    second.turn(&session, "hello").await;
    assert!(second.hang_up().await.well());
}

#[tokio::test]
async fn the_session_of_another_principal_is_not_there() {
    let (host, _) = host();
    let mut ann = client(&host, Some("ann"), all_capabilities()).await;
    let session = ann.new_session().await;
    for principal in [Some("bob"), None] {
        let mut other = client(&host, principal, all_capabilities()).await;
        for method in ["session/load", "session/resume", "session/close"] {
            let refused = other.call(method, opening(&session)).await.unwrap_err();
            assert_eq!(refused.code, -32002, "{principal:?} {method}: {refused:?}");
        }
        assert!(other.hang_up().await.well());
    }
    assert!(ann.hang_up().await.well());
}
