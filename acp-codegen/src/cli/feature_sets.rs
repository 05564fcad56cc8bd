//! The last step of `pull`: the compiler checks the crates with each set of features that depends on the schema. The files
//! are written already, because the code that a new schema needs is written by hand.

use std::env;
use std::process::Command;

use super::workspace::Workspace;
use super::{Failure, Result, tell};

/// None, the drafts, version 2, and both.
const SETS: [&str; 4] = ["", "unstable", "v2", "unstable,v2"];
const RUNTIME: &str = "acp-agent-runtime";

/// # Errors
///
/// Some sets do not compile.
pub(super) fn check(workspace: &Workspace) -> Result<()> {
    if !workspace.root().join("Cargo.toml").is_file() {
        return Ok(());
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut failed = Vec::new();
    for set in SETS {
        let name = if set.is_empty() { "no features" } else { set };
        tell(format_args!("checking {RUNTIME} with {name}"));
        let mut command = Command::new(&cargo);
        command.current_dir(workspace.root()).args(["check", "--quiet", "-p", RUNTIME]);
        let status = command.args(["--no-default-features", "--features", set]).status()?;
        if !status.success() {
            failed.push(name);
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(Failure::Workspace(format!(
        "the files are written, and {RUNTIME} does not compile with {}; the errors above name the code to change",
        failed.join(", and with ")
    )))
}
