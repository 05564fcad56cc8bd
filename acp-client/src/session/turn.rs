//! A turn: its updates, then its end.

use std::fmt;

use serde_json::value::RawValue;

use super::{
    Session,
    taking::{Taken, Taking},
};
use crate::{
    Result,
    dialect::messages,
    inbox::question::ReadQuestion,
    link::{Boxed, Link},
    schema::Method,
    update::Update,
    values::{ContentBlock, PromptRequest, StopReason, methods},
};

/// A running turn. Take its updates with [`next`](Self::next), or wait for its end with [`finish`](Self::finish). If
/// you drop the turn, it is cancelled.
///
/// ```no_run
/// # use acp_client::{Result, Session};
/// # async fn run(session: Session) -> Result<()> {
/// let mut turn = session.prompt("Fix the failing test.").await?;
/// while let Some(update) = turn.next().await? {
///     print!("{}", update.text().unwrap_or_default());
/// }
/// println!("{:?}", turn.finish().await?.stop_reason);
/// # Ok(())
/// # }
/// ```
///
/// The agent waits while nobody takes the turn's updates; [`unread_soft_bytes`](crate::ConnectOptions) bounds the
/// updates that may wait.
///
/// # Questions to the user
///
/// A question is a request for permission or an elicitation of the turn's session. Its handler begins when the updates
/// before the question are taken: the [handlers of updates](crate::handlers#updates) have ended, and the loop that reads
/// the turn has come back to [`next`](Self::next) after the last one that it got. So the user sees what the question is
/// about. The loop may `.await` between the calls.
///
/// Reading and asking do not wait for each other. The handler begins at once in these cases:
///
/// - Nobody reads the turn: the task that began it waits for something else before it calls `next`, or the turn was dropped,
///   or it has ended.
/// - The reader waits in `next`, and has taken all that has arrived.
/// - This client waits for the answer to another request on the connection, for example [`Session::set_option`]: the loop
///   may be the one that waits, and some agents do one thing after the other.
///
/// A reader that waits for the answer to a question does not come back. No event tells it from a reader that still shows an
/// update. So a reader or a handler that does not take the next update for one second counts as gone until it does, and
/// the question is asked. (The same holds for a turn that nobody reads, if the future that began it runs in `block_on` of a
/// runtime of several threads: such a runtime does not tell when that future waits.)
///
/// The client's other work for the agent (files, terminals, extensions) is not seen by the user as a question, so it never
/// waits for a reader. For a question outside of turns, [`Session::next_update`] counts as the reader. In
/// [`TurnEvents`](crate::TurnEvents), the questions stand among the updates, and one loop has both.
#[must_use = "a turn that is dropped is cancelled"]
pub struct Turn {
    taking: Taking,
    end: Option<TurnEnd>,
}

/// The end of a turn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TurnEnd {
    /// The reason; `None` if the protocol does not have the agent's reason. [`raw`](Self::raw) has the agent's word.
    ///
    /// After [`StopReason::Refusal`], the agent leaves this prompt and its answer out of its next prompt: show this to
    /// the user.
    pub stop_reason: Option<StopReason>,
    /// The whole answer: the agent's word for the reason, `usage`, `_meta`, and all other members. On version 2, the update of
    /// the session's state that ended the turn.
    pub raw: Box<RawValue>,
}

impl Turn {
    pub(super) fn begin(
        session: Session,
        prompt: Vec<ContentBlock>,
        takes_questions: Option<ReadQuestion>,
    ) -> Boxed<'static, Result<Self>> {
        Box::pin(async move {
            let request = PromptRequest::new(session.id().clone(), prompt);
            let silence = session.link().options().turn_silence;
            let taking = Taking::begin(session, methods::Prompt::NAME, &request, silence, takes_questions).await?;
            Ok(Self { taking, end: None })
        })
    }

    /// The turn's session.
    pub fn session(&self) -> &Session {
        &self.taking.session
    }

    /// The next update; `None` when the turn has ended. If the future is dropped before it is ready, no update is lost.
    ///
    /// # Errors
    ///
    /// The agent refused the prompt, is gone, or did not answer a cancelled turn in time. Later calls return the same error.
    pub async fn next(&mut self) -> Result<Option<Update>> {
        Ok(self.next_raw().await?.map(|params| Update::read(&params)))
    }

    /// As [`next`](Self::next), but undecoded: the JSON text of the params of a `session/update`.
    ///
    /// # Errors
    ///
    /// As those of [`next`](Self::next).
    pub async fn next_raw(&mut self) -> Result<Option<Box<str>>> {
        let update = self.taking.next().await?;
        self.note_end(update.is_none())?;
        Ok(update)
    }

    /// As [`next_raw`](Self::next_raw), with the questions for the holder.
    pub(super) async fn next_item(&mut self) -> Result<Option<Taken>> {
        let item = self.taking.next_item().await?;
        self.note_end(item.is_none())?;
        Ok(item)
    }

    fn note_end(&mut self, has_ended: bool) -> Result<()> {
        if has_ended
            && let Some(Ok(raw)) = &self.taking.ended
            && self.end.is_none()
        {
            self.end = Some(TurnEnd::read(self.session().link(), raw)?);
        }
        Ok(())
    }

    /// The next text of the agent's answer; skips other updates. `None` when the turn has ended.
    ///
    /// # Errors
    ///
    /// As those of [`next`](Self::next).
    pub async fn text(&mut self) -> Result<Option<String>> {
        while let Some(update) = self.next().await? {
            if let Some(text) = update.text() {
                return Ok(Some(text.to_owned()));
            }
        }
        Ok(None)
    }

    /// Waits for the end; skips the updates before it.
    ///
    /// # Errors
    ///
    /// As those of [`next`](Self::next).
    pub async fn finish(mut self) -> Result<TurnEnd> {
        let answer = self.taking.finish().await?;
        TurnEnd::read(self.session().link(), &answer)
    }

    /// The end of the turn, once [`next`](Self::next) has returned `None`.
    pub fn end(&self) -> Option<&TurnEnd> {
        self.end.as_ref()
    }

    /// Asks the agent to stop. Updates still come until the agent has stopped. Then the turn ends with a stop reason,
    /// which is [`StopReason::Cancelled`] if the agent follows the protocol. An open request for permission is answered
    /// `cancelled`.
    ///
    /// Show the turn's unfinished tool calls as cancelled at once; a late update may still say how one of them ended.
    ///
    /// See [Cancellation](https://agentclientprotocol.com/protocol/v1/prompt-turn#cancellation).
    pub fn cancel(&mut self) {
        self.taking.cancel();
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("session", self.session().id()).field("end", &self.end).finish_non_exhaustive()
    }
}

impl TurnEnd {
    pub(super) fn read(link: &Link, raw: &RawValue) -> Result<Self> {
        let stop_reason = messages::stop_reason(raw);
        let stop_reason = stop_reason.map_err(|error| link.unreadable(methods::Prompt::NAME, &error))?;
        Ok(Self { stop_reason, raw: raw.to_owned() })
    }
}
