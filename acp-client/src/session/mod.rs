//! A session of an agent: its options, its turns, and its reports outside of turns.

#[cfg(feature = "v2")]
mod alone;
mod beside;
mod commands;
mod events;
mod loading;
mod prompt;
mod steer;
mod taking;
mod turn;

use std::sync::{Arc, atomic::Ordering};

pub use self::{
    beside::PromptBeside,
    events::TurnEvents,
    loading::Loading,
    prompt::Prompt,
    steer::Steered,
    turn::{Turn, TurnEnd},
};
use crate::{
    Error, Result,
    inbox::{entry::Entry, question},
    link::{Boxed, Link},
    options::{ConfigOption, Options, listed},
    schema::Method,
    update::Update,
    values::{
        CancelNotification, CloseSessionRequest, DeleteSessionRequest, SessionConfigOptionValue, SessionId,
        SessionModeState, SetSessionConfigOptionRequest, SetSessionModeRequest, methods,
    },
};

/// A session of an agent. Clones are the same session.
///
/// ```no_run
/// # async fn run(connection: acp_client::Connection) -> acp_client::Result<()> {
/// let session = connection.new_session("/home/me/project").await?;
/// if session.options().get("model").is_some() {
///     session.set_option("model", "fast").await?;
/// }
/// let mut turn = session.prompt("What is in this folder?").await?;
/// while let Some(text) = turn.text().await? {
///     print!("{text}");
/// }
/// # Ok(())
/// # }
/// ```
///
/// See [Session setup](https://agentclientprotocol.com/protocol/v1/session-setup).
#[derive(Clone)]
pub struct Session(Arc<Inner>);

struct Inner {
    link: Arc<Link>,
    entry: Arc<Entry>,
}

impl Session {
    pub(crate) fn new(link: Arc<Link>, entry: Arc<Entry>) -> Self {
        Self(Arc::new(Inner { link, entry }))
    }

    pub(crate) fn link(&self) -> &Arc<Link> {
        &self.0.link
    }

    pub(crate) fn entry(&self) -> &Arc<Entry> {
        &self.0.entry
    }

    /// Refuses a request about a session that this client has closed or deleted: the agent is not asked.
    fn check_open(&self, method: &str) -> Result<()> {
        if self.0.entry.is_forgotten() { Err(self.0.link.session_over(method)) } else { Ok(()) }
    }

    /// The session's id.
    pub fn id(&self) -> &SessionId {
        &self.0.entry.id
    }

    /// The session's options, by the agent's last report.
    pub fn options(&self) -> Options {
        self.0.entry.settings().options.clone()
    }

    /// The session's modes, by the agent's last report. An agent with options also shows its modes as one of the
    /// options: then use the option.
    pub fn modes(&self) -> Option<SessionModeState> {
        self.0.entry.settings().modes.clone()
    }

    /// Sets an option to a boolean or to the id of a value. Returns all options after the change, because the agent may
    /// have changed others too.
    ///
    /// # Errors
    ///
    /// The session has no such option, the option's kind is unknown, the option lists no such value, or this client has closed or
    /// deleted the session: the agent is not asked in these cases. Or the agent refused, is gone, or did not answer in time.
    ///
    /// See [Session config options](https://agentclientprotocol.com/protocol/v1/session-config-options).
    pub async fn set_option(&self, id: &str, value: impl Into<SessionConfigOptionValue>) -> Result<Options> {
        self.changed(id, value.into()).await
    }

    fn changed<'s>(&'s self, id: &'s str, value: SessionConfigOptionValue) -> Boxed<'s, Result<Options>> {
        Box::pin(async move {
            self.check_open(methods::SetSessionConfigOption::NAME)?;
            {
                let settings = self.0.entry.settings();
                let Some(option) = settings.options.get(id) else {
                    let ids: Vec<_> = settings.options.iter().map(ConfigOption::id).collect();
                    return Err(Error::invalid(format!("the session has no option `{id}`; it has {}", listed(&ids))));
                };
                if let Some(why) = option.refuses(&value) {
                    return Err(Error::invalid(why));
                }
            }
            let request = SetSessionConfigOptionRequest::new(self.id().clone(), id, value);
            let entry = self.0.entry.clone();
            // The reader stores the answer in order, so the answer does not overwrite a later update.
            let keep = Box::new(move |answer: &_| entry.settings().set(answer));
            self.0.link.request_then(methods::SetSessionConfigOption::NAME, &request, Some(keep)).await?;
            Ok(self.options())
        })
    }

    /// Sets the mode.
    ///
    /// # Errors
    ///
    /// The session has no such mode, or this client has closed or deleted the session: the agent is not asked in these cases. Or
    /// the agent refused, is gone, or did not answer in time.
    ///
    /// See [Session modes](https://agentclientprotocol.com/protocol/v1/session-modes).
    pub async fn set_mode(&self, id: &str) -> Result<()> {
        self.check_open(methods::SetSessionMode::NAME)?;
        {
            let settings = self.0.entry.settings();
            let modes = settings.modes.iter().flat_map(|modes| &modes.available_modes);
            let ids: Vec<&str> = modes.map(|mode| mode.id.as_ref()).collect();
            if !ids.contains(&id) {
                return Err(Error::invalid(format!("the session has no mode `{id}`; it has {}", listed(&ids))));
            }
        }
        let request = SetSessionModeRequest::new(self.id().clone(), id);
        let (entry, mode) = (self.0.entry.clone(), request.mode_id.clone());
        let keep = Box::new(move |_: &_| entry.settings().mode(mode));
        self.0.link.request_then(methods::SetSessionMode::NAME, &request, Some(keep)).await?;
        Ok(())
    }

