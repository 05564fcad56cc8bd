//! How an agent is named, and the connection to it.

mod registry;

use std::{ffi::OsString, fs, path::PathBuf, time::Duration};

use acp_client::{ConnectOptions, Connection, Endpoint, Handlers, Stderr, http::Http, values::Implementation};
use clap::Args;
use tokio::process::Command;

use crate::exit::Failure;

pub(crate) use self::registry::{ids, packages};

/// The arguments that name an agent.
#[derive(Debug, Args)]
#[command(next_help_heading = "The agent")]
pub(crate) struct AgentArgs {
    /// The agent's id in the registry's file, or its URL (`https:`, `http:`, `wss:` or `ws:`).
    #[arg(long, value_name = "ID|URL", conflicts_with = "command")]
    agent: Option<String>,
    /// The registry's file, or a checkout of the registry. [default: the variable ACP_REGISTRY]
    #[arg(long, value_name = "PATH")]
    registry: Option<PathBuf>,
    /// A header for each request to a URL, `Name: value`. Other users of this machine can see it: use `--token-file` for a secret.
    #[arg(long, value_name = "HEADER")]
    header: Vec<String>,
    /// A file with a token for a URL. It is sent as `Authorization: Bearer`.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Speak only this version of the protocol. [default: the highest that both speak]
    #[arg(long, value_name = "VERSION", value_parser = clap::value_parser!(u16).range(1..=2))]
    protocol: Option<u16>,
    /// How many seconds the agent has for its first answer. Some agents install themselves first.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    start_timeout: u32,
    /// Show what the agent writes to its stderr. [default: its last lines, if something fails]
    #[arg(long)]
    show_stderr: bool,
    /// The agent's program and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Where an agent is.
pub(crate) enum Place {
    Program(Command),
    Url(Http),
}

impl AgentArgs {
    /// An agent of a registry, by its id.
    pub(crate) fn of_registry(id: &str, registry: PathBuf, start_timeout: u32) -> Self {
        Self {
            agent: Some(id.to_owned()),
            registry: Some(registry),
            header: Vec::new(),
            token_file: None,
            protocol: None,
            start_timeout,
            show_stderr: false,
            command: Vec::new(),
        }
    }

    /// Connects to the agent.
    pub(crate) async fn connect<C: Handlers>(&self, client: C) -> Result<Connection, Failure> {
        self.connect_with(client, |options| match self.protocol {
            Some(version) => options.versions(version..=version),
            None => options,
        })
        .await
    }

    /// As [`connect`](Self::connect), with options of the command.
    pub(crate) async fn connect_with<C: Handlers>(
        &self,
        client: C,
        options: impl FnOnce(ConnectOptions) -> ConnectOptions,
    ) -> Result<Connection, Failure> {
        let options = options(
            ConnectOptions::new()
                .initialize_timeout(Duration::from_secs(self.start_timeout.into()))
                .info(Implementation::new("acp", env!("CARGO_PKG_VERSION"))),
        );
        Ok(match self.place()? {
            Place::Program(command) => {
                let stderr = if self.show_stderr { Stderr::Forward } else { Stderr::Keep };
                Endpoint::command(command).stderr(stderr).options(options).connect_as(client).await?
            }
            Place::Url(http) => Endpoint::over(http).options(options).connect_as(client).await?,
        })
    }

    /// Whether the user wants this version.
    pub(crate) fn may_speak(&self, version: u16) -> bool {
        self.protocol.is_none_or(|wanted| wanted == version)
    }

    /// How many seconds the agent has for its first answer.
    pub(crate) fn start_timeout(&self) -> u32 {
        self.start_timeout
    }

    pub(crate) fn shows_stderr(&self) -> bool {
        self.show_stderr
    }

    pub(crate) fn place(&self) -> Result<Place, Failure> {
        if let Some(url) = self.agent.as_deref().filter(|agent| agent.contains("://")) {
            return Ok(Place::Url(self.http(url)?));
        }
        if !self.header.is_empty() || self.token_file.is_some() {
            let text = "`--header` and `--token-file` are for an agent behind a URL, and this one is a program: leave them out";
            return Err(Failure::usage(text));
        }
        self.program().map(Place::Program)
    }

    /// The command behind `--`, as it was written.
    pub(crate) fn words(&self) -> &[OsString] {
        &self.command
    }

    /// The command that starts the agent.
    pub(crate) fn program(&self) -> Result<Command, Failure> {
        if let Some(id) = &self.agent {
            if id.contains("://") {
                let text = format!(
                    "a process of the agent is needed, and {id} is a URL: put the agent's command line after `--`"
                );
                return Err(Failure::usage(text));
            }
            return registry::command(id, self.registry.clone()).map(Command::from);
        }
        let Some((program, arguments)) = self.command.split_first() else {
            let text = "no agent is named: put its command line after `--`, or name it with `--agent ID|URL`";
            return Err(Failure::usage(text));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        Ok(command)
    }

    fn http(&self, url: &str) -> Result<Http, Failure> {
        let mut http = Http::new(url);
        for header in &self.header {
            let Some((name, value)) = header.split_once(':') else {
                let text = format!("`--header {header}` has no colon: write `Name: value`");
                return Err(Failure::usage(text));
            };
            http = http.header(name.trim(), value.trim());
        }
        if let Some(path) = &self.token_file {
            let shown = path.display();
            let token = fs::read_to_string(path)
                .map_err(|error| Failure::usage(format!("the file of the token, {shown}, cannot be read: {error}")))?;
            if token.trim().is_empty() {
                return Err(Failure::usage(format!("the file of the token, {shown}, is empty")));
            }
            http = http.bearer(token.trim());
        }
        Ok(http)
    }
}

/// What is wrong with the version in the agent's answer to `initialize`, if it is not the one that it is spoken to in.
pub(crate) fn misnamed_version(connection: &Connection) -> Option<String> {
    let (named, spoken) = (connection.agent().protocol_version.0, connection.version());
    (named != spoken).then(|| {
        format!("the agent agrees to version {named} of the protocol in the form of version {spoken}, and is spoken to in version {spoken}: its answer to `initialize` has to say `\"protocolVersion\": {spoken}`")
    })
}
