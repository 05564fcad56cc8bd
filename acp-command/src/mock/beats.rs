//! A recording as beats: each message of the client, with all that the agent said until the client spoke again.

use std::time::Duration;

use acp_judge::{Party, Tape};
use serde_json::{Value, json};

/// A message of the client, and what the agent said to it.
#[derive(Debug)]
pub(super) struct Beat {
    pub(super) cue: Cue,
    pub(super) said: Vec<Said>,
}

/// What the client said.
#[derive(Debug)]
pub(super) enum Cue {
    /// A request, with its id.
    Request {
        method: String,
        id: Value,
        params: Value,
    },
    Notification {
        method: String,
    },
    /// The answer to the agent's request with this id.
    Answer {
        id: Value,
    },
}

/// A message of the agent.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) message: Value,
    /// The time since the message before it.
    pub(super) pause: Duration,
}

/// All beats of a recording, in order.
#[derive(Debug, Default)]
pub(super) struct Beats(pub(super) Vec<Beat>);

impl Beats {
    pub(super) fn of(tape: &Tape) -> Self {
        let mut beats = Vec::<Beat>::new();
        let mut last = Duration::ZERO;
        for entry in tape.entries() {
            let pause = entry.at.saturating_sub(last);
            last = entry.at;
            // Lines that are no messages cannot be answered, nor be told apart.
            let message = entry.line.as_deref().and_then(|line| serde_json::from_slice::<Value>(line).ok());
            let Some(message) = message.filter(Value::is_object) else { continue };
            match entry.from {
                Party::Client => beats.extend(cue(&message).map(|cue| Beat { cue, said: Vec::new() })),
                Party::Agent => {
                    if let Some(beat) = beats.last_mut() {
                        beat.said.push(Said { message, pause });
                    }
                }
            }
        }
        Self(beats)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// An agent that says `Hello.` to each prompt.
    pub(super) fn of_small_agent() -> Self {
        let request = |method: &str, said: &[Value]| Beat {
            cue: Cue::Request { method: method.to_owned(), id: json!(0), params: Value::Null },
            said: said.iter().map(|message| Said { message: message.clone(), pause: Duration::ZERO }).collect(),
        };
        let answer = |result: Value| json!({ "jsonrpc": "2.0", "id": 0, "result": result });
        let session = "mock-session";
        let hello = json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "Hello." } });
        Self(vec![
            request(
                "initialize",
                &[answer(json!({
                    "protocolVersion": 1,
                    "agentInfo": { "name": "acp-mock", "version": env!("CARGO_PKG_VERSION") },
                    "agentCapabilities": {}, "authMethods": [],
                }))],
            ),
            request("session/new", &[answer(json!({ "sessionId": session }))]),
            request(
                "session/prompt",
                &[
                    json!({ "jsonrpc": "2.0", "method": "session/update", "params": { "sessionId": session, "update": hello } }),
                    answer(json!({ "stopReason": "end_turn" })),
                ],
            ),
        ])
    }
}

/// What a message of the client is; `None` if it is no message of JSON-RPC.
pub(super) fn cue(message: &Value) -> Option<Cue> {
    let (id, method) = (message.get("id").cloned(), message["method"].as_str().map(ToOwned::to_owned));
    match (method, id) {
        (Some(method), Some(id)) => Some(Cue::Request { method, id, params: message["params"].clone() }),
        (Some(method), None) => Some(Cue::Notification { method }),
        (None, Some(id)) => Some(Cue::Answer { id }),
        (None, None) => None,
    }
}
