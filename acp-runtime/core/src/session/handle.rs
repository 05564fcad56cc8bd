//! A session for its agent: the options, and the updates that the agent may send at any time.

use std::{fmt, path::PathBuf, pin::Pin, sync::Arc};

use serde_json::value::RawValue;
use tracing::Instrument;

use super::{
    additions::Additions,
    cwd::WorkingDirectories,
    extras::Extras,
    history::History,
    update::{HasOutput, SessionOutput, Updates},
};
use crate::{
    TARGET,
    client::line::Line,
    config::{
        ConfigOptions, OptionKey, OptionValue, TypedKey, Watch,
        hooks::Hooked,
        mode,
        order::Turn,
        publish::{self, ClientView, Publish},
        request::SetOption,
        shown::FullState,
        state::ConfigState,
        table::table,
        transaction::Keeping,
    },
    dialect::{Opened, Opening},
    rpc::CancellationToken,
    values::{ContentBlock, ContentChunk, CurrentModeUpdate, Plan, PlanEntry, SessionId, SessionUpdate},
    wire::{Error, Result},
};

/// An active session. It is cheap to clone, and you can use it outside of a turn.
///
/// ```
/// use acp_runtime::prelude::*;
///
/// # #[derive(ConfigOptions, Clone)]
/// # struct Config { #[config_option(default = false)] brave: bool }
/// async fn finish(session: SessionHandle<Config>) -> Result<()> {
///     session.update_config(|config| config.brave = false).await?;
///     session.message("All done.").await
/// }
/// ```
pub struct SessionHandle<C>(pub(super) Arc<Inner<C>>);

pub(super) struct Inner<C> {
    output: SessionOutput,
    config: ConfigState<C>,
}

impl<C: Send + Sync> HasOutput for Inner<C> {
    fn output(&self) -> &SessionOutput {
        &self.output
    }
}

impl<C> Clone for SessionHandle<C> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<C> fmt::Debug for SessionHandle<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionHandle").field("id", self.0.output.id()).finish_non_exhaustive()
    }
}

// Updates need no options, so there is no bound here. If a type has no options, the compiler reports this where the
// agent names the type. With a bound, it would report it again at each call.
impl<C> SessionHandle<C> {
    /// The session's id.
    pub fn id(&self) -> &SessionId {
        self.0.output.id()
    }

    /// The directory in which the session works now, an absolute path: the `cwd` of the call that has opened it last. A load or
    /// a resume may name another one than the call before.
    ///
    /// See [Working directory](https://agentclientprotocol.com/protocol/v1/session-setup#working-directory).
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn read<C>(turn: &Turn<C>, name: &str) -> Result<String> {
    ///     turn.client().read_text_file(turn.cwd().join(name)).await
    /// }
    /// ```
    pub fn cwd(&self) -> PathBuf {
        self.0.output.cwd()
    }

    /// The directories that the session has beside its [`cwd`](Self::cwd), as absolute paths. An agent without the
    /// capability `additional_directories` has none. A call that opens the session again replaces them all.
    ///
    /// See [Additional workspace roots](https://agentclientprotocol.com/protocol/v1/session-setup#additional-workspace-roots).
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// fn is_inside<C>(session: &SessionHandle<C>, path: &std::path::Path) -> bool {
    ///     path.starts_with(session.cwd()) || session.additional_directories().iter().any(|root| path.starts_with(root))
    /// }
    /// ```
    pub fn additional_directories(&self) -> Vec<PathBuf> {
        self.0.output.additional_directories()
    }

    /// Sends a piece of the agent's answer: text, or any [`ContentBlock`].
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone. A client that reads slowly causes no error:
    /// this function waits.
    pub async fn message(&self, content: impl Into<ContentBlock>) -> Result<()> {
        self.update(SessionUpdate::AgentMessageChunk(ContentChunk::new(content.into()))).await
    }

    /// Sends a piece of the agent's reasoning.
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn thought(&self, content: impl Into<ContentBlock>) -> Result<()> {
        self.update(SessionUpdate::AgentThoughtChunk(ContentChunk::new(content.into()))).await
    }

    /// Sends the whole plan. It replaces the previous plan. [`steps`](Self::steps) has a plan whose steps the agent ticks off.
    ///
    /// See [Agent plan](https://agentclientprotocol.com/protocol/v1/agent-plan).
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn plan(&self, entries: impl IntoIterator<Item = PlanEntry>) -> Result<()> {
        self.update(SessionUpdate::Plan(Plan::new(entries.into_iter().collect::<Vec<_>>()))).await
    }

    /// Sends any update. Use it for updates that have no method of their own.
    ///
    /// The runtime itself reports config options, modes and compactions. For these, use
    /// [`update_config`](Self::update_config) and [`compaction`](Self::compaction). If the agent declares commands, use
    /// [`commands`](Self::commands) for others.
    ///
    /// # Errors
    ///
    /// Only the runtime reports such updates, or the update needs a capability that the client did not advertise. Or
    /// the session is over, its stream is closed, or the client is gone.
    pub async fn update(&self, update: impl Into<SessionUpdate>) -> Result<()> {
        self.0.output.send_own(&mut update.into()).await
    }

    /// What was said in the session, from its begin: for the messages of a model. `None` if no store keeps the session: the agent
    /// declares no `store = ..`.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn length<C>(session: &SessionHandle<C>) -> Result<usize> {
    ///     match session.history() {
    ///         Some(mut history) => Ok(history.read_all().await?.len()),
    ///         None => Ok(0),
    ///     }
    /// }
    /// ```
    pub fn history(&self) -> Option<History> {
        Some(self.0.output.recorder()?.clone().history(self.id()))
    }

    pub(crate) fn output(&self) -> &SessionOutput {
        &self.0.output
    }
}

impl<C: Send + Sync + 'static> SessionHandle<C> {
    pub(crate) fn updates(&self) -> Updates {
        Updates::new(self.0.clone())
    }
}

