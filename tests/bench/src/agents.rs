//! The programs. They are built one by one, because a common build would enable features of one program in another.

use std::path::PathBuf;

use crate::{Result, build::build};

/// The kind of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// The official SDK over its own `Stdio`.
    Official,
    /// The official SDK over two threads.
    Threads,
    /// No SDK.
    Bare,
    /// This runtime, with a file of JSON for each session.
    Folder,
    /// This runtime. Sessions that are kept are in its store.
    Ours,
    /// This runtime without a store, beside the following ones.
    Plain,
    /// This runtime with a store in memory.
    Memory,
    /// This runtime with a store of SQLite whose commits outlive the process.
    Fast,
    /// This runtime with a store of SQLite whose commits outlive a loss of power.
    Durable,
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Official => "official",
            Self::Threads => "threads",
            Self::Bare => "bare",
            Self::Folder => "folder",
            Self::Ours => "ours",
            Self::Plain => "plain",
            Self::Memory => "memory",
            Self::Fast => "fast",
            Self::Durable => "durable",
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
    agents: Vec<Agent>,
    clients: Vec<Agent>,
    keepers: Vec<Agent>,
    stores: Vec<Agent>,
}

/// The side that a case measures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Agent,
    Client,
    /// Agents that keep sessions.
    Keeper,
    /// One agent on several stores, and without one.
    Store,
}

impl Agents {
    /// Builds the programs of these sides.
    pub fn build(sides: &[Side]) -> Result<Self> {
        let (mut agents, mut clients, mut keepers, mut stores) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let agent = |name, program, args| Agent { name, program, args };
        if sides.contains(&Side::Agent) {
            let official = build("bench-official")?;
            agents.push(agent(Name::Official, official.clone(), &[]));
            agents.push(agent(Name::Threads, official, &["threads"]));
            agents.push(agent(Name::Ours, build("bench-ours")?, &[]));
        }
        if sides.contains(&Side::Client) {
            clients.push(agent(Name::Official, build("bench-client-official")?, &[]));
            clients.push(agent(Name::Ours, build("bench-client-ours")?, &[]));
        }
        if sides.contains(&Side::Agent) || sides.contains(&Side::Client) {
            agents.push(agent(Name::Bare, build("bench-bare")?, &[]));
        }
        if sides.contains(&Side::Keeper) {
            let program = build("bench-history")?;
            keepers.push(agent(Name::Folder, program.clone(), &["folder"]));
            keepers.push(agent(Name::Ours, program, &["store"]));
        }
        if sides.contains(&Side::Store) {
            let program = build("bench-stores")?;
            let kinds: [(_, &[_]); 4] = [
                (Name::Plain, &["none"]),
                (Name::Memory, &["memory"]),
                (Name::Fast, &["fast"]),
                (Name::Durable, &["durable"]),
            ];
            stores.extend(kinds.map(|(name, args)| agent(name, program.clone(), args)));
        }
        Ok(Self { agents, clients, keepers, stores })
    }

    pub fn all(&self, side: Side) -> &[Agent] {
        match side {
            Side::Agent => &self.agents,
            Side::Client => &self.clients,
            Side::Keeper => &self.keepers,
            Side::Store => &self.stores,
        }
    }

    /// The agent that clients are connected to.
    pub fn bare(&self) -> Result<&Agent> {
        self.agents.iter().find(|agent| agent.name == Name::Bare).ok_or_else(|| "the bare agent is not built".into())
    }
}
