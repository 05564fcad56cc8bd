//! A client that is made of the parts.

use std::path::PathBuf;

use super::{Files, Permissions, Roots, Terminals};
use crate::{
    contract::{Call, Handlers, capabilities, check::ALL_TERMINAL_METHODS},
    schema::Method,
    values::{ClientCapabilities, FileSystemCapabilities, SessionId, methods},
};

/// A complete client. It serves files in the folders of the sessions that a connection opens, starts commands there, and
/// answers requests for permission by a policy. Clones share their parts.
/// Only with the feature `files`, which is on by default.
///
/// The client offers reads of files. It offers writes and terminals only if the policy could allow an edit or a command:
/// with [`Permissions::reads_only`] and [`Permissions::reject`] it refuses both.
/// [`without_writes`](Self::without_writes) and [`without_terminals`](Self::without_terminals) leave them out with any
/// policy.
///
/// The policy answers when the agent asks for permission. It is not asked about a write or a command, because the
/// protocol does not say which permission they belong to. A command starts in a folder of its session, and then has all
/// rights of this program: it can read and write files elsewhere. Leave terminals out, or run the client in a sandbox,
/// if the agent must stay in its folders.
///
/// To add a handler, or to replace one, make a client whose [base](crate::handlers#a-client-from-a-client) this is.
///
/// ```no_run
/// use acp_client::{Endpoint, parts::{Permissions, Workspace}};
///
/// # async fn run() -> acp_client::Result<()> {
/// // The agent can read the project and one more file. It cannot change anything through this client.
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
    has_writes: bool,
    has_terminals: bool,
}

impl Workspace {
    /// Makes a client with the default [`Files`] and [`Terminals`], as far as the policy could allow their use.
    pub fn new(permissions: Permissions) -> Self {
        let roots = Roots::new();
        let (files, terminals) = (Files::new(roots.clone()), Terminals::new(roots.clone()));
        let may_change = permissions.may_allow_changes();
        Self { roots, files, terminals, permissions, has_writes: may_change, has_terminals: may_change }
    }

    /// Offers no terminals, so the agent runs no commands through this client. Then all its work on files is within the
    /// folders of its session.
    ///
    /// ```
    /// use acp_client::parts::{Decision, Permissions, Workspace};
    ///
    /// let client = Workspace::new(Permissions::ask(|_| async { Decision::AllowOnce })).without_terminals();
    /// # let _ = client;
    /// ```
    #[must_use]
    pub fn without_terminals(mut self) -> Self {
        self.has_terminals = false;
        self
    }

    /// Offers no writes of files.
    #[must_use]
    pub fn without_writes(mut self) -> Self {
        self.has_writes = false;
        self
    }

    /// Whether this client handles a method.
    fn handles(&self, method: &str) -> bool {
        match method {
            methods::WriteTextFile::NAME => self.has_writes,
            method if ALL_TERMINAL_METHODS.contains(&method) => self.has_terminals,
            _ => true,
        }
    }

    /// The folders. Use them to allow further files and folders.
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// The files. Use them in a handler of your own, for what it does not do itself.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The terminals. Use them to show the commands' state, or in a handler of your own.
    pub fn terminals(&self) -> &Terminals {
        &self.terminals
    }

    /// The policy. Use it in a handler of your own, for what it does not decide itself.
    pub fn permissions(&self) -> &Permissions {
        &self.permissions
    }
}

impl Handlers for Workspace {
    fn capabilities() -> ClientCapabilities {
        let fs = FileSystemCapabilities::new().read_text_file(true).write_text_file(true);
        capabilities().fs(fs).terminal(true)
    }

    fn advertised(&self) -> ClientCapabilities {
        let fs = FileSystemCapabilities::new().read_text_file(true).write_text_file(self.has_writes);
        capabilities().fs(fs).terminal(self.has_terminals)
    }

    fn call(call: Call<'_, Self>) {
        if !call.client().handles(call.method()) {
            return call.unhandled();
        }
        macro_rules! serve {
            ($($method:ident: $part:ident.$handler:ident,)*) => {
                match call.method() {
                    $(methods::$method::NAME => {
                        call.handle(|client, request| async move { client.$part.$handler(request).await });
                    })*
                    _ => call.unhandled(),
                }
            };
        }
        serve! {
            ReadTextFile: files.read_text_file,
            WriteTextFile: files.write_text_file,
            CreateTerminal: terminals.create_terminal,
            TerminalOutput: terminals.terminal_output,
            WaitForTerminalExit: terminals.wait_for_terminal_exit,
            KillTerminal: terminals.kill_terminal,
            ReleaseTerminal: terminals.release_terminal,
            RequestPermission: permissions.request_permission,
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
