//! A turn whose reader also answers the agent's questions: its updates and its questions, in one order.

use std::fmt;

use super::{Session, Turn, TurnEnd, taking::Taken};
use crate::{Result, inbox::question::TurnEvent, update::Update};

/// A running turn whose questions come among its updates, in the order in which the agent sent them. Begin one with
/// [`Session::prompt_events`]. If you drop it, the turn is cancelled.
///
/// While the turn runs, the agent's questions come here: requests for permission, and elicitations if the client
/// advertised them. The client's handlers of them are not called. If a question is dropped without an answer, a permission is
/// answered `cancelled`, and so is an elicitation.
///
/// The loop may wait for the user before it goes on, because a question comes after every update before it:
///
/// ```no_run
/// # use acp_client::{Result, Session, TurnEvent};
/// # async fn run(session: Session) -> Result<()> {
/// let mut turn = session.prompt_events("Fix the failing test.").await?;
/// while let Some(event) = turn.next().await? {
///     match event {
///         TurnEvent::Update(update) => print!("{}", update.text().unwrap_or_default()),
///         TurnEvent::Permission(question) => {
///             println!("{:?}?", question.request().tool_call.title);
///             let first = question.request().options[0].option_id.clone();
///             question.select(first);
///         }
///         _ => {}
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "a turn that is dropped is cancelled"]
pub struct TurnEvents {
    pub(super) turn: Turn,
}

impl TurnEvents {
    /// The next update or question; `None` when the turn has ended. If the future is dropped before it is ready, nothing is
    /// lost. A question that the agent has withdrawn meanwhile is left out.
    ///
    /// # Errors
    ///
    /// As those of [`Turn::next`].
    pub async fn next(&mut self) -> Result<Option<TurnEvent>> {
        Ok(self.turn.next_item().await?.map(|item| match item {
            Taken::Update(params) => TurnEvent::Update(Update::read(&params)),
            Taken::Question(question) => question.event(),
        }))
    }

    /// The turn's session.
    pub fn session(&self) -> &Session {
        self.turn.session()
    }

    /// The end of the turn, once [`next`](Self::next) has returned `None`.
    pub fn end(&self) -> Option<&TurnEnd> {
        self.turn.end()
    }

    /// Asks the agent to stop, as [`Turn::cancel`] does. Its open questions are answered `cancelled`.
    pub fn cancel(&mut self) {
        self.turn.cancel();
    }
}

impl fmt::Debug for TurnEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.turn.fmt(f)
    }
}
