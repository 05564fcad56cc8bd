//! Terminals of the agent's own: the client shows what runs in them.

use std::{
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use super::{
    background::unless_cancelled,
    handle::SessionHandle,
    screen::{Screen, lock},
    tool_content::ToolContent,
    turn::Turn,
    update::Updates,
};
use crate::{
    dialect::Listed,
    rpc::CancellationToken,
    values::{TerminalExitStatus, TerminalId, ToolCallContent},
    wire::{Cancelled, Error, Result},
};

/// The number of bytes of output in a message.
const PIECE: usize = 32 * 1024;

/// A terminal of the agent's own, which the client only shows. [`Turn::show_terminal`] makes one. It comes with the feature `v2`.
///
/// End it with [`exited`](Self::exited). If it is dropped early, the client is told that it has ended, without a code.
///
/// On version 1, the client has no such terminals: nothing is sent, and as the content of a
/// [tool call](super::ToolCallHandle::show) it is nothing. For a command that runs in a terminal of the client there, and as a process
/// of the agent otherwise, take a `Workspace` (feature `local`): on version 2, it shows such a terminal by itself.
///
/// See [Display-only terminals](https://agentclientprotocol.com/protocol/v2/tool-calls#display-only-terminals).
///
/// ```
/// use acp_runtime::{prelude::*, values::TerminalExitStatus};
///
/// # async fn next(remote: &mut tokio::sync::mpsc::Receiver<Vec<u8>>) -> Option<Vec<u8>> { remote.recv().await }
/// /// Shows what another machine prints.
/// async fn watch<C: ConfigOptions>(turn: &Turn<C>, mut remote: tokio::sync::mpsc::Receiver<Vec<u8>>) -> Result<()> {
///     let call = turn.tool_call("Deploy").kind(ToolKind::Execute).start().await?;
///     let terminal = turn.show_terminal("make deploy", "/srv/app").await?;
///     call.show(&terminal).await?;
///     while let Some(bytes) = turn.until_cancelled(next(&mut remote)).await? {
///         terminal.output(&bytes).await?;
///     }
///     terminal.exited(TerminalExitStatus::new().exit_code(0)).await?;
///     call.complete(()).await
/// }
/// ```
pub struct AgentTerminal {
    id: TerminalId,
    screen: Arc<Mutex<Screen>>,
    updates: Updates,
    /// Cancelled with the turn, unless the terminal is in the background.
    turn: CancellationToken,
    /// Set when the client cancels this terminal alone, if it may.
    cancel: Option<CancellationToken>,
}

impl<C: Send + Sync + 'static> Turn<C> {
    /// Shows a terminal of the agent's own, in which this command runs in this directory, an absolute path. The agent runs the
    /// command, and gives the terminal its [output](AgentTerminal::output). It comes with the feature `v2`.
    ///
    /// # Errors
    ///
    /// The path is not absolute, the session is over, or the client is gone.
    pub async fn show_terminal(&self, command: impl Into<String>, cwd: impl Into<PathBuf>) -> Result<AgentTerminal> {
        let turn = self.client().cancellation().clone();
        AgentTerminal::show(self.session().updates(), command.into(), cwd.into(), turn).await
    }
}

impl<C: Send + Sync + 'static> SessionHandle<C> {
    /// Shows a terminal of the agent's own that belongs to no turn, as [`Turn::show_terminal`] does.
    ///
    /// # Errors
    ///
    /// As [`Turn::show_terminal`].
    pub async fn show_terminal(&self, command: impl Into<String>, cwd: impl Into<PathBuf>) -> Result<AgentTerminal> {
        let terminal =
            AgentTerminal::show(self.updates(), command.into(), cwd.into(), CancellationToken::new()).await?;
        terminal.updates.ends_with_session(Listed::Terminal(terminal.id.clone()), &terminal.turn)?;
        Ok(terminal)
    }
}

impl AgentTerminal {
    async fn show(updates: Updates, command: String, cwd: PathBuf, turn: CancellationToken) -> Result<Self> {
        if !cwd.is_absolute() {
            return Err(Error::internal_error(format!(
                "the directory `{}` of a terminal is not absolute; take the `cwd` of the session",
                cwd.display()
            )));
        }
        updates.room().await?;
        let screen = Screen::new(command, cwd);
        let (id, screen) = (screen.id.clone(), Arc::new(Mutex::new(screen)));
        updates.show_screen(&screen)?;
        Ok(Self { id, screen, updates, turn, cancel: None })
    }

    /// The id of the terminal.
    pub fn id(&self) -> &TerminalId {
        &self.id
    }

    /// Shows output, as bytes: a character may be cut, and escape sequences of a terminal have their meaning. Waits while the client
    /// reads too slowly.
    ///
    /// # Errors
    ///
    /// The session is over, or the client is gone.
    pub async fn output(&self, bytes: &[u8]) -> Result<()> {
        for piece in bytes.chunks(PIECE) {
            self.updates.room().await?;
            self.updates.put_on_screen(&self.screen, piece)?;
        }
        Ok(())
    }

