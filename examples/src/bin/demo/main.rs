//! Drives the example agent `coder` as an editor does, and prints the events: `demo [AGENT]`.
//!
//! `script` has the client's steps and the expected results, `turn` runs one prompt, `editor` answers the agent's
//! requests, and `screen` prints. Without AGENT, the demo starts its own program as the agent, so that you need not
//! build another one (`demo --serve STORE` is `coder --store STORE`). Exit code 0 means that every result was as
//! expected.

#![expect(clippy::print_stdout, reason = "a transcript for people; only `--serve` speaks the protocol on stdout")]

mod editor;
mod screen;
mod script;
mod turn;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{self, ExitCode},
    sync::Arc,
};

use acp_client::Endpoint;
use acp_examples::coder;
use screen::Screen;
use tokio::process::Command;

/// A result with any error, for people.
type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<_> = env::args_os().skip(1).collect();
    let told = match &args[..] {
        [] => demo(None).await,
        [flag, store] if flag == "--serve" => coder::serve(Some(PathBuf::from(store))).await,
        [agent] if !agent.to_string_lossy().starts_with('-') => demo(Some(Path::new(agent))).await,
        _ => {
            eprintln!(
                "usage: demo [AGENT]\n\nDrives an agent (this example's own, if none is named) and prints what happens."
            );
            return ExitCode::from(2);
        }
    };
    match told {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("demo: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn demo(agent: Option<&Path>) -> Result<()> {
    let folder = Folder::new()?;
    let store = folder.0.join("sessions.db");
    let project = folder.0.join("project");
    fs::create_dir(&project)?;
    let mut program;
    match agent {
        Some(agent) => {
            program = Command::new(agent);
            program.arg("--store");
        }
        None => {
            program = Command::new(env::current_exe()?);
            program.arg("--serve");
        }
    }
    program.arg(store);
    script::play(Endpoint::command(program), &project, &Arc::new(Screen::new())).await
}

/// A folder that is removed when the demo ends.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        // The agent reports absolute paths without links, and a temporary directory may be a link.
        let folder = env::temp_dir().canonicalize()?.join(format!("acp-demo-{}", process::id()));
        fs::create_dir(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("demo: {} is left behind: {error}", self.0.display());
        }
    }
}
