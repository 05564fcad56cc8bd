//! `check`: compares the workspace with its manifest and its schemas. It is for CI.

use std::fs;
use std::process::ExitCode;

use clap::Args;

use super::workspace::{self, Workspace};
use super::{Result, print, tell};

/// Checks that the schemas are as published, and that all generated files are up to date.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 all is up to date, 1 something is not (each is named), 3 an error.

Example:
  acp-codegen check || acp-codegen pull $(jq -r .version schema/manifest.json)")]
pub(super) struct Check {}

impl Check {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let workspace = Workspace::find()?;
        let stale = stale(&workspace)?;
        if stale.is_empty() {
            print("everything is up to date\n")?;
            return Ok(ExitCode::SUCCESS);
        }
        print(&stale.iter().map(|line| format!("{line}\n")).collect::<String>())?;
        Ok(ExitCode::from(1))
    }
}

/// A line for every file that is out of date.
fn stale(workspace: &Workspace) -> Result<Vec<String>> {
    let manifest = workspace.manifest()?;
    let schema = workspace.schema();
    let mut stale = Vec::new();
    for entry in &manifest.files {
        let path = schema.join(&entry.path);
        match fs::read(&path) {
            Err(error) => stale.push(format!("schema/{}: {error}", entry.path)),
            Ok(content) if workspace::digest(&content) != entry.sha256 => {
                stale.push(format!("schema/{}: not as published in {}", entry.path, manifest.version));
            }
            Ok(_) => {}
        }
    }
    if !stale.is_empty() {
        tell(format_args!(
            "`acp-codegen pull {}` brings the published schemas back; `acp-codegen regenerate` makes all files of those that are here",
            manifest.version
        ));
        // If these files are wrong, the files that depend on them are wrong, too.
        return Ok(stale);
    }
    for entry in workspace::unused(&schema, &manifest)? {
        stale.push(format!("an entry of an overlay matches nothing any more: {entry}"));
    }
    for (path, content) in workspace.generated(&schema, &workspace.moved()?)? {
        if fs::read(&path).ok() != Some(content) {
            let path = path.strip_prefix(workspace.root()).unwrap_or(&path);
            stale.push(format!("{}: out of date", path.display()));
        }
    }
    Ok(stale)
}
