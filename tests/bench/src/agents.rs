//! The programs. They are built one by one, because a common build would enable features of one program in another.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;

/// The kind of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// The official SDK over its own `Stdio`.
    Official,
    /// The official SDK over two threads.
    Threads,
    /// No SDK.
    Bare,
    /// This runtime.
    Ours,
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Official => "official",
            Self::Threads => "threads",
            Self::Bare => "bare",
            Self::Ours => "ours",
        })
    }
}

/// An agent, or a client of the bare agent, that is built and not started yet.
pub struct Agent {
    pub name: Name,
    pub program: PathBuf,
    pub args: &'static [&'static str],
}

pub struct Agents {
    agents: [Agent; 4],
    clients: [Agent; 2],
}

/// The side that a case measures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Agent,
    Client,
}

impl Agents {
    pub fn build() -> Result<Self> {
        let official = build("bench-official")?;
        let agents = [
            Agent { name: Name::Official, program: official.clone(), args: &[] },
            Agent { name: Name::Threads, program: official, args: &["threads"] },
            Agent { name: Name::Bare, program: build("bench-bare")?, args: &[] },
            Agent { name: Name::Ours, program: build("bench-ours")?, args: &[] },
        ];
        let clients = [
            Agent { name: Name::Official, program: build("bench-client-official")?, args: &[] },
            Agent { name: Name::Ours, program: build("bench-client-ours")?, args: &[] },
        ];
        Ok(Self { agents, clients })
    }

    pub fn all(&self, side: Side) -> &[Agent] {
        match side {
            Side::Agent => &self.agents,
            Side::Client => &self.clients,
        }
    }

    /// The agent that clients are connected to.
    pub fn bare(&self) -> &Agent {
        &self.agents[2]
    }
}

/// Builds a package of this workspace, and returns the place of its program.
fn build(package: &str) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--release", "--message-format=json-render-diagnostics", "--package", package])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .stderr(Stdio::inherit())
        .output()?;
    if !built.status.success() {
        return Err(format!("`{package}` does not build").into());
    }
    let messages = built.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
    let program = messages.filter_map(|message: serde_json::Value| Some(message["executable"].as_str()?.into())).next_back();
    program.ok_or_else(|| format!("cargo did not say where the program of `{package}` is").into())
}