    /// Begins a turn after the one before has ended. A cancelled or dropped turn ends with the agent's answer, or,
    /// without an answer, after [`cancel_timeout`](crate::ConnectOptions).
    ///
    /// The wait for a running turn has no bound of its own, because only the holder of that turn knows how long it may
    /// take. A task that holds a turn of this session, and neither takes its updates nor drops it, waits here for ever.
    ///
    /// # Errors
    ///
    /// The prompt has content that the agent did not advertise, the session was closed or deleted, or the agent is gone or
    /// does not read its input.
    ///
    /// See [Prompt turn](https://agentclientprotocol.com/protocol/v1/prompt-turn).
    pub async fn prompt(&self, prompt: impl Into<Prompt>) -> Result<Turn> {
        let prompt = prompt.into().0;
        self.0.link.gates()?.prompt(&prompt)?;
        Turn::begin(self.clone(), prompt, None).await
    }

    /// As [`prompt`](Self::prompt), with the agent's questions among the updates of the turn: one loop shows the updates and
    /// asks the user.
    ///
    /// # Errors
    ///
    /// As those of [`prompt`](Self::prompt).
    pub async fn prompt_events(&self, prompt: impl Into<Prompt>) -> Result<TurnEvents> {
        let prompt = prompt.into().0;
        self.0.link.gates()?.prompt(&prompt)?;
        let turn = Turn::begin(self.clone(), prompt, Some(question::read)).await?;
        Ok(TurnEvents { turn })
    }

    /// Cancels the running turn, also if another task holds it, and the [prompts beside it](Self::prompt_beside); see
    /// [`Turn::cancel`]. Also cancels a turn that [`steer_or_begin`](Self::steer_or_begin) has begun, if it still runs. Withdraws the
    /// request of a running load. Returns false, and sends nothing, if there is none of them; [`cancel_all`](Self::cancel_all) cancels
    /// what others have begun.
    pub fn cancel(&self) -> bool {
        let Some(cancel) = self.0.entry.cancellation() else {
            let entry = &self.0.entry;
            let is_beside = entry.steered.swap(false, Ordering::Relaxed) || entry.beside.load(Ordering::Relaxed) > 0;
            if is_beside {
                self.link().line.notify(methods::Cancel::NAME, &CancelNotification::new(self.id().clone()));
            }
            return is_beside;
        };
        cancel.cancel(&self.link().line, self.id());
        true
    }

    /// As [`cancel`](Self::cancel), also if this client has begun nothing: the turn of another client that has the session open, or
    /// work that the agent has begun by itself. The agent ignores it if nothing runs.
    ///
    /// See [Cancellation](https://agentclientprotocol.com/protocol/v1/prompt-turn#cancellation).
    ///
    /// ```
    /// /// The button "Stop" beside a session that is open in two windows.
    /// fn stop(session: &acp_client::Session) {
    ///     session.cancel_all();
    /// }
    /// ```
    pub fn cancel_all(&self) {
        if !self.cancel() && !self.0.entry.is_forgotten() {
            self.link().line.notify(methods::Cancel::NAME, &CancelNotification::new(self.id().clone()));
        }
    }

    /// The next update outside of turns: the commands of a new session, a changed option, a title. `None` when the
    /// session or the connection is over.
    ///
    /// If nobody takes the updates, the newest 256 KiB are kept; [`missed_updates`](Self::missed_updates) counts the
    /// dropped ones. Options and modes are always kept up to date. If the future is dropped before it is ready, no
    /// update is lost.
    ///
    /// A question of the agent outside of turns waits for a loop over this function as one in a turn waits for
    /// [the reader of the turn](Turn#questions-to-the-user).
    pub async fn next_update(&self) -> Option<Update> {
        self.0.entry.outside().await.map(|update| Update::read(&update))
    }

    /// As [`next_update`](Self::next_update), but does not wait: `None` if no update has arrived.
    pub fn try_update(&self) -> Option<Update> {
        self.0.entry.try_outside().map(|update| Update::read(&update))
    }

    /// The number of updates outside of turns that were dropped because nobody took them.
    pub fn missed_updates(&self) -> u64 {
        self.0.entry.missed()
    }

    /// Ends the session. The agent cancels the session's turn, and keeps the data that it needs to load the session again.
    /// An open turn that was not answered before ends with an error.
    ///
    /// # Errors
    ///
    /// The agent does not offer this method, refused, is gone, or did not answer in time. The session then stays open. If this
    /// client has closed or deleted it before, the agent is not asked.
    ///
    /// See [Session setup](https://agentclientprotocol.com/protocol/v1/session-setup#closing-active-sessions).
    pub async fn close(&self) -> Result<()> {
        self.check_open(methods::CloseSession::NAME)?;
        let request = CloseSessionRequest::new(self.id().clone());
        self.0.link.call::<methods::CloseSession>(&request).await?;
        self.0.link.forget(self.id());
        Ok(())
    }

    /// Ends the session, and deletes its stored data. A closed session can be deleted, too.
    ///
    /// # Errors
    ///
    /// As those of [`close`](Self::close).
    pub async fn delete(&self) -> Result<()> {
        if self.0.entry.deleted.load(Ordering::Relaxed) {
            return Err(self.0.link.session_over(methods::DeleteSession::NAME));
        }
        let request = DeleteSessionRequest::new(self.id().clone());
        self.0.link.call::<methods::DeleteSession>(&request).await?;
        self.0.entry.deleted.store(true, Ordering::Relaxed);
        self.0.link.forget(self.id());
        Ok(())
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("id", self.id()).finish_non_exhaustive()
    }
}
