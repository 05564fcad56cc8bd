//! The open requests of both sides: the ids that the client must not use again yet, and the questions of the agent with their sessions.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use axum::http::StatusCode;
use serde_json::Value;

use crate::{message::Message, names, refusal::Refusal};

#[derive(Default)]
pub(crate) struct Open(Mutex<Ids>);

#[derive(Default)]
struct Ids {
    requests: HashMap<Box<str>, Asked>,
    questions: HashMap<Box<str>, Box<str>>,
}

/// What a request is, as far as its answer says more than itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Initialize,
    /// A turn of this session.
    Prompt(Box<str>),
    /// A new session.
    New,
    /// This session, which is there.
    Open(Box<str>),
    /// The end of this session.
    End(Box<str>),
    Other,
}

impl Asked {
    fn of(message: &Message) -> Self {
        match (message.method(), message.session()) {
            (names::INITIALIZE, _) => Self::Initialize,
            (names::PROMPT, Some(session)) => Self::Prompt(session.into()),
            (method, _) if names::NEW_SESSION.contains(&method) => Self::New,
            (method, Some(session)) if names::OPENS_SESSION.contains(&method) => Self::Open(session.into()),
            (method, Some(session)) if names::ENDS_SESSION.contains(&method) => Self::End(session.into()),
            _ => Self::Other,
        }
    }
}

impl Open {
    /// The client asks `message`, with this id.
    ///
    /// # Errors
    ///
    /// The id stands for a request whose answer the client has not got.
    pub(crate) fn ask(&self, id: &str, message: &Message) -> Result<(), Refusal> {
        let mut ids = self.ids();
        if !ids.requests.contains_key(id) {
            ids.requests.insert(id.into(), Asked::of(message));
            return Ok(());
        }
        let text =
            format!("the id {id} stands for a request that is not answered yet: each request needs an id of its own");
        Err(Refusal::new(StatusCode::CONFLICT, text))
    }

    /// The answer to the request leaves, or the request was not passed on. Returns what it was.
    pub(crate) fn end(&self, id: &str) -> Option<Asked> {
        self.ids().requests.remove(id)
    }

    /// The agent asks with this id, about this session.
    pub(crate) fn asked(&self, id: Box<str>, session: &str) {
        self.ids().questions.insert(id, session.into());
    }

    /// The client answers the question with this id, with this header. Some clients send no header with answers, and the id says enough.
    ///
    /// # Errors
    ///
    /// The question is one of another session.
    pub(crate) fn answers(&self, id: &str, session: Option<&str>) -> Result<(), Refusal> {
        let mut ids = self.ids();
        if let (Some(asked), Some(session)) = (ids.questions.get(id), session)
            && **asked != *session
        {
            return Err(Refusal::bad_request(format!("the question is one of the session {asked:?}, not {session:?}")));
        }
        ids.questions.remove(id);
        Ok(())
    }

    /// Whether no request of the client waits for its answer.
    pub(crate) fn is_empty(&self) -> bool {
        self.ids().requests.is_empty()
    }

    /// The id of the prompt of a session that is not answered.
    pub(crate) fn prompt_of(&self, session: &str) -> Option<Value> {
        let ids = self.ids();
        let is_prompt = |asked: &Asked| matches!(asked, Asked::Prompt(of) if **of == *session);
        let (id, _) = ids.requests.iter().find(|(_, asked)| is_prompt(asked))?;
        serde_json::from_str(id).ok()
    }

    /// The sessions with a prompt that is not answered.
    pub(crate) fn prompted(&self) -> Vec<Box<str>> {
        let ids = self.ids();
        let sessions = ids.requests.values().filter_map(|asked| match asked {
            Asked::Prompt(session) => Some(session.clone()),
            _ => None,
        });
        sessions.collect()
    }

    fn ids(&self) -> MutexGuard<'_, Ids> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
