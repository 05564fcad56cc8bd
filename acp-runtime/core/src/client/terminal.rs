//! Commands that the client runs in terminals. The user can watch these terminals.
//!
//! See [Terminals](https://agentclientprotocol.com/protocol/v1/terminals).

use std::{fmt, path::PathBuf};

use super::{asking::Client, files::check_path};
use crate::{
    values::{
        CreateTerminalRequest, EnvVariable, KillTerminalRequest, Meta, ReleaseTerminalRequest, TerminalExitStatus,
        TerminalId, TerminalOutputRequest, TerminalOutputResponse, WaitForTerminalExitRequest, methods,
    },
    wire::{Cancelled, Result},
};

use tokio::sync::oneshot;

impl Client {
    /// Whether the client offers to run commands for the agent.
    pub fn can_run_terminals(&self) -> bool {
        self.capabilities().terminal
    }

    /// Runs a command in a terminal of the client.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn test(client: &Client) -> Result<String> {
    ///     let terminal = client.terminal("cargo").args(["test"]).start().await?;
    ///     terminal.wait_for_exit().await?;
    ///     let output = terminal.output().await?.output;
    ///     terminal.release().await?;
    ///     Ok(output)
    /// }
    /// ```
    pub fn terminal(&self, command: impl Into<String>) -> TerminalBuilder {
        TerminalBuilder {
            command: command.into(),
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
            output_byte_limit: None,
            meta: None,
            client: self.clone(),
        }
    }
}

/// A command that is not started yet. [`Client::terminal`] makes one.
#[derive(Debug)]
#[must_use = "nothing runs before `start`"]
pub struct TerminalBuilder {
    command: String,
    args: Vec<String>,
    env: Vec<EnvVariable>,
    cwd: Option<PathBuf>,
    output_byte_limit: Option<u64>,
    meta: Option<Meta>,
    client: Client,
}

impl TerminalBuilder {
    /// Adds arguments to the command.
    pub fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets a variable of the command's environment.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.push(EnvVariable::new(name.into(), value.into()));
        self
    }

    /// Sets the command's working directory, an absolute path. The default is the session's working directory.
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Sets the number of bytes of output that the client keeps. The client drops the oldest bytes first.
    pub fn output_byte_limit(mut self, bytes: u64) -> Self {
        self.output_byte_limit = Some(bytes);
        self
    }

    /// The `_meta` of the request that creates the terminal. With [`Client::with_meta`], all requests of the terminal have one.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Runs the command.
    ///
    /// # Errors
    ///
    /// The client does not offer terminals or cannot run the command, or `cwd` is not absolute.
    pub async fn start(self) -> Result<TerminalHandle> {
        let Self { command, args, env, cwd, output_byte_limit, meta, client } = self;
        let cancellation = client.cancellation().clone();
        if !client.can_run_terminals() {
            return Err(client.unoffered("terminal/create", "terminal"));
        }
        cwd.as_deref().map_or(Ok(()), check_path)?;
        // The task below does not look at the cancel.
        cancellation.check()?;
        let mut request = CreateTerminalRequest::new(client.session()?, command)
            .args(args)
            .env(env)
            .output_byte_limit(output_byte_limit)
            .meta(meta.or_else(|| client.meta()));
        request.cwd = cwd;
        // The client may make the terminal while the call is cancelled. So a task waits for the terminal and releases
        // it.
        let (sender, receiver) = oneshot::channel();
        let patient = client.until_answered();
        tokio::spawn(async move {
            let created = patient.request::<methods::CreateTerminal>(&request).await;
            let terminal = created.map(|created| TerminalHandle { id: created.terminal_id, client, released: false });
            // If the caller is gone, the terminal is dropped here, and so released.
            let _ = sender.send(terminal);
        });
        match cancellation.run_until_cancelled(receiver).await {
            Some(Ok(terminal)) => terminal,
            Some(Err(_)) | None => Err(Cancelled.into()),
        }
    }
}

/// A terminal of the client. The drop of this handle releases the terminal, and a running command is then killed.
pub struct TerminalHandle {
    id: TerminalId,
    client: Client,
    released: bool,
}

impl fmt::Debug for TerminalHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TerminalHandle").field("id", &self.id).finish_non_exhaustive()
    }
}

impl TerminalHandle {
    /// The terminal's id. To show the terminal under a tool call, use this id before you release the terminal.
    pub fn id(&self) -> &TerminalId {
        &self.id
    }

    /// The command's output so far. If the command has ended, also its exit status.
    ///
    /// # Errors
    ///
    /// The client answers with an error.
    pub async fn output(&self) -> Result<TerminalOutputResponse> {
        let request = TerminalOutputRequest::new(self.client.session()?, self.id.clone()).meta(self.client.meta());
        self.client.request::<methods::TerminalOutput>(&request).await
    }

    /// Waits until the command has ended.
    ///
    /// # Errors
    ///
    /// The client answers with an error, or the call was cancelled.
    pub async fn wait_for_exit(&self) -> Result<TerminalExitStatus> {
        let request = WaitForTerminalExitRequest::new(self.client.session()?, self.id.clone()).meta(self.client.meta());
        let response = self.client.request::<methods::WaitForTerminalExit>(&request).await?;
        Ok(TerminalExitStatus::new().exit_code(response.exit_code).signal(response.signal))
    }

    /// Kills the command. Its output stays readable.
    ///
    /// # Errors
    ///
    /// The client answers with an error.
    pub async fn kill(&self) -> Result<()> {
        let request = KillTerminalRequest::new(self.client.session()?, self.id.clone()).meta(self.client.meta());
        self.client.request::<methods::KillTerminal>(&request).await?;
        Ok(())
    }

    /// Releases the terminal, and waits for the client's answer.
    ///
    /// # Errors
    ///
    /// The client answers with an error.
    pub async fn release(mut self) -> Result<()> {
        let request = ReleaseTerminalRequest::new(self.client.session()?, self.id.clone()).meta(self.client.meta());
        let answer = self.client.request::<methods::ReleaseTerminal>(&request).await;
        // If the call is cancelled, the release is withdrawn or not sent, and the client may not have released the terminal. So
        // the drop releases it.
        self.released = !self.client.cancellation().is_cancelled();
        answer.map(drop)
    }
}

impl Drop for TerminalHandle {
    fn drop(&mut self) {
        if self.released {
            return;
        }
        if let Ok(session) = self.client.session() {
            let request = ReleaseTerminalRequest::new(session, self.id.clone()).meta(self.client.meta());
            self.client.request_blindly::<methods::ReleaseTerminal>(&request);
        }
    }
}
