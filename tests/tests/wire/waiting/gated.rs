//! Prompts that wait in an agent with `needs_auth`, when its door is shut before their turns.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use acp_runtime::prelude::*;
use acp_tests::peer::Peer;
use serde_json::json;

use super::{agents::Gate, told};

#[derive(ConfigOptions, Clone)]
struct Config {}

#[acp_agent(needs_auth, config = Config, turns = "steer", auth(agent(id = "key", name = "Key")))]
#[derive(Default)]
struct Gated {
    gate: Gate,
    /// What another process leaves behind.
    credentials: Arc<AtomicBool>,
}

#[acp_agent]
impl Gated {
    async fn initialize(&self) -> Initialized {
        let credentials = self.credentials.clone();
        Initialized::new().credentials(move || credentials.load(Ordering::SeqCst))
    }

    async fn authenticate(&self) {}

    async fn logout(&self) {}

    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let text = request.text();
        turn.message(text.as_str()).await?;
        match text.as_str() {
            "gate" => self.gate.pass().await,
            "expire" => {
                self.gate.pass().await;
                turn.client().set_authenticated(false);
                return Err(Error::auth_required());
            }
            _ => {}
        }
        Ok(StopReason::EndTurn)
    }

    async fn steer(&self, request: PromptRequest) -> Steered {
        if request.text() == "join" { Steered::Joined } else { Steered::Queued }
    }

    /// Says nothing.
    #[command]
    async fn quiet(&self) -> StopReason {
        StopReason::EndTurn
    }
}

struct Busy {
    peer: Peer,
    id: String,
    first: i64,
    gate: Gate,
    credentials: Arc<AtomicBool>,
}

/// A session in which a turn runs until the gate opens.
async fn busy(text: &str) -> Busy {
    let agent = Gated::default();
    let (gate, credentials) = (agent.gate.clone(), agent.credentials.clone());
    let mut peer = Peer::serve(agent);
    peer.initialize(json!({})).await;
    authenticate(&mut peer).await;
    let id = peer.new_session().await;
    let first = peer.prompt(&id, text).await;
    while peer.update().await["content"]["text"] != text {}
    Busy { peer, id, first, gate, credentials }
}

async fn authenticate(peer: &mut Peer) {
    assert_eq!(peer.call("authenticate", json!({ "methodId": "key" })).await, Ok(json!({})));
}

async fn log_out(peer: &mut Peer) {
    assert_eq!(peer.call("logout", json!({})).await, Ok(json!({})));
}

#[tokio::test]
async fn prompts_that_waited_are_refused_behind_the_running_turn_after_a_logout() {
    let Busy { mut peer, id, first, gate, .. } = busy("gate").await;
    let [joined, second, third, command] = [
        peer.prompt(&id, "join").await,
        peer.prompt(&id, "two").await,
        peer.prompt(&id, "three").await,
        peer.prompt(&id, "/quiet").await,
    ];
    peer.settled().await;
    log_out(&mut peer).await;
    assert_eq!(peer.settled().await, [], "the turn goes on, and its end comes first");
    gate.open_once();
    let ends = [first, joined].map(|request| format!("{request} end_turn"));
    let refused = [second, third, command].map(|request| format!("{request} -32000"));
    assert_eq!(told(&mut peer, 5).await, [&ends[..], &refused[..]].concat());
    authenticate(&mut peer).await;
    assert_eq!(peer.turn(&id, "next").await, "end_turn", "the session is as it was");
}

#[tokio::test]
async fn steering_is_refused_as_a_prompt() {
    let Busy { mut peer, id, first, gate, .. } = busy("gate").await;
    let steering = json!({ "sessionId": id, "prompt": [{ "type": "text", "text": "two" }] });
    let waits = peer.request("_session/steering", steering.clone()).await;
    peer.settled().await;
    log_out(&mut peer).await;
    assert_eq!(peer.call("_session/steering", steering).await.unwrap_err().code, -32000);
    gate.open_once();
    assert_eq!(told(&mut peer, 2).await, [format!("{first} end_turn"), format!("{waits} -32000")]);
}

#[tokio::test]
async fn prompts_that_waited_are_refused_when_the_turn_finds_that_its_token_has_expired() {
    let Busy { mut peer, id, first, gate, .. } = busy("expire").await;
    let second = peer.prompt(&id, "two").await;
    peer.settled().await;
    gate.open_once();
    assert_eq!(told(&mut peer, 2).await, [first, second].map(|request| format!("{request} -32000")));
}

#[tokio::test]
async fn a_cancel_of_prompts_behind_a_shut_door_is_their_answer() {
    let Busy { mut peer, id, first, gate, .. } = busy("gate").await;
    let second = peer.prompt(&id, "two").await;
    peer.settled().await;
    log_out(&mut peer).await;
    peer.cancel(&id).await;
    peer.settled().await;
    gate.open_once();
    assert_eq!(told(&mut peer, 2).await, [first, second].map(|request| format!("{request} cancelled")));
}

#[tokio::test]
async fn prompts_that_waited_begin_if_the_door_is_open_again() {
    for by_credentials in [false, true] {
        let Busy { mut peer, id, first, gate, credentials } = busy("gate").await;
        let second = peer.prompt(&id, "two").await;
        peer.settled().await;
        log_out(&mut peer).await;
        match by_credentials {
            true => credentials.store(true, Ordering::SeqCst),
            false => authenticate(&mut peer).await,
        }
        gate.open_once();
        let expected = [format!("{first} end_turn"), "two said".to_owned(), format!("{second} end_turn")];
        assert_eq!(told(&mut peer, 2).await, expected);
    }
}
