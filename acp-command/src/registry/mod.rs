//! `acp registry`: the work of those who keep a registry of agents, or send an entry to one.

mod addresses;
mod archives;
mod check;
mod entry;
mod icon;
mod init;
mod logins;
mod matrix;
mod problems;

use clap::{Args, Subcommand};

use crate::exit::{Exit, Failure};

/// Checks a registry of agents, or begins an entry for one.
#[derive(Debug, Args)]
pub(crate) struct Registry {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Check),
    Init(init::Init),
    Matrix(matrix::Matrix),
}

impl Registry {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        match &self.command {
            Command::Check(command) => command.run().await,
            Command::Init(command) => command.run(),
            Command::Matrix(command) => command.run().await,
        }
    }
}
