//! `acp completions` and `acp man`: what shells and the manual know of the arguments.

use std::{fs, path::PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man as Page;

use crate::{
    exit::{Exit, Failure},
    screen,
};

/// Writes the completions of a shell to stdout.
///
/// For bash: `acp completions bash > ~/.local/share/bash-completion/completions/acp`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, acp: &mut Command) -> Result<Exit, Failure> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, acp, "acp", &mut text);
        screen::write(&String::from_utf8_lossy(&text)).map_err(|error| Failure::output(&error))?;
        Ok(Exit::Done)
    }
}

/// Writes the pages of the manual.
///
/// Without `--dir`, the page of `acp` goes to stdout: `acp man | man -l -`.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The folder for all pages: `acp.1`, and one for each command, as `acp-exec.1`.
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self, acp: Command) -> Result<Exit, Failure> {
        // The page of each command says what `acp help` does.
        let acp = acp.disable_help_subcommand(true);
        let Some(dir) = &self.dir else {
            let mut text = Vec::new();
            Page::new(acp).render(&mut text).map_err(|error| Failure::output(&error))?;
            screen::write(&String::from_utf8_lossy(&text)).map_err(|error| Failure::output(&error))?;
            return Ok(Exit::Done);
        };
        fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(acp, dir)).map_err(|error| {
            Failure::new(Exit::Failed, format!("the pages cannot be written to {}: {error}", dir.display()))
        })?;
        Ok(Exit::Done)
    }
}
