//! Commands for agents, as real processes.

mod running;

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use acp_peer::Error;
use tokio::{process::Command, task::spawn_blocking, time::timeout};

use self::running::{Record, Running};
use super::{
    Roots,
    roots::{Root, locate},
};
use crate::values::{
    CreateTerminalRequest, CreateTerminalResponse, KillTerminalRequest, KillTerminalResponse, ReleaseTerminalRequest,
    ReleaseTerminalResponse, SessionId, TerminalId, TerminalOutputRequest, TerminalOutputResponse,
    WaitForTerminalExitRequest, WaitForTerminalExitResponse,
};

/// The time that an answer waits for the end of a killed process. A process in a system call may take long to end.
const KILLED: Duration = Duration::from_secs(1);

/// The number of released terminals whose output is kept for users.
const SHOWN: usize = 16;

/// Runs commands for an agent, without a window. A command starts in a folder of the agent's session (see [`Roots`]), and
/// then has all rights of this program. Clones are the same part.
///
/// A command has no input. It writes its output and its errors to one pipe, in order. For the command, this pipe is no
/// terminal: `isatty` says no. With `args`, the command is a program. Without `args`, a command of more than one word
/// is a line for the shell (`sh`, or `cmd` on Windows), because many agents send such lines.
///
/// An agent may show a terminal within a tool call: [`shown`](Self::shown) returns its output, also after its release.
///
/// A terminal ends with its release, with its session ([`close`](Self::close)) or with the last clone of this part.
/// Then all processes that its command started are killed, unless they left its process group. Until then, background
/// processes of a command go on. If this program is killed, or calls [`exit`](std::process::exit), a watchdog ends the
/// commands: see [`Signals`](crate::Signals#when-the-program-is-gone).
///
/// Only the working directory of a command is checked. The command itself can read and write files outside of the
/// session's folders. So ask the user before you start it, or run the client in a sandbox.
///
/// ```
/// use acp_client::{parts::{Roots, Terminals}, values::{CreateTerminalRequest, WaitForTerminalExitRequest}};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let roots = Roots::new();
/// let terminals = Terminals::new(roots.clone());
/// roots.open("session-1", [std::env::temp_dir()]);
/// let request = CreateTerminalRequest::new("session-1", "cargo --version");
/// let terminal = terminals.create_terminal(request).await?.terminal_id;
/// let exit = terminals.wait_for_terminal_exit(WaitForTerminalExitRequest::new("session-1", terminal)).await?;
/// assert_eq!(exit.exit_code, Some(0));
/// # Ok(())
/// # }
/// ```
///
/// See [Terminals](https://agentclientprotocol.com/protocol/v1/terminals).
#[derive(Clone)]
pub struct Terminals(Arc<Inner>);

struct Inner {
    roots: Roots,
    max_terminals: usize,
    max_output_bytes: usize,
    serial: AtomicU64,
    running: Mutex<HashMap<TerminalId, (SessionId, Arc<Running>)>>,
    released: Mutex<VecDeque<Released>>,
}

/// A terminal that the agent has released, and the user may still see.
struct Released {
    session: SessionId,
    id: TerminalId,
    record: Record,
}

impl Terminals {
    /// Runs commands in these folders: at most 64 unreleased terminals, which keep 1 MiB of output each.
    pub fn new(roots: Roots) -> Self {
        Self::bounded(roots, 64, 1024 * 1024)
    }

    /// Runs commands in these folders, with bounds of your own: the number of unreleased terminals, and the bytes of
    /// output that each keeps. An agent may ask for fewer bytes.
    pub fn bounded(roots: Roots, max_terminals: usize, max_output_bytes: usize) -> Self {
        let (serial, running, released) = Default::default();
        Self(Arc::new(Inner { roots, max_terminals, max_output_bytes, serial, running, released }))
    }

    /// Answers `terminal/create` as soon as the command is running.
    ///
    /// # Errors
    ///
    /// The session is unknown, its folders do not contain the working directory, the command cannot be started, or there are
    /// too many unreleased terminals.
    pub async fn create_terminal(&self, request: CreateTerminalRequest) -> Result<CreateTerminalResponse, Error> {
        let CreateTerminalRequest { session_id, command, args, env, cwd, output_byte_limit, .. } = request;
        let Inner { roots, max_terminals, max_output_bytes, serial, .. } = &*self.0;
        let cwd = match cwd {
            None => roots.cwd(&session_id)?,
            Some(cwd) => {
                let (roots, id) = (roots.clone(), session_id.clone());
                let checked = spawn_blocking(move || folder(&cwd, &roots.of(&id)?));
                checked.await.unwrap_or_else(|_| Err(Error::internal_error("the working directory was not found")))?
            }
        };
        let limit = output_byte_limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        let mut program = program(&command, args);
        program.envs(env.into_iter().map(|variable| (variable.name, variable.value))).current_dir(cwd);
        let mut running = self.running();
        if running.len() >= *max_terminals {
            return Err(Error::internal_error(format!(
                "{max_terminals} terminals are not released, which is as many as this client runs: release one first"
            )));
        }
        let started = Running::start(program, limit.min(*max_output_bytes));
        let started =
            started.map_err(|error| Error::internal_error(format!("could not start `{command}`: {error}")))?;
        let id = TerminalId::from(format!("terminal-{}", serial.fetch_add(1, Ordering::Relaxed) + 1));
        running.insert(id.clone(), (session_id.clone(), Arc::new(started)));
        drop(running);
        // The session may have ended meanwhile. Its end did not find this terminal, so the check is repeated.
        if let Err(error) = roots.cwd(&session_id) {
            self.close(&session_id);
            return Err(error);
        }
        Ok(CreateTerminalResponse::new(id))
    }

