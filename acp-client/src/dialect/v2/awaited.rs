//! Requests whose answers the agent owes: prompts, and what asks for the state of a session.

use std::sync::Arc;

use acp_peer::{Error, rpc::Then, wire::decode::from_json};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    raw,
    sessions::Sessions,
    turns::{Turns, answer, tell},
};
use crate::dialect::messages::Outcome;

/// A request whose answer the agent owes. Dropped, it is owed no more: it was answered or withdrawn.
pub(super) struct Awaited {
    sessions: Arc<Sessions>,
    session: Box<str>,
    count: fn(&mut Turns) -> &mut usize,
}

impl Awaited {
    pub(super) fn prompt(sessions: &Arc<Sessions>, session: &str) -> Self {
        Self::begin(sessions, session, Turns::unanswered)
    }

    pub(super) fn resume(sessions: &Arc<Sessions>, session: &str) -> Self {
        Self::begin(sessions, session, Turns::resuming)
    }

    fn begin(sessions: &Arc<Sessions>, session: &str, count: fn(&mut Turns) -> &mut usize) -> Self {
        sessions.with(session, |session| *count(&mut session.turns) += 1);
        Self { sessions: sessions.clone(), session: session.into(), count }
    }

    /// The receiver of the agent's answer to a prompt. `then` gets the end of the turn.
    pub(super) fn answered(self, then: Then) -> Then {
        Box::new(move |answered| match answered {
            Ok(answer) => self.inserted(answer, then),
            // The agent withdraws what it holds when the session is cancelled or closed. In the values, such a turn ends.
            Err(error) if error.code() == Error::REQUEST_CANCELLED => then(Ok(&answer(Some("cancelled")))),
            Err(error) => then(Err(error)),
        })
    }

    /// The receiver of the agent's answer to a prompt that goes to work that runs. `then` gets what became of it.
    pub(super) fn steered(self, then: Then, work: Option<u64>) -> Then {
        Box::new(move |answered| match answered {
            Ok(_) => {
                let goes_on = self.sessions.with(&self.session, |session| session.turns.goes_on(work));
                drop(self);
                let outcome = if goes_on { Outcome::Injected } else { Outcome::StartedNewTurn };
                then(Ok(&raw(&outcome).unwrap_or_default()));
            }
            Err(error) => then(Err(error)),
        })
    }

    /// The prompt is in the conversation. It has ended already if the agent worked on it before it answered.
    fn inserted(self, answer: &RawValue, then: Then) {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Inserted {
            message_id: Box<str>,
        }
        let id = from_json(answer.get()).ok().map(|Inserted { message_id }| message_id);
        let ended = self.sessions.with(&self.session, |session| session.turns.inserted(id.as_deref(), then));
        drop(self);
        if let Some((then, end)) = ended {
            tell(then, &end);
        }
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        self.sessions.with(&self.session, |session| {
            let count = (self.count)(&mut session.turns);
            *count = count.saturating_sub(1);
            session.turns.settled();
        });
    }
}
