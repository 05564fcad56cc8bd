//! A turn or load at work, and the items that the agent sends for it.

use serde_json::value::RawValue;
use tokio::time::Instant;

use super::{
    cancel::Cancel,
    question::{Place, ReadQuestion},
};

/// A turn or a load at work.
pub(super) struct Open {
    pub(super) number: u64,
    pub(super) cancel: Cancel,
    /// The agent knows of it.
    pub(super) is_sent: bool,
    /// Set if the holder gave up the turn. The next turn begins when the agent has answered this one, or at this time.
    pub(super) given_up: Option<Instant>,
    /// Whether the turn or load has sent too many updates. Its further updates are dropped.
    pub(super) is_flooded: bool,
    pub(super) is_answered: bool,
    /// Set if the holder takes the agent's questions, too.
    pub(super) takes_questions: Option<ReadQuestion>,
}

/// An item of a turn or load, for its holder.
pub(crate) enum Item {
    /// The params of a `session/update`.
    Update(Box<str>),
    /// A question of the agent to the user.
    Question(Place),
    /// The end, which stands behind all updates.
    End(Outcome),
}

/// The end of a turn or load.
pub(crate) enum Outcome {
    Answered(Box<RawValue>),
    Refused(acp_peer::Error),
    /// The connection is over, so no answer will come.
    Lost,
    /// This client ended it, since nobody took its updates.
    Flooded,
}

/// The result of storing an update.
pub(crate) enum Pushed {
    Kept,
    /// The running turn has sent more than the bound. The caller must cancel the turn.
    Flooded,
}

/// An item that waits until the handler at work has finished.
pub(super) enum Behind {
    Update {
        params: Box<str>,
        /// The number of the turn or load that the update belongs to.
        turn: Option<u64>,
    },
    /// A question of the agent to the user.
    Question {
        place: Place,
        /// The number of the turn or load that the question belongs to.
        turn: Option<u64>,
    },
    /// The end of a turn or load.
    End(u64, Outcome),
}

impl Open {
    pub(super) fn new(number: u64, cancel: Cancel, takes_questions: Option<ReadQuestion>) -> Self {
        let (is_sent, is_flooded, is_answered) = Default::default();
        Self { number, cancel, is_sent, given_up: None, is_flooded, is_answered, takes_questions }
    }

    /// Whether the agent works on it, so that its updates belong to it.
    pub(super) fn is_running(&self) -> bool {
        self.is_sent && !self.is_answered
    }
}