    /// Answers `terminal/output`.
    ///
    /// # Errors
    ///
    /// The session does not have this terminal, or the terminal was released.
    pub async fn terminal_output(&self, request: TerminalOutputRequest) -> Result<TerminalOutputResponse, Error> {
        Ok(self.find(&request.session_id, &request.terminal_id)?.record().told())
    }

    /// Answers `terminal/wait_for_exit` when the command has exited. If the terminal is released meanwhile, its command
    /// is killed.
    ///
    /// # Errors
    ///
    /// The session does not have this terminal, or the terminal was released.
    pub async fn wait_for_terminal_exit(
        &self,
        request: WaitForTerminalExitRequest,
    ) -> Result<WaitForTerminalExitResponse, Error> {
        // The terminal itself is not held during the wait, because it would then outlive its release.
        let exit = self.find(&request.session_id, &request.terminal_id)?.watch();
        let status =
            exit.await.ok_or_else(|| Error::internal_error("the system does not tell how the command ended"))?;
        Ok(WaitForTerminalExitResponse::new().exit_code(status.exit_code).signal(status.signal))
    }

    /// Answers `terminal/kill`: kills the command and the processes that it started. Its output stays readable.
    ///
    /// # Errors
    ///
    /// The session does not have this terminal, or the terminal was released.
    pub async fn kill_terminal(&self, request: KillTerminalRequest) -> Result<KillTerminalResponse, Error> {
        let terminal = self.find(&request.session_id, &request.terminal_id)?;
        terminal.kill();
        let _ = timeout(KILLED, terminal.watch()).await;
        Ok(KillTerminalResponse::new())
    }

    /// Answers `terminal/release`: kills processes that are still running. After that, the id is unknown.
    ///
    /// # Errors
    ///
    /// The session does not have this terminal, or the terminal was released.
    pub async fn release_terminal(&self, request: ReleaseTerminalRequest) -> Result<ReleaseTerminalResponse, Error> {
        let terminal = self.find(&request.session_id, &request.terminal_id)?;
        self.running().remove(&request.terminal_id);
        self.keep(request.session_id, request.terminal_id, terminal.record().clone());
        terminal.release();
        let _ = timeout(KILLED, terminal.gone()).await;
        Ok(ReleaseTerminalResponse::new())
    }

    /// The output of a terminal, for a client that shows it within a tool call: also after the agent has released it.
    /// `None` if the session has no such terminal, or if 16 others were released since.
    pub fn shown(&self, session: &SessionId, id: &TerminalId) -> Option<TerminalOutputResponse> {
        if let Ok(terminal) = self.find(session, id) {
            return Some(terminal.record().told());
        }
        let released = self.released();
        let found = released.iter().find(|released| released.session == *session && released.id == *id);
        found.map(|released| released.record.told())
    }

    /// Releases all terminals of a session that has ended.
    pub fn close(&self, session: &SessionId) {
        self.released().retain(|released| released.session != *session);
        let mut released = Vec::new();
        self.running().retain(|_, (of, terminal)| {
            let stays = of != session;
            if !stays {
                released.push(terminal.clone());
            }
            stays
        });
        for terminal in released {
            terminal.release();
        }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<TerminalId, (SessionId, Arc<Running>)>> {
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn released(&self) -> MutexGuard<'_, VecDeque<Released>> {
        self.0.released.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the output of a terminal that is released.
    fn keep(&self, session: SessionId, id: TerminalId, record: Record) {
        let mut released = self.released();
        if released.len() >= SHOWN {
            released.pop_front();
        }
        released.push_back(Released { session, id, record });
    }

    /// Finds a terminal. A session finds only its own terminals.
    fn find(&self, session: &SessionId, id: &TerminalId) -> Result<Arc<Running>, Error> {
        match self.running().get(id) {
            Some((of, terminal)) if of == session => Ok(terminal.clone()),
            _ => {
                let shown: String = AsRef::<str>::as_ref(id).chars().take(64).collect();
                let error = Error::new(Error::RESOURCE_NOT_FOUND, format!("the session has no terminal `{shown}`"));
                Err(error.with_data(serde_json::json!({ "terminalId": shown })))
            }
        }
    }
}

impl fmt::Debug for Terminals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminals").field("running", &self.running().len()).finish_non_exhaustive()
    }
}

/// The folder of a command. A missing folder and a folder outside give the same error, so that the agent learns nothing
/// about the outside.
fn folder(path: &Path, roots: &[Root]) -> Result<PathBuf, Error> {
    locate(path, roots)?;
    let refused = || {
        let path = path.display();
        Error::invalid_params(format!(
            "the working directory `{path}` is no folder of the session, or leads out of them by a link"
        ))
    };
    let real = std::fs::canonicalize(path).map_err(|_| refused())?;
    locate(&real, roots).map_err(|_| refused())?;
    if !real.is_dir() {
        return Err(refused());
    }
    // On Windows, programs do not accept the canonical form of a path.
    Ok(if cfg!(windows) { path.to_owned() } else { real })
}

/// A program with arguments, or a line for the shell.
fn program(command: &str, args: Vec<String>) -> Command {
    let is_line = args.is_empty() && command.trim().contains(char::is_whitespace) && !Path::new(command).is_file();
    if !is_line {
        let mut program = Command::new(command);
        program.args(args);
        return program;
    }
    #[cfg(windows)]
    {
        let mut shell = Command::new("cmd");
        // `cmd` expects the whole line in quotes, also if the line itself contains quotes.
        shell.args(["/d", "/s", "/c"]).raw_arg(format!("\"{command}\""));
        shell
    }
    #[cfg(not(windows))]
    {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command);
        shell
    }
}
