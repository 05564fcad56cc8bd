//! A session of an agent under test.

use std::{ops::Deref, time::Duration};

use tokio::time::sleep;

use super::{EndedTurn, Recorder, patience::Caller};
use crate::{Prompt, Session, values::AvailableCommand};

/// A session of an agent under test. It also has all functions of [`Session`].
#[derive(Clone, Debug)]
pub struct TestSession {
    session: Session,
    /// The conversation, for errors.
    recorder: Option<Recorder>,
}

impl Deref for TestSession {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl From<Session> for TestSession {
    fn from(session: Session) -> Self {
        Self { session, recorder: None }
    }
}

impl TestSession {
    pub(super) fn of(session: Session, recorder: Recorder) -> Self {
        Self { session, recorder: Some(recorder) }
    }

    /// The slash commands that the agent offers, as [`Session::commands`]. Waits until the agent has announced some.
    ///
    /// # Panics
    ///
    /// Panics if the agent announces none in time.
    #[track_caller]
    pub fn commands(&self) -> impl Future<Output = Vec<AvailableCommand>> + Send {
        let caller = Caller::here();
        async move {
            let announced = async {
                loop {
                    match self.reported_commands() {
                        Some(commands) => return commands,
                        None => sleep(Duration::from_millis(2)).await,
                    }
                }
            };
            caller.wait("the agent did not announce commands", self.recorder.as_ref(), announced).await
        }
    }

    /// Runs a whole turn.
    ///
    /// # Panics
    ///
    /// Panics if the turn fails. To test a failure, or the middle of a turn, use [`prompt`](Session::prompt).
    #[track_caller]
    pub fn turn(&self, prompt: impl Into<Prompt>) -> impl Future<Output = EndedTurn> + Send {
        let (caller, prompt) = (Caller::here(), prompt.into());
        async move {
            let turn = async { EndedTurn::of(self.prompt(prompt).await?).await };
            let ended = caller.wait("the agent did not end the turn", self.recorder.as_ref(), turn).await;
            ended.unwrap_or_else(|error: crate::Error| caller.fail(&format!("the turn failed: {error}")))
        }
    }
}
