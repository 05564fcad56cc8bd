//! `acp run`: a conversation with an agent, in the terminal as it is.

mod ask;
mod beside;
mod change;
mod chat;
mod editor;
mod form;
mod keys;
mod paper;
mod question;
mod settings;
mod show;
mod terminals;

use std::{
    env,
    io::{self, IsTerminal as _},
    path::PathBuf,
};

use acp_client::{
    Connection, Session, acp_client,
    parts::{Decision, Permissions, Workspace},
    values::{
        CreateElicitationRequest, ElicitationAction, ListSessionsRequest, RequestPermissionOutcome,
        RequestPermissionRequest, RequestPermissionResponse, SessionInfo,
    },
};
use clap::Args;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use self::{
    ask::{Asked, User},
    beside::{Beside, Questions},
    chat::Chat,
    editor::Line,
    keys::Keys,
    paper::{Paper, Style},
    question::Waiting,
    show::Show,
};
use crate::{
    agent::{AgentArgs, misnamed_version},
    exit::{Exit, Failure},
    screen, sessions,
    stop::Stop,
};

const HELP: &str = "\
Commands at the prompt: `:help` lists them, and Tab completes them. Those that begin with `/` are the agent's.

Ctrl-C cancels the turn, and a second Ctrl-C ends the program. The history of prompts is kept in `acp/history` below $XDG_STATE_HOME or \
~/.local/state. A prompt that begins with a space is not kept. NO_COLOR=1 turns colours off.

The agent may read and write the files of the session's folder through `acp`, and run commands there. Agents also have ways of their own.

Exit codes: as of all commands, and 130 after a second Ctrl-C.";

/// Talks with an agent in the terminal.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Run {
    /// Continue a session. Without an id, choose one from the agent's list.
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "", conflicts_with = "list")]
    resume: Option<String>,
    /// List the agent's sessions of this folder, and end.
    #[arg(long)]
    list: bool,
    /// The folder in which the session works. [default: the current one]
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<PathBuf>,
    #[command(flatten)]
    agent: AgentArgs,
}

/// The client's side. Questions within a turn do not come here.
struct Client {
    workspace: Workspace,
    ask: UnboundedSender<Beside>,
}

#[acp_client(base = workspace, elicitation(form, url), notices)]
impl Client {
    async fn request_permission(&self, request: RequestPermissionRequest) -> RequestPermissionResponse {
        let (waiting, answer) = Waiting::new(request);
        // If nobody listens, the program ends.
        let _ = self.ask.send(Beside::Permission(waiting));
        answer.await.unwrap_or_else(|_| RequestPermissionResponse::new(RequestPermissionOutcome::Cancelled))
    }

    async fn create_elicitation(&self, request: CreateElicitationRequest) -> ElicitationAction {
        let (waiting, answer) = Waiting::new(request);
        let _ = self.ask.send(Beside::Form(waiting));
        answer.await.unwrap_or(ElicitationAction::Cancel)
    }
}

impl Run {
    pub(crate) async fn run(self) -> Result<Exit, Failure> {
        let folder = self.folder()?;
        let (ask, mut asked) = unbounded_channel();
        // Permission is asked of the user, and not of a policy.
        let workspace = Workspace::new(Permissions::ask(|_| async { Decision::Dismiss }));
        let terminals = workspace.terminals().clone();
        let client = Client { workspace, ask };
        let mut stop = Stop::new(None)
            .map_err(|error| Failure::not_run(format!("the system does not tell this process of Ctrl-C: {error}")))?;
        if self.list {
            let connection = stop.unless(self.agent.connect(client)).await?;
            let listed = stop.unless(listed(&connection, &folder)).await?;
            for info in &listed {
                screen::write(&format!("{}\n", sessions::line(info))).map_err(|error| Failure::output(&error))?;
            }
            let _ = connection.close().await;
            return Ok(Exit::Done);
        }
        if !io::stdin().is_terminal() {
            let text = "`acp run` needs a terminal: use `acp exec` for scripts";
            return Err(Failure::usage(text));
        }
        let keys = Keys::new().map_err(|error| Failure::not_run(format!("the terminal cannot be used: {error}")))?;
        let connection = stop.unless(self.agent.connect(client)).await?;
        let mut user = User { keys, stop };
        let mut show = Show::new(Paper::new());
        head(&mut show, &connection)?;
        let Some(session) = self.open(&connection, folder, &mut show, &mut user).await? else {
            return Ok(Exit::Cancelled);
        };
        show.terminals.are_of(terminals, session.id().clone());
        let mut questions = Questions::default();
        while let Ok(asked) = asked.try_recv() {
            questions.add(&mut show, asked)?;
        }
        let summary = settings::summary(&session);
        show.paper.below(Style::Dim, &summary).map_err(|error| Failure::output(&error))?;
        let history = editor::history().unwrap_or_else(|error| {
            screen::tell(format_args!("acp: the history is not kept: {error}"));
            None
        });
        let (line, above) = Line::new(show.paper.has_colours(), history)
            .map_err(|error| Failure::not_run(format!("the terminal cannot be used: {error}")))?;
        show.paper.write_above_by(above);
        let mut chat = Chat { connection, session, show, user, line, asked, questions };
        let done = chat.run().await;
        let Chat { connection, mut user, session, .. } = chat;
        if !matches!(done, Ok(Exit::Cancelled) | Err(_)) {
            let resumable = connection.agent().agent_capabilities.load_session
                || connection.agent().agent_capabilities.session_capabilities.resume.is_some();
            if resumable {
                screen::tell(format_args!("acp: to continue: --resume {}", session.id()));
            }
        }
        tokio::select! {
            _ = connection.close() => {}
            _ = user.stop.next() => {}
        }
        done
    }

