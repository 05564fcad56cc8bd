//! The two commands, and the agent that both drive.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{Result, build::build};

/// The version that is compared with.
const ACPX: &str = "acpx@0.19.1";
/// The bytes of the one update that the agent answers with.
pub const BYTES: usize = 100;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    Acpx,
    Ours,
}

pub struct Program {
    path: PathBuf,
    name: Name,
}

pub struct Programs {
    pub ours: Program,
    pub acpx: Program,
    pub agent: PathBuf,
    /// Where files of a run may be.
    pub folder: PathBuf,
}

impl Programs {
    pub fn prepare() -> Result<Self> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = here.join("../target/command");
        fs::create_dir_all(&folder)?;
        let agent = build("bench-ours")?;
        let workspace = here.join("../../..");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        done(Command::new(cargo).args(["build", "--release", "--package", "acp-command"]).current_dir(&workspace))?;
        let ours = workspace.join("target/release/acp").canonicalize()?;
        fs::write(folder.join("package.json"), "{\"private\":true}\n")?;
        done(Command::new("npm").args(["install", "--no-audit", "--no-fund", ACPX]).current_dir(&folder))?;
        let acpx = folder.join("node_modules/.bin/acpx").canonicalize()?;
        Ok(Self {
            ours: Program { path: ours, name: Name::Ours },
            acpx: Program { path: acpx, name: Name::Acpx },
            agent,
            folder,
        })
    }
}

impl Program {
    pub fn version(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.arg("--version");
        command
    }

    /// One prompt, whose answer is one update.
    pub fn exec(&self, agent: &Path) -> Command {
        let mut command = Command::new(&self.path);
        let prompt = format!("stream 1 {BYTES}");
        match self.name {
            Name::Ours => command.args(["exec", "--format", "text", &prompt, "--"]).arg(agent),
            Name::Acpx => command.arg("--agent").arg(agent).args(["--format", "text", "exec", &prompt]),
        };
        command
    }

    pub fn replay(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.arg("replay");
        command
    }
}

fn done(command: &mut Command) -> Result<()> {
    let status =
        command.stdout(std::process::Stdio::null()).status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} has failed: {status}").into()) }
}
