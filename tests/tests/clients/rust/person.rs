//! The person at the client, who answers what the agent asks and keeps what it tells.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_client_protocol::{
    self as acp, JsonRpcResponse,
    v2::{ConnectionTo, Responder},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::updates::to;

/// What the agent has told and asked.
#[derive(Clone, Default)]
pub(crate) struct Seen {
    /// Parameters of the `session/update` notifications that the SDK accepted.
    pub(crate) updates: Vec<Value>,
    pub(crate) permissions: Vec<Value>,
    pub(crate) elicitations: Vec<Value>,
    /// The ids of elicitations that the agent has told to be complete.
    pub(crate) completed: Vec<Value>,
    /// The number of requests of the agent that it has withdrawn with `$/cancel_request`.
    pub(crate) withdrawn: usize,
}

impl Seen {
    /// The updates of a session, from the place `from` of all on.
    pub(crate) fn updates_of(&self, session: &str, from: usize) -> Vec<Value> {
        let told = self.updates[from..].iter().filter(|told| told["sessionId"] == session);
        told.map(|told| told["update"].clone()).collect()
    }
}

/// The person at the client. With `None`, it does not answer.
pub(crate) struct Wishes {
    pub(crate) option: Option<&'static str>,
    pub(crate) fill: Option<Value>,
}

pub(crate) struct Person {
    pub(crate) seen: watch::Sender<Seen>,
    wishes: Mutex<Wishes>,
}

impl Default for Person {
    fn default() -> Self {
        let wishes = Wishes { option: Some("allow"), fill: Some(json!({ "action": "accept", "content": {} })) };
        Self { seen: watch::Sender::default(), wishes: Mutex::new(wishes) }
    }
}

impl Person {
    pub(crate) fn wishes(&self) -> MutexGuard<'_, Wishes> {
        self.wishes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn sees(&self, sees: impl FnOnce(&mut Seen)) {
        self.seen.send_modify(sees);
    }

    /// Answers, or waits until the agent withdraws its request.
    pub(crate) fn answers<T: JsonRpcResponse + DeserializeOwned>(
        self: Arc<Self>,
        responder: Responder<T>,
        answer: Option<Value>,
        withdrawn: Value,
        cx: &ConnectionTo<acp::Agent>,
    ) -> acp::Result<()> {
        let Some(answer) = answer else {
            let cancellation = responder.cancellation();
            return cx.spawn(async move {
                cancellation.cancelled().await;
                self.sees(|seen| seen.withdrawn += 1);
                responder.respond(to(withdrawn))
            });
        };
        responder.respond(to(answer))
    }
}
