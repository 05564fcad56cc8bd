//! Commands with `during_turns`: they run at once, whatever the session does.

use std::sync::Arc;

use acp_runtime::{FromCall, prelude::*, session::Steered};
use acp_tests::peer::{Message, Peer, all_capabilities};
use serde_json::json;
use tokio::sync::Notify;

use super::agent::{load, new};

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

/// Lets what waits go on.
type Core = Arc<Notify>;

/// What commands and prompts have.
#[derive(FromCall)]
struct Ask {
    core: Shared<Core>,
    turn: Turn<Config>,
}

/// Declares the same handlers for agents that differ in what becomes of prompts during a turn.
macro_rules! agent {
    ($name:ident, $turns:literal, { $($steer:item)* }) => {
        #[acp_agent(config = Config, shared = Core, turns = $turns)]
        struct $name;

        #[acp_agent]
        impl $name {
            $($steer)*

            async fn new_session(&self) -> (SessionId, ()) {
                ("s".into(), ())
            }

            async fn load_session(&self) {}

            async fn close_session(&self) {}

            async fn delete_session(&self) {}

            async fn prompt(&self, request: PromptRequest, session: &mut (), ask: Ask) -> Result<StopReason> {
                *session = ();
                let text = request.text();
                ask.turn.message(text.clone()).await?;
                match text.as_str() {
                    "wait" => ask.turn.cancelled().await,
                    "ask" => {
                        let call = ask.turn.tool_call("Edit").start().await?;
                        let allowed = call.ask_permission().await?.is_allowed();
                        ask.turn.message(format!("allowed: {allowed}")).await?;
                    }
                    _ => {}
                }
                Ok(StopReason::EndTurn)
            }

            /// Takes back the last exchange.
            #[command(during_turns)]
            async fn undo(&self, Ask { core, turn }: Ask, id: &SessionId, request: PromptRequest) -> Result<StopReason> {
                core.notify_waiters();
                turn.message(format!("undone in {id}: {}", request.text())).await?;
                Ok(StopReason::MaxTokens)
            }

            /// Waits until it may go on.
            #[command(during_turns, hint = "anything")]
            async fn hold(&self, ask: Ask, what: Arguments, session: SessionHandle<Config>) -> Result<StopReason> {
                session.message(format!("holds {what}")).await?;
                ask.core.notified().await;
                ask.turn.message(format!("lets {what} go")).await?;
                Ok(StopReason::EndTurn)
            }

            /// Asks.
            #[command(during_turns)]
            async fn beg(&self, turn: Turn<Config>) -> Result<StopReason> {
                let call = turn.tool_call("Beg").start().await?;
                let allowed = call.ask_permission().await?.is_allowed();
                turn.message(format!("begged: {allowed}")).await?;
                Ok(StopReason::EndTurn)
            }

            /// Fails.
            #[command(during_turns)]
            async fn fail(&self) -> Result<StopReason> {
                Err(Error::invalid_params("not now"))
            }

            /// Waits for its turn.
            #[command]
            async fn compact(&self, turn: Turn<Config>) -> Result<StopReason> {
                turn.message("compacts").await?;
                Ok(StopReason::EndTurn)
            }
        }
    };
}

agent!(Refusing, "refuse", {});
agent!(Queueing, "queue", {});
agent!(Steering, "steer", {
    async fn steer(&self, request: PromptRequest, session: SessionHandle<Config>) -> Result<Steered> {
        session.message(format!("steers {}", request.text())).await?;
        Ok(if request.text() == "later" { Steered::Queued } else { Steered::Joined })
    }
});

async fn opened<A: acp_runtime::agent::Handlers<Threading = acp_runtime::__private::Threaded>>(agent: A) -> Peer {
    let mut peer = Peer::serve(agent);
    peer.initialize(all_capabilities()).await;
    peer.call("session/new", new()).await.expect("opened");
    peer.update().await;
    peer
}