    /// Opens the session; `None` if the user does not want any more.
    async fn open(
        &self,
        connection: &Connection,
        folder: PathBuf,
        show: &mut Show,
        user: &mut User,
    ) -> Result<Option<Session>, Failure> {
        let Some(id) = &self.resume else {
            let new = async { Ok(connection.new_session(folder).await?) };
            return user.stop.unless(new).await.map(Some);
        };
        let (id, cwd) = if id.is_empty() {
            let listed = user.stop.unless(listed(connection, &folder)).await?;
            if listed.is_empty() {
                let text = "the agent has no session of this folder: leave out `--resume`, or name another `--cwd`";
                return Err(Failure::usage(text));
            }
            let lines: Vec<_> = listed.iter().map(title).collect();
            let question = "number, or Enter for the first: ";
            let Asked::Answer(number) = user.number(show, &lines, question).await? else { return Ok(None) };
            let info = listed.into_iter().nth(number.unwrap_or_default());
            let info = info.ok_or_else(|| Failure::usage("there is no such session"))?;
            (info.session_id.to_string(), info.cwd)
        } else {
            (id.clone(), folder)
        };
        if !connection.agent().agent_capabilities.load_session {
            let resumed = async { Ok(connection.resume_session(id.as_str(), cwd).await?) };
            return user.stop.unless(resumed).await.map(Some);
        }
        let mut loading = user.stop.unless(async { Ok(connection.load_session(id.as_str(), cwd).await?) }).await?;
        while let Some(update) = user.stop.unless(async { Ok(loading.next().await?) }).await? {
            show.update(&update).map_err(|error| Failure::output(&error))?;
        }
        show.end().map_err(|error| Failure::output(&error))?;
        user.stop.unless(async { Ok(loading.finish().await?) }).await.map(Some)
    }

    fn folder(&self) -> Result<PathBuf, Failure> {
        let folder = self.cwd.as_ref().map_or_else(env::current_dir, |folder| folder.canonicalize());
        folder.map_err(|error| Failure::usage(format!("the folder of `--cwd` cannot be used: {error}")))
    }
}

/// The agent's sessions of a folder, in its order.
async fn listed(connection: &Connection, folder: &std::path::Path) -> Result<Vec<SessionInfo>, Failure> {
    let mut request = ListSessionsRequest::new();
    request.cwd = Some(folder.to_owned());
    let (mut sessions, mut all) = (connection.list_sessions(request)?, Vec::new());
    while let Some(info) = sessions.next().await? {
        all.push(info);
    }
    Ok(all)
}

/// A session in a menu: the time of its last change, and its title.
fn title(info: &SessionInfo) -> String {
    let updated = info.updated_at.as_deref().unwrap_or("-");
    let title = info.title.as_deref().filter(|title| !title.is_empty());
    format!("{updated}  {}", title.unwrap_or(info.session_id.as_str()).replace('\n', " "))
}

/// Shows the agent's name, and how to get help.
fn head(show: &mut Show, connection: &Connection) -> Result<(), Failure> {
    let name = connection.agent().agent_info.as_ref().map_or_else(
        || "an agent without a name".to_owned(),
        |info| format!("{} {}", info.title.as_deref().unwrap_or(&info.name), info.version),
    );
    let text = format!("{name}, protocol {}. `:help` shows the commands.", connection.version());
    show.paper.below(Style::Bold, &text).map_err(|error| Failure::output(&error))?;
    match misnamed_version(connection) {
        Some(text) => show.paper.below(Style::Dim, &text).map_err(|error| Failure::output(&error)),
        None => Ok(()),
    }
}
