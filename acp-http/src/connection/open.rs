//! The open requests of both sides: the ids that the client must not use again yet, and the questions of the agent with their sessions.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use axum::http::StatusCode;
use tokio::sync::Notify;

use crate::{message::Message, refusal::Refusal};

#[derive(Default)]
pub(crate) struct Open {
    ids: Mutex<Ids>,
    answered: Notify,
}

#[derive(Default)]
struct Ids {
    requests: HashSet<Box<str>>,
    questions: HashMap<Box<str>, Box<str>>,
}

impl Open {
    /// The client asks with this id.
    ///
    /// # Errors
    ///
    /// The id stands for a request whose answer the client has not got.
    pub(crate) fn ask(&self, id: &str) -> Result<(), Refusal> {
        if self.ids().requests.insert(id.into()) {
            return Ok(());
        }
        let text =
            format!("the id {id} stands for a request that is not answered yet: each request needs an id of its own");
        Err(Refusal::new(StatusCode::CONFLICT, text))
    }

    /// The request was not passed on.
    pub(crate) fn withdraw(&self, id: &str) {
        self.ids().requests.remove(id);
        self.answered.notify_waiters();
    }

    /// A message leaves to the client, about this session.
    pub(crate) fn leaves(&self, bytes: &[u8], session: Option<&str>) {
        // Most messages are updates, and these have no id.
        if is_notification(bytes) {
            return;
        }
        match (Message::read(bytes), session) {
            (Ok(Message::Answer { id }), _) => self.withdraw(&id),
            (Ok(Message::Request { id, .. }), Some(session)) => {
                self.ids().questions.insert(id, session.into());
            }
            _ => {}
        }
    }

    /// The client answers the question with this id, with this header.
    ///
    /// # Errors
    ///
    /// The question is one of another session.
    pub(crate) fn answers(&self, id: &str, session: Option<&str>) -> Result<(), Refusal> {
        let mut ids = self.ids();
        match (ids.questions.get(id), session) {
            (Some(asked), None) => {
                let text = format!("the question is one of the session {asked:?}: send the header `Acp-Session-Id`");
                return Err(Refusal::bad_request(text));
            }
            (Some(asked), Some(session)) if **asked != *session => {
                return Err(Refusal::bad_request(format!(
                    "the question is one of the session {asked:?}, not {session:?}"
                )));
            }
            _ => {}
        }
        ids.questions.remove(id);
        Ok(())
    }

    /// Waits until all requests are answered.
    pub(crate) async fn all_answered(&self) {
        loop {
            let answered = self.answered.notified();
            tokio::pin!(answered);
            answered.as_mut().enable();
            if self.ids().requests.is_empty() {
                return;
            }
            answered.await;
        }
    }

    fn ids(&self) -> MutexGuard<'_, Ids> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a message of the runtime is a notification: these begin with their method.
fn is_notification(bytes: &[u8]) -> bool {
    bytes.starts_with(br#"{"jsonrpc":"2.0","method":"#)
}