async fn each() -> [(&'static str, Peer); 3] {
    [("refuse", opened(Refusing).await), ("queue", opened(Queueing).await), ("steer", opened(Steering).await)]
}

/// The texts and the answers, in order, up to so many answers.
async fn told(peer: &mut Peer, mut answers: usize) -> Vec<String> {
    let mut told = Vec::new();
    while answers > 0 {
        match peer.next().await {
            Message::Notification { params, .. } => {
                told.extend(params["update"]["content"]["text"].as_str().map(str::to_owned));
            }
            Message::Answer { id, outcome } => {
                answers -= 1;
                told.push(match outcome {
                    Ok(answer) => format!("{id} {}", answer["stopReason"].as_str().unwrap_or("done")),
                    Err(refusal) => format!("{id} {}", refusal.code),
                });
            }
            Message::Request { method, .. } => panic!("{method}"),
        }
    }
    told
}

/// Begins a turn that ends when it is cancelled.
async fn wait(peer: &mut Peer) -> i64 {
    let running = peer.prompt("s", "wait").await;
    assert_eq!(peer.update().await["content"]["text"], "wait");
    running
}

#[tokio::test]
async fn a_command_runs_beside_a_turn_and_before_what_waits() {
    for (turns, mut peer) in each().await {
        let running = wait(&mut peer).await;
        let later = peer.prompt("s", "later").await;
        let compact = peer.prompt("s", "/compact").await;
        let begun = match turns {
            "refuse" => vec![format!("{later} -32600"), format!("{compact} -32600")],
            "queue" => Vec::new(),
            _ => vec!["steers later".to_owned()],
        };
        if turns == "steer" {
            assert_eq!(peer.update().await["content"]["text"], "steers later");
        } else {
            assert_eq!(told(&mut peer, begun.len()).await, begun);
        }
        let undo = peer.prompt("s", "/undo").await;
        assert_eq!(
            told(&mut peer, 1).await,
            ["undone in s: /undo".to_owned(), format!("{undo} max_tokens")],
            "{turns}"
        );
        peer.notify("$/cancel_request", json!({ "requestId": running })).await;
        let end = match turns {
            "refuse" => vec![format!("{running} cancelled")],
            _ => vec![
                format!("{running} cancelled"),
                "later".to_owned(),
                format!("{later} end_turn"),
                "compacts".to_owned(),
                format!("{compact} end_turn"),
            ],
        };
        assert_eq!(told(&mut peer, if turns == "refuse" { 1 } else { 3 }).await, end, "{turns}");
    }
}

#[tokio::test]
async fn a_command_without_a_turn_leaves_the_session_free() {
    for (turns, mut peer) in each().await {
        let hold = peer.prompt("s", "/hold it").await;
        assert_eq!(peer.update().await["content"]["text"], "holds it");
        assert_eq!(peer.turn("s", "hello").await, "end_turn", "{turns}: it is no turn");
        let undo = peer.prompt("s", "/undo").await;
        let mut told = told(&mut peer, 2).await;
        assert_eq!(told.remove(0), "hello");
        told.sort();
        let mut all = [
            "undone in s: /undo".to_owned(),
            format!("{undo} max_tokens"),
            "lets it go".to_owned(),
            format!("{hold} end_turn"),
        ];
        all.sort();
        assert_eq!(told, all);
        assert_eq!(peer.prompt("s", "/fail").await, undo + 1);
        assert_eq!(peer.answer(undo + 1).await.expect_err("its own error").code, -32602);
    }
}

#[tokio::test]
async fn two_commands_run_at_once_and_each_answers_its_own_prompt() {
    let mut peer = opened(Refusing).await;
    let running = wait(&mut peer).await;
    let [one, two] = [peer.prompt("s", "/hold one").await, peer.prompt("s", "/hold two").await];
    for what in ["holds one", "holds two"] {
        assert_eq!(peer.update().await["content"]["text"], what);
    }
    assert_eq!(peer.turn("s", "/undo").await, "max_tokens");
    assert_eq!([peer.stop_reason(one).await, peer.stop_reason(two).await], ["end_turn", "end_turn"]);
    peer.cancel("s").await;
    assert_eq!(peer.stop_reason(running).await, "cancelled");
}

#[tokio::test]
async fn a_cancel_reaches_the_turn_and_the_commands_beside_it() {
    for (turns, mut peer) in each().await {
        let running = wait(&mut peer).await;
        let hold = peer.prompt("s", "/hold it").await;
        assert_eq!(peer.update().await["content"]["text"], "holds it");
        peer.cancel("s").await;
        let mut ends = told(&mut peer, 2).await;
        ends.sort();
        assert_eq!(ends, [format!("{running} cancelled"), format!("{hold} cancelled")], "{turns}");

        let hold = peer.prompt("s", "/hold it").await;
        assert_eq!(peer.update().await["content"]["text"], "holds it");
        peer.cancel("s").await;
        assert_eq!(peer.stop_reason(hold).await, "cancelled", "{turns}: without a turn");
    }
}

#[tokio::test]
async fn a_withdrawn_command_leaves_the_turn_alone() {
    let mut peer = opened(Queueing).await;
    let running = wait(&mut peer).await;
    let hold = peer.prompt("s", "/hold it").await;
    assert_eq!(peer.update().await["content"]["text"], "holds it");
    peer.notify("$/cancel_request", json!({ "requestId": hold })).await;
    assert_eq!(peer.stop_reason(hold).await, "cancelled");
    assert_eq!(peer.turn("s", "/undo").await, "max_tokens");
    assert!(peer.settled().await.iter().all(|message| !matches!(message, Message::Answer { .. })), "the turn runs");
    peer.cancel("s").await;
    assert_eq!(peer.stop_reason(running).await, "cancelled");
}

#[tokio::test]
async fn a_call_that_opens_or_ends_the_session_cancels_a_command_and_waits_for_it() {
    for method in ["session/close", "session/delete", "session/load"] {
        for has_turn in [false, true] {
            let mut peer = opened(Steering).await;
            let running = if has_turn { Some(wait(&mut peer).await) } else { None };
            let hold = peer.prompt("s", "/hold it").await;
            assert_eq!(peer.update().await["content"]["text"], "holds it");
            let params = if method == "session/load" { load() } else { json!({ "sessionId": "s" }) };
            let end = peer.request(method, params).await;
            let late = peer.prompt("s", "/undo").await;
            let answers = 3 + usize::from(has_turn);
            let told = told(&mut peer, answers).await;
            let place = |text: String| told.iter().position(|one| *one == text);
            let behind = place(format!("{end} done")).expect("it is answered");
            let cancelled = [Some(hold), running].into_iter().flatten();
            for id in cancelled {
                let place = place(format!("{id} cancelled"));
                assert!(place.is_some_and(|place| place < behind), "{method}: {told:?}");
            }
            assert!(place(format!("{late} -32600")).is_some(), "{method}: {told:?}");
        }
    }
}

#[tokio::test]
async fn a_command_runs_while_the_turn_waits_for_the_user_and_may_ask_itself() {
    let mut peer = opened(Refusing).await;
    let running = peer.prompt("s", "ask").await;
    let asked = peer.asked("session/request_permission").await;
    assert_eq!(peer.turn("s", "/undo").await, "max_tokens");
    let beg = peer.prompt("s", "/beg").await;
    let begged = peer.asked("session/request_permission").await;
    assert_eq!(begged.params["toolCall"]["title"], "Beg");
    let allow = json!({ "outcome": { "outcome": "selected", "optionId": begged.params["options"][0]["optionId"] } });
    peer.reply(&begged, allow).await;
    assert_eq!(peer.stop_reason(beg).await, "end_turn");
    let allow = json!({ "outcome": { "outcome": "selected", "optionId": asked.params["options"][0]["optionId"] } });
    peer.reply(&asked, allow).await;
    assert_eq!(peer.stop_reason(running).await, "end_turn");
    let said: Vec<_> =
        peer.updates().iter().filter_map(|update| update["content"]["text"].as_str().map(str::to_owned)).collect();
    assert_eq!(said, ["ask", "undone in s: /undo", "begged: true", "allowed: true"]);
}

#[tokio::test]
async fn a_command_ends_when_the_client_hangs_up() {
    let mut peer = opened(Queueing).await;
    wait(&mut peer).await;
    peer.prompt("s", "/hold it").await;
    assert_eq!(peer.update().await["content"]["text"], "holds it");
    let _ = peer.hang_up().await;
}
