//! `regenerate`: writes the generated files anew, from the schemas that lie in the workspace.

use std::process::ExitCode;

use clap::Args;

use super::workspace::{self, Workspace};
use super::{Result, feature_sets, tell};

/// Regenerates all files that depend on the schemas, from the schemas that are here: also from one that was edited, or that is not
/// published.
///
/// Copy the schema over `schema/v1/schema.json`, or edit it there, together with `schema.unstable.json`: the types, and most tables, are made
/// of the file with drafts if there is one. The manifest stays as it is, so `check` names such a schema until `pull` replaces it.
/// If code cannot be generated, this is an error, and all files stay as they were.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  cp ~/proposal.json schema/v1/schema.unstable.json && acp-codegen regenerate && cargo test")]
pub(super) struct Regenerate {}

impl Regenerate {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let workspace = Workspace::find()?;
        let (schema, manifest) = (workspace.schema(), workspace.manifest()?);
        let unused = workspace::unused(&schema, &manifest)?;
        let written = acp_codegen::replace_all(&workspace.generated(&schema, &workspace.moved()?)?)?;
        for entry in manifest.changed(&schema)? {
            tell(format_args!("schema/{}: not as published in {}", entry.path, manifest.version));
        }
        for path in &written {
            tell(format_args!("{} written", path.strip_prefix(workspace.root()).unwrap_or(path).display()));
        }
        if written.is_empty() {
            tell(format_args!("all generated files are up to date"));
        }
        for entry in unused {
            tell(format_args!("warning: an entry matches nothing, take it out or correct it: {entry}"));
        }
        if !written.is_empty() {
            feature_sets::check(&workspace)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
