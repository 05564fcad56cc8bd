//! `acp inspect`: what an agent is.

pub(crate) mod probe;
mod report;
mod show;

use std::{env, path::PathBuf, time::Duration};

use acp_client::{Connection, ErrorKind, Session, acp_client, versions::original};
use clap::Args;
use serde_json::json;
use tokio::time::timeout;

use self::report::{Opened, Report, Spoken, option};
use crate::{
    agent::AgentArgs,
    check,
    choices::Format,
    exit::{Exit, Failure},
    screen,
};

const HELP: &str = "\
Each version of the protocol is asked for in a connection of its own, 2 and then 1, and once more for what its answer has of the protocol's drafts. In each, a session is opened, and each method \
that a capability announces is called once, most of them for a session that does not exist. No prompt is sent, and nobody is logged in or \
out.

A method is `served` if the agent answers anything but `method not found`.

Exit codes: 0 the agent is shown, also if there are findings (`acp check` fails by them); 2 wrong usage; 3 the agent needs a login for its first answer; \
4 the agent could not be run.";

/// Shows what an agent is: versions, capabilities, options with their values, commands, logins.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Inspect {
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The folder of the sessions that are opened. [default: the current one]
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<PathBuf>,
    /// How many milliseconds to wait for the commands of a session, which agents report when it is open.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 500)]
    wait: u64,
    /// How many seconds the agent has to answer each request after the first.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    timeout: u32,
    #[command(flatten)]
    agent: AgentArgs,
}

/// A client that offers nothing but logins, because agents show more ways to it.
struct Nobody;

#[acp_client(auth(terminal))]
impl Nobody {}

impl Inspect {
    pub(crate) async fn run(self) -> Result<Exit, Failure> {
        let folder = match &self.cwd {
            Some(folder) => folder.canonicalize(),
            None => env::current_dir(),
        };
        let folder =
            folder.map_err(|error| Failure::usage(format!("the folder of the session cannot be used: {error}")))?;
        let mut report = Report::default();
        let mut last = None;
        for version in [2, 1].into_iter().filter(|version| self.agent.may_speak(*version)) {
            let limit = Duration::from_secs(self.timeout.into());
            // An agent that repeats the version, and speaks a lower one, is found by asking for both.
            let lowest = if self.agent.may_speak(1) { 1 } else { version };
            let connected =
                self.agent.connect_with(Nobody, |options| options.request_timeout(limit).versions(lowest..=version));
            match connected.await {
                Ok(connection) if connection.version() != version => {
                    if connection.agent().protocol_version.0 == version {
                        let error = "the agent agrees to it, and answers in the form of version 1";
                        report.failed.push(json!({"protocol": version, "error": error}));
                    }
                    let _ = connection.close().await;
                }
                Ok(connection) => {
                    let mut spoken = self.spoken(&connection, folder.clone()).await;
                    // The client reads no drafts, so the judge does. That the agent starts was seen just now.
                    spoken.drafts = check::drafts(&self.agent, version).await.unwrap_or_default();
                    report.versions.push(spoken);
                    let _ = connection.close().await;
                }
                Err(failure) if failure.is_of_version() => last = Some(failure),
                // An agent that fails when it is asked for one version may still speak the other.
                Err(failure) if failure.exit == Exit::NotRun && !failure.is_of_start() => {
                    report.failed.push(json!({"protocol": version, "error": failure.text}));
                    last = Some(failure);
                }
                Err(failure) => return Err(failure),
            }
        }
        if let (true, Some(failure)) = (report.versions.is_empty(), last) {
            return Err(failure);
        }
        let text = match self.format {
            Format::Text => show::text(&report),
            Format::Json => report.json(),
        };
        screen::write(&text).map_err(|error| Failure::output(&error))?;
        Ok(Exit::Done)
    }

    async fn spoken(&self, connection: &Connection, folder: PathBuf) -> Spoken {
        let agent = connection.agent();
        let capabilities = json!(agent.agent_capabilities);
        let opened = connection.new_session(folder.clone()).await;
        let session = match &opened {
            Ok(session) => Ok(self.opened(session).await),
            Err(error) => Err(report::Unopened {
                needs_login: matches!(error.kind(), ErrorKind::AuthRequired { .. }),
                error: error.to_string(),
            }),
        };
        let methods = probe::all(connection, opened.ok().as_ref(), &folder).await;
        Spoken {
            protocol: connection.version(),
            agent: json!(agent.agent_info),
            // Those of version 2 have another shape, which the values do not have.
            capabilities: original(agent.agent_capabilities.meta.as_ref()).cloned().unwrap_or(capabilities),
            drafts: Vec::new(),
            logins: json!(agent.auth_methods),
            session,
            methods,
        }
    }

    async fn opened(&self, session: &Session) -> Opened {
        // Without commands, there is nothing to wait for but the time.
        let reported = async { while session.commands().is_empty() && session.next_update().await.is_some() {} };
        let _ = timeout(Duration::from_millis(self.wait), reported).await;
        Opened {
            options: session.options().iter().map(option).collect(),
            modes: json!(session.modes()),
            commands: json!(session.commands()),
        }
    }
}
