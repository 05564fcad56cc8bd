//! Commands that arrive while their session has a turn.

use acp_runtime::{
    prelude::*,
    session::{Steered, TurnHandle},
};
use acp_tests::peer::{Message, Peer, all_capabilities};
use serde_json::{Value, json};

use super::agent::new;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

/// Declares the same handlers for an agent whose prompts wait, and for one that decides about them.
macro_rules! agent {
    ($name:ident, $turns:literal, { $($steer:item)* }) => {
        #[acp_agent(config = Config, turns = $turns)]
        struct $name;

        #[acp_agent]
        impl $name {
            $($steer)*

            async fn new_session(&self) -> (SessionId, ()) {
                ("s".into(), ())
            }

            async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
                turn.message(request.text()).await?;
                if request.text() == "wait" {
                    turn.cancelled().await;
                }
                Ok(StopReason::EndTurn)
            }

            /// Tells of its options.
            #[command(hint = "anything")]
            async fn tell(&self, what: Arguments, turn: Turn<Config>) -> Result<StopReason> {
                turn.message(format!("{what}: {}", turn.config().brave)).await?;
                Ok(StopReason::MaxTokens)
            }

            /// Waits until it is cancelled.
            #[command]
            async fn wait(&self, turn: Turn<Config>) -> Result<StopReason> {
                turn.message("waits").await?;
                turn.cancelled().await;
                Ok(StopReason::EndTurn)
            }

            #[ext("_acp-tests.dev/brave")]
            async fn brave(&self, _params: Value, session: SessionHandle<Config>) -> Result<()> {
                session.set(Config::BRAVE, true).await
            }
        }
    };
}

agent!(Queueing, "queue", {});
agent!(Steering, "steer", {
    async fn steer(&self, request: PromptRequest, turn: TurnHandle<Config>) -> Result<Steered> {
        turn.message(format!("steers {}", request.text())).await?;
        Ok(Steered::Joined)
    }
});

async fn serve(steers: bool) -> Peer {
    let mut peer = if steers { Peer::serve(Steering) } else { Peer::serve(Queueing) };
    peer.initialize(all_capabilities()).await;
    peer.call("session/new", new()).await.expect("opened");
    peer.update().await;
    peer
}

/// The texts and the answers, in order, up to the answers of all these requests.
async fn told(peer: &mut Peer, requests: &[i64]) -> Vec<String> {
    let (mut told, mut open) = (Vec::new(), requests.len());
    while open > 0 {
        match peer.next().await {
            Message::Notification { params, .. } => {
                told.extend(params["update"]["content"]["text"].as_str().map(str::to_owned));
            }
            Message::Answer { id, outcome } => {
                open -= 1;
                told.push(match outcome {
                    Ok(answer) => format!("{id} {}", answer["stopReason"].as_str().expect("it is a turn")),
                    Err(refusal) => format!("{id} {}", refusal.code),
                });
            }
            Message::Request { method, .. } => panic!("{method}"),
        }
    }
    told
}

/// Whatever becomes of other prompts, the text of a command is for its function.
#[tokio::test]
async fn a_command_during_a_turn_waits_for_a_turn_of_its_own() {
    for steers in [false, true] {
        let mut peer = serve(steers).await;
        let running = peer.prompt("s", "wait").await;
        assert_eq!(peer.update().await["content"]["text"], "wait");
        let waiting = peer.prompt("s", "/tell one").await;
        peer.call("_acp-tests.dev/brave", json!({ "sessionId": "s" })).await.expect("the options are set");
        assert!(peer.updates().iter().all(|update| update["content"].is_null()), "it waits");
        // The withdrawal ends the turn that runs, and no other.
        peer.notify("$/cancel_request", json!({ "requestId": running })).await;
        assert_eq!(
            told(&mut peer, &[running, waiting]).await,
            [format!("{running} cancelled"), "one: true".to_owned(), format!("{waiting} max_tokens")],
            "steers: {steers}; it has the options of its turn"
        );
    }
}

#[tokio::test]
async fn a_prompt_waits_behind_a_command_or_goes_to_steer() {
    for steers in [false, true] {
        let mut peer = serve(steers).await;
        let running = peer.prompt("s", "/wait").await;
        assert_eq!(peer.update().await["content"]["text"], "waits");
        let other = peer.prompt("s", "hello").await;
        if steers {
            assert_eq!(peer.update().await["content"]["text"], "steers hello");
        }
        peer.notify("$/cancel_request", json!({ "requestId": running })).await;
        let told = told(&mut peer, &[running, other]).await;
        let end = if steers { format!("{other} cancelled") } else { format!("{other} end_turn") };
        assert_eq!((told.first(), told.last()), (Some(&format!("{running} cancelled")), Some(&end)), "{told:?}");
        assert_eq!(told.contains(&"hello".to_owned()), !steers);
    }
}

#[tokio::test]
async fn commands_that_wait_are_cancelled_and_withdrawn_as_prompts_are() {
    let mut peer = serve(false).await;
    let running = peer.prompt("s", "/wait").await;
    let [withdrawn, cancelled] = [peer.prompt("s", "/tell one").await, peer.prompt("s", "/tell two").await];
    peer.notify("$/cancel_request", json!({ "requestId": withdrawn })).await;
    assert_eq!(peer.answer(withdrawn).await.expect_err("it is withdrawn").code, -32800);
    peer.cancel("s").await;
    let told = told(&mut peer, &[running, cancelled]).await;
    assert_eq!(told, ["waits".to_owned(), format!("{running} cancelled"), format!("{cancelled} cancelled")]);
}
