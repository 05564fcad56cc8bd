//! Records what a session says, for an agent that keeps its sessions by itself.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use super::{
    handle::{Inner, SessionHandle},
    journal::Joined,
    recorder::Hears,
    update::HasOutput,
};
use crate::{
    store::Entry,
    values::{ContentBlock, MessageId, SessionUpdate},
};

impl<C: Send + Sync + 'static> SessionHandle<C> {
    /// Records what the session says from now on, joined to entries. An agent that keeps its sessions by itself stores
    /// these entries, and [`Replay::entries`](super::Replay::entries) shows them again. So the agent needs no second
    /// book of what it has said.
    ///
    /// The record has messages, thoughts, tool calls, plans and compactions. Options, modes, commands, usage, titles and
    /// notices are no part of the conversation. The user's prompts are added with [`Recording::prompt`].
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use acp_runtime::{prelude::*, store::Entry};
    ///
    /// #[acp_agent]
    /// #[derive(Clone)]
    /// struct Greeter {
    ///     said: Arc<Mutex<Vec<Entry>>>,
    /// }
    ///
    /// #[acp_agent]
    /// impl Greeter {
    ///     async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
    ///         let recording = turn.record();
    ///         recording.prompt(&request.prompt);
    ///         for piece in ["Good ", "morning."] {
    ///             turn.message(piece).await?;
    ///         }
    ///         // Two entries: the prompt and the message.
    ///         self.said.lock().expect("no handler panics with it").extend(recording.take());
    ///         Ok(StopReason::EndTurn)
    ///     }
    ///
    ///     async fn load_session(&self, replay: Replay) -> Result<()> {
    ///         let said = self.said.lock().expect("no handler panics with it").clone();
    ///         replay.entries(said).await
    ///     }
    /// }
    /// # let _ = Greeter { said: Arc::default() }.serve_stdio();
    /// ```
    pub fn record(&self) -> Recording {
        self.record_behind(0)
    }

    /// As [`record`](Self::record), with entries whose places begin behind `last`: the place of the last entry that is
    /// stored already, such as [`Lease::last_seq`](crate::store::Lease::last_seq).
    pub fn record_behind(&self, last: u64) -> Recording {
        let joined = Arc::new(Mutex::new(Joined::behind(last)));
        let listener: Weak<Mutex<Joined>> = Arc::downgrade(&joined);
        self.output().tell(&(listener as Weak<dyn Hears>));
        let session: Weak<Inner<C>> = Arc::downgrade(&self.0);
        Recording { session, joined, last: Mutex::default() }
    }
}

/// A record of what a session says. It ends when this value is dropped.
///
/// A recording keeps nothing of its session. If the session is over, nothing more is added.
pub struct Recording {
    session: Weak<dyn HasOutput>,
    joined: Arc<Mutex<Joined>>,
    /// The message of the last prompt.
    last: Mutex<Option<MessageId>>,
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording").field("entries", &lock(&self.joined).entries().len()).finish_non_exhaustive()
    }
}

impl Recording {
    /// Adds what the user has said, as one message: [`PromptRequest::prompt`](crate::values::PromptRequest::prompt). During a turn,
    /// the first prompt is the one that the turn answers, and has its [id](super::Turn::message_id).
    pub fn prompt(&self, prompt: &[ContentBlock]) {
        let Some(session) = self.session.upgrade() else { return };
        let mut last = lock(&self.last);
        *last = session.output().user_message_id(last.as_ref());
        lock(&self.joined).add_prompt(prompt, last.clone());
    }

    /// Adds what the user has said, as the message with this id: for a prompt that the turn has taken in, with
    /// [`TurnHandle::message_id`](super::TurnHandle::message_id).
    pub fn prompt_with_id(&self, id: impl Into<MessageId>, prompt: &[ContentBlock]) {
        let Some(session) = self.session.upgrade() else { return };
        session.output().in_order(&mut || session.output().pause_message());
        lock(&self.joined).add_prompt(prompt, Some(id.into()));
    }

    /// The entries so far. Later updates can still change them: a tool call has its result, and a message goes on.
    pub fn entries(&self) -> Vec<Entry> {
        lock(&self.joined).entries().to_vec()
    }

    /// Takes the entries so far. Later updates make new entries behind them. If a message or a tool call goes on, the new
    /// entry continues it in a replay.
    pub fn take(&self) -> Vec<Entry> {
        lock(&self.joined).take()
    }
}

fn lock<T>(joined: &Mutex<T>) -> MutexGuard<'_, T> {
    joined.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hears for Mutex<Joined> {
    fn said(&self, update: &SessionUpdate, message_id: Option<MessageId>) {
        lock(self).add(update, message_id);
    }
}
