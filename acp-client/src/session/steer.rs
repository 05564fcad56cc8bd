//! What the user says to a turn that runs: `_session/steering`, or in version 2 a prompt.

use std::sync::atomic::Ordering;

use serde_json::{Value, json, value::RawValue};

use super::{Prompt, Session, beside::Beside};
use crate::{
    Error, ErrorKind, Result,
    dialect::messages::{self, STEERING},
    values::{Meta, PromptRequest},
};

/// What the agent did with a message of the user to a turn that runs; see [`Session::steer`].
///
/// ```no_run
/// use acp_client::Steered;
///
/// # async fn run(session: acp_client::Session) -> acp_client::Result<()> {
/// if let Steered::PromptRequired = session.steer("Only the parser.").await? {
///     let turn = session.prompt("Only the parser.").await?;
///     // ..
/// #   drop(turn);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Steered {
    /// The running turn has taken it in. What follows from it is among the updates of this turn.
    Injected,
    /// It has begun a turn of its own. Its updates are [updates outside of turns](Session::next_update). In version 2 of the protocol,
    /// the state `idle` among them is its end; in version 1, no message tells it.
    StartedNewTurn,
    /// No turn ran, and the agent has dropped it: send it as a [prompt](Session::prompt).
    PromptRequired,
}

impl Session {
    /// Whether the agent offers [`steer`](Self::steer): `_meta.steering.supported` in its answer to `initialize`. In version 2 of the
    /// protocol, the draft `session.steering` of its capabilities says so, too.
    pub fn can_steer(&self) -> bool {
        #[cfg(feature = "v2")]
        if self.link().line.dialect().steers_by_prompts() {
            return true;
        }
        let meta = self.link().agent().ok().and_then(|agent| agent.meta.as_ref());
        meta.and_then(|meta| meta.get("steering")?.get("supported")).and_then(Value::as_bool) == Some(true)
    }

    /// Tells the running turn something that the user adds while it works. The updates that follow from it belong to this turn.
    ///
    /// If no turn runs any more, the answer is [`Steered::PromptRequired`], and the text is for the next
    /// [`prompt`](Self::prompt). An agent that does not know this wish of the client may begin a turn instead.
    ///
    /// The wait has no bound: an agent may first decide, or wait for the end of its turn. If the future is dropped, the request is
    /// withdrawn; the turn may have taken the message in by then. [`cancel`](Self::cancel) also reaches the message while it waits: it
    /// is then an error with the code -32800.
    ///
    /// The method is `_session/steering`, which some agents have agreed on; the protocol does not have it. An agent of version 2 may
    /// advertise the draft `session.steering`: then it is a plain prompt, which is sent only while the session works.
    ///
    /// ```no_run
    /// # async fn run(session: acp_client::Session) -> acp_client::Result<()> {
    /// let mut turn = session.prompt("Fix the tests.").await?;
    /// if session.can_steer() {
    ///     println!("{:?}", session.steer("Only those of the parser.").await?);
    /// }
    /// # drop(turn);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The agent does not offer it, or did not advertise the content: the agent is not asked in these cases. Or the agent refused, or
    /// is gone.
    pub async fn steer(&self, prompt: impl Into<Prompt>) -> Result<Steered> {
        self.steering(prompt.into(), true).await
    }

    /// As [`steer`](Self::steer), but without a running turn it begins one. In version 1 of the protocol, no message tells the end
    /// of this turn, so most clients want `steer`.
    ///
    /// ```no_run
    /// # async fn run(session: acp_client::Session) -> acp_client::Result<()> {
    /// println!("{:?}", session.steer_or_begin("Only those of the parser.").await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As those of [`steer`](Self::steer).
    pub async fn steer_or_begin(&self, prompt: impl Into<Prompt>) -> Result<Steered> {
        self.steering(prompt.into(), false).await
    }

    async fn steering(&self, Prompt(prompt): Prompt, only_joins: bool) -> Result<Steered> {
        let link = self.link();
        let gates = link.gates()?;
        if !self.can_steer() {
            let (what, capability) = (format!("`{STEERING}`"), "_meta.steering.supported");
            return Err(Error::new(ErrorKind::NotOffered { what, capability }));
        }
        gates.prompt(&prompt)?;
        // A prompt would begin a turn.
        #[cfg(feature = "v2")]
        if only_joins && link.line.dialect().steers_by_prompts() && !link.line.dialect().is_working(self.id().as_str())
        {
            return Ok(Steered::PromptRequired);
        }
        let mut request = PromptRequest::new(self.id().clone(), prompt);
        if only_joins {
            let steering = json!({ "idleBehavior": "promptRequired" });
            request.meta = Some(Meta::from_iter([("steering".to_owned(), steering)]));
        }
        let entry = self.entry().clone();
        let begins = move |answer: &RawValue| {
            if matches!(messages::steered(answer), Ok(messages::Outcome::StartedNewTurn)) {
                entry.steered.store(true, Ordering::Relaxed);
            }
        };
        let mut sent = Beside::send(self, STEERING, &request, begins).await?;
        match messages::steered(&sent.answer().await?).map_err(|error| link.unreadable(STEERING, &error))? {
            messages::Outcome::Injected => Ok(Steered::Injected),
            messages::Outcome::StartedNewTurn => Ok(Steered::StartedNewTurn),
            messages::Outcome::PromptRequired => Ok(Steered::PromptRequired),
        }
    }
}