impl<C: ConfigOptions> SessionHandle<C> {
    pub(crate) fn new(
        id: SessionId,
        config: C,
        hooks: Option<Box<Hooked<C>>>,
        line: Arc<Line>,
        directories: WorkingDirectories,
        extras: Option<Box<Extras>>,
    ) -> Result<Self> {
        let output = SessionOutput::new(id, line, directories, extras);
        Ok(Self(Arc::new(Inner { output, config: ConfigState::new(config, hooks)? })))
    }

    /// The current options. Later changes do not change this snapshot.
    pub fn config(&self) -> Arc<C> {
        self.0.config.current()
    }

    /// Changes options in one transaction. If a value has changed, the client gets the whole new state, once. Returns
    /// the result of `change`. For values that came from the client, take
    /// [`update_config_for_client`](Self::update_config_for_client).
    ///
    /// See [Session config options](https://agentclientprotocol.com/protocol/v1/session-config-options).
    ///
    /// # Errors
    ///
    /// `change` sets a value that its option does not offer, a hook refuses the change, or the session is over. Or a
    /// hook of the same session calls this function, which would wait for itself. After an error, no option has
    /// changed.
    pub async fn update_config<R>(&self, change: impl FnOnce(&mut C) -> R) -> Result<R> {
        self.change_config(change, None).await
    }

    /// As [`update_config`](Self::update_config). If `given_up` is set while the change waits for another change or for
    /// a hook, the change is dropped.
    pub(crate) async fn change_config<R>(
        &self,
        change: impl FnOnce(&mut C) -> R,
        given_up: Option<&CancellationToken>,
    ) -> Result<R> {
        let span = tracing::debug_span!(target: TARGET, "transaction", cause = "agent", session = %self.id());
        // A commit publishes without a wait for room. So an agent that changes options all the time must wait here.
        let transaction = async {
            self.0.output.room().await?;
            let result = self.0.config.update(change, &self.0.output, given_up).await;
            tracing::debug!(target: TARGET, code = result.as_ref().err().map(Error::code), "the transaction ended");
            if let (Some(recorder), Ok(_)) = (self.0.output.recorder(), &result) {
                recorder.clone().options_changed();
            }
            result
        };
        transaction.instrument(span).await
    }

    /// The current value of one option.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// # #[derive(ConfigOptions, Clone)]
    /// # struct Config { #[config_option(default = false)] brave: bool }
    /// async fn ask_again(session: &SessionHandle<Config>) -> Result<()> {
    ///     if session.get(Config::BRAVE) {
    ///         session.set(Config::BRAVE, false).await?;
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn get<K: OptionKey<C>>(&self, key: K) -> K::Value {
        key.get(&self.config()).copy()
    }

    /// Sets one option, as [`update_config`](Self::update_config) does. The value of a [`Choice`](crate::config::Choice) has a
    /// list of its own, which replaces the list of the option. To select a value of the list, write
    /// `update_config(|config| config.model.select("fast"))`.
    ///
    /// # Errors
    ///
    /// The option does not offer the value, or a hook refuses it. Then no option has changed.
    // Boxed: an `async fn` would give a second error, about its future, for a key of another config.
    pub fn set<K>(&self, key: K, value: K::Value) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>>
    where
        K: TypedKey + OptionKey<C>,
    {
        Box::pin(self.update_config(move |config| *key.get_mut(config) = value))
    }

    /// Follows one option. The client, a turn or a hook may change it.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// # #[derive(ConfigOptions, Clone)]
    /// # struct Config { #[config_option(default = false)] brave: bool }
    /// async fn tell(session: SessionHandle<Config>) -> Result<()> {
    ///     let mut brave = session.watch(Config::BRAVE);
    ///     while let Some(change) = brave.changed().await {
    ///         session.message(if change.new { "No more questions." } else { "I shall ask." }).await?;
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn watch<K: OptionKey<C>>(&self, key: K) -> Watch<C, K> {
        self.0.config.watch(key)
    }