    /// Tells the size with which the command runs, in characters.
    ///
    /// # Errors
    ///
    /// A number is 0, the session is over, or the client is gone.
    pub async fn size(&self, cols: u16, rows: u16) -> Result<()> {
        if cols == 0 || rows == 0 {
            return Err(Error::internal_error("a terminal has at least one column and one row"));
        }
        self.updates.room().await?;
        self.updates.resize_screen(&self.screen, (cols, rows))
    }

    /// The command has ended. Without a code and a signal, it is not known how.
    ///
    /// # Errors
    ///
    /// The session is over, or the client is gone.
    pub async fn exited(self, status: TerminalExitStatus) -> Result<()> {
        self.updates.room().await?;
        lock(&self.screen).exit(status);
        self.updates.tell_screen(&self.screen)
    }

    /// Lets the command go on in the background, also when the turn has ended. From here on, the turn's cancel does not reach it.
    ///
    /// On version 2, the terminal is in the list of background work that the client gets with each state of the session, until it
    /// ends. A client that opens the active session again is told of it, with the last 64 KiB of its output. Work is listed once, so
    /// leave the tool call that shows the terminal out.
    ///
    /// The end of the session cancels the terminal: a close, a delete, or a client that hangs up. To stop the command then is yours:
    /// run it in [`until_cancelled`](Self::until_cancelled).
    ///
    /// See [Background work](https://agentclientprotocol.com/protocol/v2/prompt-lifecycle#background-work).
    ///
    /// ```
    /// use acp_runtime::{prelude::*, session::AgentTerminal, values::TerminalExitStatus};
    ///
    /// async fn serve<C: ConfigOptions>(turn: &Turn<C>) -> Result<()> {
    ///     let server = turn.show_terminal("make serve", turn.cwd()).await?;
    ///     let server = server.into_background().await?.cancellable().await?;
    ///     tokio::spawn(async move {
    ///         let runs = tokio::time::sleep(std::time::Duration::from_secs(60));
    ///         let status = match server.until_cancelled(runs).await {
    ///             Ok(()) => TerminalExitStatus::new().exit_code(0),
    ///             Err(_) => TerminalExitStatus::new().signal("SIGTERM".to_owned()),
    ///         };
    ///         server.exited(status).await
    ///     });
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The session is over, or the client is gone.
    pub async fn into_background(mut self) -> Result<Self> {
        self.updates.room().await?;
        self.turn = CancellationToken::new();
        self.updates.list_screen(&self.id, &self.screen, &self.turn)?;
        Ok(self)
    }

    /// Lets the client cancel this terminal alone, until it ends. [`is_cancelled`](Self::is_cancelled) and
    /// [`until_cancelled`](Self::until_cancelled) tell. The terminal stays open until [`exited`](Self::exited).
    ///
    /// See [Cancelling terminals](https://agentclientprotocol.com/protocol/v2/tool-calls#cancelling-terminals).
    ///
    /// # Errors
    ///
    /// The session is over, or the client is gone.
    pub async fn cancellable(mut self) -> Result<Self> {
        self.updates.room().await?;
        let cancel = self.cancel.get_or_insert_default().clone();
        self.updates.let_cancel(Listed::Terminal(self.id.clone()), &cancel)?;
        Ok(self)
    }

    /// Whether the client has cancelled this terminal alone, or the turn of a terminal that is not in the background; or the session has
    /// ended.
    pub fn is_cancelled(&self) -> bool {
        self.turn.is_cancelled() || self.cancel.as_ref().is_some_and(CancellationToken::is_cancelled)
    }

    /// Waits for `work`. If the client cancels this terminal, or its turn, or the session ends, `work` is dropped.
    ///
    /// # Errors
    ///
    /// [`Cancelled`](crate::Cancelled).
    pub async fn until_cancelled<F: Future>(&self, work: F) -> Result<F::Output, Cancelled> {
        unless_cancelled(&self.turn, self.cancel.as_ref(), work).await
    }
}

impl Drop for AgentTerminal {
    fn drop(&mut self) {
        let mut screen = lock(&self.screen);
        if screen.is_told() {
            return;
        }
        screen.exit(TerminalExitStatus::new());
        drop(screen);
        // An error says that nobody is left to be told.
        let _ = self.updates.tell_screen(&self.screen);
    }
}

impl fmt::Debug for AgentTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentTerminal").field("id", &self.id).finish_non_exhaustive()
    }
}

/// On version 1, it is no content: the call shows what it showed before.
impl ToolContent for &AgentTerminal {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        self.updates.shows_terminals().then(|| vec![self.id.clone().into()])
    }
}
