//! The begin of another connection, in the place of one that the server has lost.

use std::collections::VecDeque;

use acp_peer::Error;
use bytes::Bytes;
use serde_json::{Value, json};

use super::table::Open;
use crate::{
    message::{Kind, Message, params_of},
    names::{CANCEL_REQUEST, INITIALIZE, RESUME, UPDATE},
};

/// What is done in the place of a connection that was lost.
pub(crate) struct Again {
    /// What the new connection sends first.
    pub(crate) messages: VecDeque<Message>,
    /// What the client is told.
    pub(crate) told: Vec<Bytes>,
}

impl Open {
    /// Whether a connection has begun.
    pub(crate) fn is_begun(&self) -> bool {
        self.table().begin.is_some()
    }

    /// Whether another connection can take the place of one that was lost.
    pub(crate) fn can_begin_again(&self) -> bool {
        let table = self.table();
        table.begin.as_ref().is_some_and(|begin| begin.resumes || table.sessions.is_empty())
    }

    /// The connection was lost for this reason. Requests that may have reached the agent fail, its questions are withdrawn, and all that
    /// has surely not left is sent again, behind what resumes the sessions.
    pub(crate) fn begins_again(&self, why: &str) -> Again {
        let mut table = self.table();
        let table = &mut *table;
        let unsent = std::mem::take(&mut table.unsent).into_values();
        let unsent: Vec<_> =
            unsent.filter(|message| !message.is_own && !matches!(message.kind, Kind::Answer { .. })).collect();
        let mut told = Vec::new();
        for message in &unsent {
            // It is asked again when it leaves again.
            message.asks().and_then(|key| table.asked.remove(&key));
        }
        let text = format!(
            "the agent may have worked on this request or not; its session goes on in a connection that has begun again, and a load shows \
             what was kept ({why})"
        );
        let error = json!(Error::in_doubt(text));
        for session in table.sessions.interrupted() {
            let state =
                json!({ "sessionUpdate": "state_update", "state": "idle", "stopReason": "error", "error": error });
            let params = json!({ "sessionId": session, "update": state });
            told.push(json!({ "jsonrpc": "2.0", "method": UPDATE, "params": params }).to_string().into());
        }
        for (_, asked) in table.asked.drain().filter(|(_, asked)| !asked.is_own) {
            told.push(format!(r#"{{"jsonrpc":"2.0","id":{},"error":{error}}}"#, asked.id).into());
        }
        for (key, question) in table.questions.drain() {
            let id = &question.id;
            told.push(
                format!(r#"{{"jsonrpc":"2.0","method":"{CANCEL_REQUEST}","params":{{"requestId":{id}}}}}"#).into(),
            );
            *table.void.entry(key).or_default() += 1;
        }
        let begin = table.begin.as_ref().and_then(|begin| params_of(&begin.request)).map(|params| json!(params));
        let mut messages = VecDeque::new();
        let mut ask = |method: &str, params: &Value| {
            table.count += 1;
            let id = format!("acp-dial/{}", table.count);
            let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
            messages.extend(Message::own(&request));
        };
        ask(INITIALIZE, &begin.unwrap_or_default());
        for (_, params) in table.sessions.resume() {
            ask(RESUME, &Value::Object(params.clone()));
        }
        messages.extend(unsent);
        Again { messages, told }
    }
}