    /// Called when the session is dropped. Its handles may live on.
    pub(crate) fn release(&self) {
        self.0.output.end();
        self.0.config.end();
        if let Some(hooked) = self.0.config.hooked() {
            hooked.release();
        }
    }

    /// Ends the session. After this, no update of the session is sent, and its options stay as they are.
    pub(crate) fn end(&self) {
        #[cfg(feature = "v2")]
        self.0.output.leave();
        #[cfg(not(feature = "v2"))]
        self.0.output.end();
        self.0.config.end();
    }

    pub(crate) fn options_in_force(&self) -> &ConfigState<C> {
        &self.0.config
    }

    /// Called when the session is opened again while it is active. The caller must hold the returned turn until the
    /// opening call is answered.
    pub(crate) async fn keep_options(&self, restored: Option<C>) -> Result<Turn> {
        self.0.config.keep(restored, None).await
    }

    /// As [`keep_options`](Self::keep_options), for a call that only its own client gives up. A cancel of the session does not end the wait.
    pub(crate) async fn hold_options(&self, given_up: &CancellationToken) -> Result<Turn> {
        self.0.config.keep(None, Some(given_up)).await
    }

    /// The answer to a call that has opened the session.
    pub(crate) fn opened(&self, line: &Line, by: Opening, additions: &Additions) -> Result<Box<RawValue>> {
        let config = self.config();
        let options = (!table::<C>().is_empty()).then(|| publish::options(&*config, line.view()));
        for (member, value) in &additions.in_updates {
            self.0.output.add_to_updates(*member, value.clone());
        }
        let (meta, members) = (additions.meta.as_ref(), &*additions.members);
        let modes = mode::state(&*config);
        line.dialect().opened(&self.0.output, &Opened { by, id: self.id(), modes, options, meta, members })
    }

    /// Tells the client the options and the mode, after the earlier messages: for a client that has had no answer which tells them.
    pub(crate) fn tell_options(&self) {
        if table::<C>().is_empty() {
            return;
        }
        let (output, config) = (&self.0.output, self.config());
        Publish::options(output, &|view| Some(publish::options(&*config, view)));
        if let Some(mode) = mode::current(&*config) {
            Publish::mode(output, mode);
        }
    }

    pub(crate) fn set_option_at_once(
        &self,
        by: &Line,
        request: &SetOption<'_>,
        answer: impl FnOnce(FullState<'_>),
    ) -> Option<Result<()>> {
        self.0.config.set_at_once(request, &AskedBy { output: &self.0.output, by }, answer)
    }

    pub(crate) async fn set_option(
        &self,
        by: &Line,
        request: &SetOption<'_>,
        given_up: &CancellationToken,
        keep: impl FnOnce(&C) -> Option<Keeping>,
        answer: impl FnOnce(FullState<'_>),
    ) -> Result<()> {
        self.0.config.set(request, &AskedBy { output: &self.0.output, by }, Some(given_up), keep, answer).await
    }

    pub(crate) async fn set_mode(
        &self,
        by: &Line,
        mode: &str,
        given_up: &CancellationToken,
        keep: impl FnOnce(&C) -> Option<Keeping>,
        answer: impl FnOnce(),
    ) -> Result<()> {
        self.0.config.set_mode(mode, &AskedBy { output: &self.0.output, by }, Some(given_up), keep, answer).await
    }
}

impl Publish for SessionOutput {
    fn options<'c>(&self, changed: &dyn Fn(ClientView) -> Option<FullState<'c>>) {
        if let Some(followers) = self.followers() {
            return followers.options(self, None, changed);
        }
        let line = self.line();
        let Some(state) = changed(line.view()) else { return };
        line.put_now(self.address(), &mut |out| {
            if self.is_over() {
                return Ok(());
            }
            self.with_members(|members| line.dialect().options_update(out, self.id(), &state, members))
        });
    }

    fn mode(&self, id: &str) {
        self.send_now(&SessionUpdate::CurrentModeUpdate(CurrentModeUpdate::new(id)));
    }

    fn view(&self) -> ClientView {
        ClientView { boolean: self.holds(&|line| line.view().boolean) }
    }
}

/// The output of a session, for a change that one client asks for.
struct AskedBy<'s> {
    output: &'s SessionOutput,
    by: &'s Line,
}

impl Publish for AskedBy<'_> {
    fn options<'c>(&self, changed: &dyn Fn(ClientView) -> Option<FullState<'c>>) {
        self.output.options(changed);
    }

    fn mode(&self, id: &str) {
        self.output.mode(id);
    }

    fn view(&self) -> ClientView {
        self.by.view()
    }

    fn options_of_others<'c>(&self, changed: &dyn Fn(ClientView) -> Option<FullState<'c>>) {
        if let Some(followers) = self.output.followers() {
            followers.options(self.output, Some(self.by), changed);
        }
    }

    fn mode_of_others(&self, id: &str) {
        if let Some(followers) = self.output.followers() {
            let update = SessionUpdate::CurrentModeUpdate(CurrentModeUpdate::new(id));
            followers.tell_others(self.output, self.by, &update);
        }
    }
}
