//! A turn: its updates, then its end.

use std::fmt;

use acp_runtime_core::__role::from_json;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Session, Update, taking::Taking};
use crate::{
    Result,
    link::{Boxed, Link},
    schema::Method,
    values::{ContentBlock, PromptRequest, StopReason, methods},
};

/// A running turn. Take its updates with [`next`](Self::next), or wait for its end with [`finish`](Self::finish). If
/// you drop the turn, it is cancelled.
///
/// The agent waits while nobody takes the turn's updates; [`unread_soft_bytes`](crate::ConnectOptions) bounds the
/// updates that may wait.
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
    /// The whole answer: the agent's word for the reason, `usage`, `_meta`, and all other members.
    pub raw: Box<RawValue>,
}

impl Turn {
    pub(super) fn begin(session: Session, prompt: Vec<ContentBlock>) -> Boxed<'static, Result<Self>> {
        Box::pin(async move {
            let request = PromptRequest::new(session.id().clone(), prompt);
            let silence = session.link().options().turn_silence;
            let taking = Taking::begin(session, methods::Prompt::NAME, &request, silence).await?;
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
        if update.is_none()
            && let Some(Ok(raw)) = &self.taking.ended
            && self.end.is_none()
        {
            self.end = Some(TurnEnd::read(self.session().link(), raw)?);
        }
        Ok(update)
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
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase", expecting = "an object with `stopReason`")]
        struct Reason<'a> {
            #[serde(borrow)]
            stop_reason: &'a RawValue,
        }
        let unreadable = |error| link.unreadable(methods::Prompt::NAME, &error);
        let Reason { stop_reason } = from_json(raw.get()).map_err(unreadable)?;
        Ok(Self { stop_reason: from_json(stop_reason.get()).ok(), raw: raw.to_owned() })
    }
}
