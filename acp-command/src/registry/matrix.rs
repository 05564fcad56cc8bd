//! `acp registry matrix`: each agent of a registry against each method, on both versions of the protocol.

use std::{collections::BTreeMap, fs, path::PathBuf, time::Duration};

use acp_client::{Connection, acp_client};
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::{
    agent::{self, AgentArgs},
    exit::{Exit, Failure},
    inspect::probe::{self, Served},
    screen,
};

/// The version of the JSON.
const SCHEMA: u32 = 1;

const HELP: &str = "\
Each agent is started twice, once for each version, in an empty folder. A session is opened, and each method that a capability announces is \
called once, most of them for a session that does not exist. No prompt is sent, and nobody is logged in. An agent that fails stops no other.

  ok       it answered, be it with an error for what was asked
  auth     it wants a login first
  no       it does not advertise the method, and does not serve it
  missing  it advertises the method, and does not serve it
  hidden   it serves the method, and does not advertise it
  timeout  it did not answer in time
  decode   the answer has another shape than the protocol's
  ended    the agent ended
  n/a      it could not be asked: it does not speak the version, or did not start

The exit code is 0 if all agents were asked, however they answered.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table, with the reasons of failures below it.
    Markdown,
    /// One JSON object, with the number of its `schema`.
    Json,
}

/// Shows what each agent of a registry serves.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct Matrix {
    /// The registry's file, or a checkout of the registry.
    registry: PathBuf,
    /// Only this agent. Can be repeated.
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
    /// The file for what is printed. [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How many seconds an agent has for its first answer. Some install themselves first.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    start_timeout: u32,
    /// How many seconds an agent has for each other answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    timeout: u32,
}

/// A client that offers nothing but logins, because agents show more ways to it.
struct Nobody;

#[acp_client(auth(terminal))]
impl Nobody {}

/// One agent on one version.
struct Row {
    id: String,
    version: u16,
    cells: BTreeMap<&'static str, &'static str>,
    /// Why it could not be asked.
    error: Option<String>,
}

impl Matrix {
    pub(super) async fn run(&self) -> Result<Exit, Failure> {
        let mut ids = agent::ids(&self.registry)?;
        if let Some(unknown) = self.only.iter().find(|id| !ids.contains(id)) {
            return Err(Failure::usage(format!("the registry {} has no agent `{unknown}`", self.registry.display())));
        }
        ids.retain(|id| self.only.is_empty() || self.only.contains(id));
        let folder = tempfile::tempdir()
            .map_err(|error| Failure::not_run(format!("there is no folder for the sessions: {error}")))?;
        let mut rows = Vec::new();
        for id in ids {
            for version in [1, 2] {
                screen::tell(format_args!("{id}, version {version}"));
                rows.push(self.row(&id, version, folder.path()).await);
            }
        }
        let text = match self.format {
            Format::Markdown => markdown(&rows),
            Format::Json => json(&rows),
        };
        match &self.output {
            None => screen::write(&text).map_err(|error| Failure::output(&error))?,
            Some(file) => fs::write(file, text).map_err(|error| {
                Failure::new(Exit::Failed, format!("{} cannot be written: {error}", file.display()))
            })?,
        }
        Ok(Exit::Done)
    }

    async fn row(&self, id: &str, version: u16, folder: &std::path::Path) -> Row {
        let mut row = Row { id: id.to_owned(), version, cells: BTreeMap::new(), error: None };
        let agent = AgentArgs::of_registry(id, self.registry.clone(), self.start_timeout);
        let limit = Duration::from_secs(self.timeout.into());
        let connected =
            agent.connect_with(Nobody, |options| options.request_timeout(limit).versions(version..=version));
        match connected.await {
            Ok(connection) => {
                asked(&mut row, &connection, folder).await;
                let _ = connection.close().await;
            }
            Err(failure) => {
                row.cells.insert("initialize", if failure.is_of_version() { "n/a" } else { "ended" });
                row.error = Some(failure.text);
            }
        }
        row
    }
}

async fn asked(row: &mut Row, connection: &Connection, folder: &std::path::Path) {
    row.cells.insert("initialize", "ok");
    let opened = connection.new_session(folder).await;
    row.cells.insert("session/new", word(true, Served::of(opened.as_ref().map(drop).map_err(Clone::clone))));
    row.error = opened.as_ref().err().map(ToString::to_string);
    for probe in probe::all(connection, opened.ok().as_ref(), folder).await {
        row.cells.insert(probe.method, word(probe.advertised, probe.served));
    }
}

fn word(advertised: bool, served: Served) -> &'static str {
    match (served, advertised) {
        (Served::Yes, true) => "ok",
        (Served::Yes, false) => "hidden",
        (Served::No, true) => "missing",
        (Served::No, false) => "no",
        (Served::Login, _) => "auth",
        (Served::Silent, _) => "timeout",
        (Served::Unreadable, _) => "decode",
        (Served::Ended, _) => "ended",
    }
}

/// All methods that some agent was asked for: those that open come first.
fn methods(rows: &[Row]) -> Vec<&'static str> {
    let mut all: Vec<_> = rows.iter().flat_map(|row| row.cells.keys().copied()).collect();
    all.sort_by_key(|method| (*method != "initialize", *method != "session/new", *method));
    all.dedup();
    all
}

fn markdown(rows: &[Row]) -> String {
    let methods = methods(rows);
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head = ["agent", "version"].iter().chain(&methods).map(ToString::to_string);
    let mut text = line(head.collect());
    text.push_str(&line(vec!["---".to_owned(); methods.len() + 2]));
    for row in rows {
        let cells = methods.iter().map(|method| row.cells.get(method).copied().unwrap_or("n/a").to_owned());
        let first = [row.id.replace('|', "\\|"), row.version.to_string()];
        text.push_str(&line(first.into_iter().chain(cells).collect()));
    }
    for Row { id, version, error, .. } in rows {
        if let Some(error) = error {
            let error = error.lines().map(str::trim).collect::<Vec<_>>().join(" ");
            text.push_str(&format!("\n- `{id}`, version {version}: {}", screen::visible(&error)));
        }
    }
    text.push('\n');
    text
}

fn json(rows: &[Row]) -> String {
    let agents: Vec<_> = rows
        .iter()
        .map(|Row { id, version, cells, error }| json!({ "id": id, "version": version, "methods": cells, "error": error }))
        .collect();
    format!("{:#}\n", json!({ "schema": SCHEMA, "agents": agents }))
}
