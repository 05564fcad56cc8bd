//! Files and commands for an agent: by the client, if the client offers them, or else by the agent itself.
//!
//! No command of the agent is left (`wire::workspace::process::commands_end_with_an_agent_that_is_killed`): the leader of its
//! process group is a shell that waits for the end of the agent. `unix.rs` says how.

mod command;
mod files;
mod running;
mod shown;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

use std::path::{Path, PathBuf};

pub use self::command::{CommandBuilder, CommandHandle, CommandOutput};
use super::asking::Client;
use crate::wire::{Error, Result};

impl Client {
    /// Files and commands in this folder, usually the `cwd` of the session. The feature `local` has this function.
    pub fn workspace(&self, cwd: impl Into<PathBuf>) -> Workspace {
        Workspace { client: self.clone(), cwd: cwd.into() }
    }
}

/// Files and commands: by the client, if the client offers them, or else by the agent itself.
/// Only with the feature `local`.
///
/// [`Client::workspace`] makes one. The client is asked first, because it knows the unsaved text of its editor, and shows
/// commands to its user. Reading, writing and commands are each a capability of its own. If the client refuses a request, the
/// agent does not try by itself.
///
/// Paths are relative to the folder, or absolute. The folder does not confine anything: with `..` or an absolute path, files
/// elsewhere are read and written, and a command has all rights of the user. So ask for
/// [permission](crate::session::ToolCallHandle::permission) first.
///
/// ```
/// use std::path::PathBuf;
///
/// use acp_runtime::prelude::*;
///
/// struct Session { cwd: PathBuf }
///
/// #[acp_agent(session = Session)]
/// #[derive(Clone)]
/// struct Coder;
///
/// #[acp_agent]
/// impl Coder {
///     async fn new_session(&self, request: NewSessionRequest) -> Session { Session { cwd: request.cwd } }
///
///     async fn prompt(&self, session: &mut Session, turn: Turn<Self>) -> Result<StopReason> {
///         let workspace = turn.client().workspace(&session.cwd);
///         let notes = workspace.read("NOTES.md").await?;
///         workspace.write("NOTES.md", format!("{notes}- test\n")).await?;
///
///         let call = turn.tool_call("Test").kind(ToolKind::Execute).start().await?;
///         let tested = workspace.command("cargo").args(["test"]).run().await;
///         call.finish(tested.map(|tested| tested.output)).await?;
///         Ok(StopReason::EndTurn)
///     }
/// }
/// ```
///
/// See [File system](https://agentclientprotocol.com/protocol/v1/file-system) and
/// [Terminals](https://agentclientprotocol.com/protocol/v1/terminals).
#[derive(Clone, Debug)]
pub struct Workspace {
    client: Client,
    cwd: PathBuf,
}

impl Workspace {
    /// The folder that relative paths begin in.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// The absolute form of a path. Parts `..` stay.
    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        let resolved: PathBuf = self.cwd.join(path).components().collect();
        if resolved.is_absolute() {
            return Ok(resolved);
        }
        Err(Error::internal_error(format!(
            "the folder `{}` of this workspace is not absolute; take the `cwd` of the session",
            self.cwd.display()
        )))
    }
}
