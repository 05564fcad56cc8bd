//! A client that is made of the parts.

use std::path::PathBuf;

use super::{Files, Permissions, Roots, Terminals};
use crate::{
    contract::{Call, Handlers, capabilities},
    schema::Method,
    values::{ClientCapabilities, FileSystemCapabilities, SessionId, methods},
};

/// A complete client. It serves files and commands within the folders of the sessions that a connection opens, and answers
/// requests for permission by a policy. Clones share their parts.
///
/// ```no_run
/// use acp_client::{Endpoint, parts::{Permissions, Workspace}};
///
/// # async fn run() -> acp_client::Result<()> {
/// let client = Workspace::new(Permissions::reads_only());
/// client.roots().allow("/home/me/.config/coder.toml");
/// let connection = Endpoint::program("coder").connect_as(client).await?;
/// # let _ = connection;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Workspace {
    roots: Roots,
    files: Files,
    terminals: Terminals,
    permissions: Permissions,
}

impl Workspace {
    /// Makes a client with the default [`Files`] and [`Terminals`].
    pub fn new(permissions: Permissions) -> Self {
        let roots = Roots::new();
        let (files, terminals) = (Files::new(roots.clone()), Terminals::new(roots.clone()));
        Self { roots, files, terminals, permissions }
    }

    /// The folders. Use them to allow further files and folders.
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// The terminals. Use them to show the commands' state.
    pub fn terminals(&self) -> &Terminals {
        &self.terminals
    }
}

impl Handlers for Workspace {
    fn capabilities() -> ClientCapabilities {
        let fs = FileSystemCapabilities::new().read_text_file(true).write_text_file(true);
        capabilities().fs(fs).terminal(true)
    }

    fn call(call: Call<'_, Self>) {
        match call.method() {
            methods::ReadTextFile::NAME => {
                call.handle(|client, request| async move { client.files.read_text_file(request).await });
            }
            methods::WriteTextFile::NAME => {
                call.handle(|client, request| async move { client.files.write_text_file(request).await });
            }
            methods::CreateTerminal::NAME => {
                call.handle(|client, request| async move { client.terminals.create_terminal(request).await });
            }
            methods::TerminalOutput::NAME => {
                call.handle(|client, request| async move { client.terminals.terminal_output(request).await });
            }
            methods::WaitForTerminalExit::NAME => {
                call.handle(|client, request| async move { client.terminals.wait_for_terminal_exit(request).await });
            }
            methods::KillTerminal::NAME => {
                call.handle(|client, request| async move { client.terminals.kill_terminal(request).await });
            }
            methods::ReleaseTerminal::NAME => {
                call.handle(|client, request| async move { client.terminals.release_terminal(request).await });
            }
            methods::RequestPermission::NAME => {
                call.handle(|client, request| async move { client.permissions.request_permission(request).await });
            }
            _ => call.unhandled(),
        }
    }

    fn session_opened(&self, id: &SessionId, folders: Vec<PathBuf>) {
        self.roots.open(id.clone(), folders);
    }

    fn session_closed(&self, id: &SessionId) {
        // The folders are closed first, so that a command which starts later finds none.
        self.roots.close(id);
        self.terminals.close(id);
        self.permissions.forget(id);
    }
}
