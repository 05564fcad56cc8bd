//! A prompt that is sent although a turn runs.

use std::{
    fmt,
    sync::{Arc, atomic::Ordering},
};

use acp_peer::rpc::Then;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::{Prompt, Session, TurnEnd};
use crate::{
    Result,
    inbox::entry::Entry,
    schema::Method,
    values::{PromptRequest, methods},
};

/// A prompt that was sent without a wait for the end of the running turn. If you drop it, its request is withdrawn.
///
/// ```no_run
/// # async fn run(session: acp_client::Session) -> acp_client::Result<()> {
/// let mut turn = session.prompt("Fix the tests.").await?;
/// let more = session.prompt_beside("Only those of the parser.").await?;
/// while let Some(update) = turn.next().await? {
///     // ..
/// }
/// println!("{:?}", more.end().await?.stop_reason);
/// # Ok(())
/// # }
/// ```
#[must_use = "a prompt that is dropped is withdrawn"]
pub struct PromptBeside(Beside);

/// A request that was sent beside a turn. Its drop withdraws it.
pub(super) struct Beside {
    session: Session,
    method: &'static str,
    id: u64,
    answer: oneshot::Receiver<std::result::Result<Box<RawValue>, acp_peer::Error>>,
}

impl Session {
    /// Sends a prompt at once, whether or not a turn runs. The protocol asks a client to wait for the end of the turn, as
    /// [`prompt`](Self::prompt) does. Use this function for an agent of which you know that it lets prompts wait, or takes them
    /// into the running turn. Other agents refuse the prompt. On version 2 of the protocol, every agent does one of the two.
    ///
    /// The messages of the agent do not say which prompt they belong to. Updates go to the turn of [`prompt`](Self::prompt)
    /// while it is open; behind its end, they are [updates outside of turns](Self::next_update). [`cancel`](Self::cancel)
    /// cancels the session's turn and the prompts beside it.
    ///
    /// # Errors
    ///
    /// The prompt has content that the agent did not advertise, this client has closed or deleted the session, the agent is gone, or
    /// it does not read its input.
    pub async fn prompt_beside(&self, prompt: impl Into<Prompt>) -> Result<PromptBeside> {
        let prompt = prompt.into().0;
        self.link().gates()?.prompt(&prompt)?;
        let request = PromptRequest::new(self.id().clone(), prompt);
        Ok(PromptBeside(Beside::send(self, methods::Prompt::NAME, &request, |_| {}).await?))
    }
}

impl PromptBeside {
    /// Waits for the answer: the end of the prompt's own turn, or of the turn that took it in.
    ///
    /// # Errors
    ///
    /// The agent refused the prompt, or is gone.
    pub async fn end(mut self) -> Result<TurnEnd> {
        let answer = self.0.answer().await?;
        TurnEnd::read(self.0.session.link(), &answer)
    }

    /// The session of the prompt.
    pub fn session(&self) -> &Session {
        &self.0.session
    }
}

impl fmt::Debug for PromptBeside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PromptBeside").field("session", self.session().id()).finish_non_exhaustive()
    }
}

impl Beside {
    /// Sends the request when there is room for it. The reader gives the answer to `keep` before it reads any later message.
    pub(super) async fn send(
        session: &Session,
        method: &'static str,
        request: &PromptRequest,
        keep: impl FnOnce(&RawValue) + Send + 'static,
    ) -> Result<Self> {
        session.check_open(method)?;
        let link = session.link();
        link.room(method).await?;
        let (sender, answer) = oneshot::channel();
        let open = Open::begin(session.entry().clone());
        let then: Then = Box::new(move |answered| {
            if let Ok(answer) = &answered {
                keep(answer);
            }
            drop(open);
            let _ = sender.send(answered.map(ToOwned::to_owned));
        });
        let id = link.line.request(method, request, then);
        Ok(Self { session: session.clone(), method, id, answer })
    }

    /// Waits for the answer.
    pub(super) async fn answer(&mut self) -> Result<Box<RawValue>> {
        let link = self.session.link();
        let _awaiting = link.gauge.await_answer();
        match (&mut self.answer).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(link.refused(self.method, error)),
            Err(_) if self.session.entry().is_forgotten() => Err(link.session_over(self.method)),
            Err(_) => Err(link.ended(self.method).await),
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.session.link().line.give_up(self.id);
    }
}

/// A request beside a turn, until it is answered.
struct Open(Arc<Entry>);

impl Open {
    fn begin(entry: Arc<Entry>) -> Self {
        entry.beside.fetch_add(1, Ordering::Relaxed);
        Self(entry)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.beside.fetch_sub(1, Ordering::Relaxed);
    }
}
