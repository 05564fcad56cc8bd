//! Prompts that arrive during a turn, of agents that do not refuse them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agents;
mod gated;
mod local;
mod order;
mod queue;
mod steer;
mod steering;

use acp_tests::peer::{Message, Peer};

/// The messages of the agent up to its `answers`-th answer, in short: `one said` for the message of a turn, `1 end_turn`,
/// `1 injected` and `1 -32600` for answers.
async fn told(peer: &mut Peer, answers: usize) -> Vec<String> {
    let (mut told, mut answered) = (Vec::new(), 0);
    while answered < answers {
        match peer.next().await {
            Message::Notification { params, .. } if params["update"]["sessionUpdate"] == "agent_message_chunk" => {
                told.push(format!("{} said", params["update"]["content"]["text"].as_str().unwrap()));
            }
            Message::Notification { .. } => {}
            Message::Answer { id, outcome } => {
                answered += 1;
                told.push(match outcome {
                    Ok(answer) => {
                        let said = answer["stopReason"].as_str().or(answer["outcome"].as_str());
                        format!("{id} {}", said.unwrap_or("done"))
                    }
                    Err(refusal) => format!("{id} {}", refusal.code),
                });
            }
            asked @ Message::Request { .. } => panic!("{asked:?}"),
        }
    }
    told
}
