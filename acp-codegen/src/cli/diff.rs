//! `diff`: the changes between two schemas, shown as changes of the generated API.

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use acp_codegen::Builder;
use acp_codegen::diff::{self, Format, Surface, Verdict};
use clap::{Args, ValueEnum};

use super::workspace::{self, Workspace};
use super::{Failure, Result, fetch, npm, print};

/// Shows the changes between two schemas, as changes of the Rust API that is generated from them.
///
/// If a version has a schema with drafts, this schema is compared. New drafts and stabilised drafts are reported.
/// Drafts promise nothing, so their changes never count as breaking.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 the same API, 1 compatible changes, 2 breaking changes, 3 an error.

Examples:
  acp-codegen diff 2.3.0 2.4.0
  acp-codegen diff 1.9.0 2.4.0 --format markdown > CHANGES.md
  acp-codegen diff old/schema.json schema/v1/schema.json --format json | jq .verdict")]
pub(super) struct Diff {
    /// The older schema: a file, or a published version
    old: String,
    /// The newer schema: a file, or a published version
    new: String,
    /// The format in which the changes are printed
    #[arg(long, value_enum, default_value = "text")]
    format: Printed,
    /// The version of the protocol, if OLD or NEW is a published version
    #[arg(long, value_enum, default_value = "v1")]
    protocol: Protocol,
    /// Additions to the schemas; the default is the `overlay.json` beside a file, or the workspace's
    #[arg(long, value_name = "FILE")]
    overlay: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Printed {
    Text,
    Json,
    Markdown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Protocol {
    V1,
    V2,
}

impl Diff {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let (before, after) = (self.schema(&self.old)?, self.schema(&self.new)?);
        let drafts = before.with_file_name("schema.unstable.json");
        let drafts = if drafts.is_file() && !before.ends_with("schema.unstable.json") {
            Some(self.read(&drafts)?)
        } else {
            None
        };
        let diff = diff::compare(&self.read(&before)?, &self.read(&after)?, drafts.as_ref());
        let format = match self.format {
            Printed::Text => Format::Text,
            Printed::Json => Format::Json,
            Printed::Markdown => Format::Markdown,
        };
        print(&diff.report(format, &self.old, &self.new))?;
        Ok(match diff.verdict() {
            Verdict::Same => 0,
            Verdict::Compatible => 1,
            Verdict::Breaking => 2,
        }
        .into())
    }

    fn read(&self, schema: &Path) -> Result<Surface> {
        let builder = match self.overlay.as_slice() {
            [] => workspace::builder(schema),
            overlays => overlays.iter().fold(Builder::new().schema(schema), |builder, path| builder.overlay(path)),
        };
        Ok(Surface::read(&builder)?)
    }

    /// The file that an argument names.
    fn schema(&self, argument: &str) -> Result<PathBuf> {
        let path = Path::new(argument);
        if path.is_file() || path.extension().is_some_and(|end| end == "json") || path.components().count() > 1 {
            return Ok(path.to_owned());
        }
        if !npm::begins_as_version(argument) {
            return Err(Failure::Npm(format!(
                "`{argument}` is neither a file that is here nor a version such as 2.4.0"
            )));
        }
        let folder = fetch::version(argument, &cache())?;
        let candidates: &[&str] = match self.protocol {
            Protocol::V1 => &["v1/schema.unstable.json", "schema.json"],
            Protocol::V2 => &["v2/schema.unstable.json"],
        };
        let found = candidates.iter().map(|file| folder.join(file)).find(|path| path.is_file());
        found.ok_or_else(|| Failure::Npm(format!("version {argument} has no schema of this protocol version")))
    }
}

/// The folder for fetched schemas: below `target` if there is a workspace.
fn cache() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.or_else(|| Workspace::find().ok().map(|workspace| workspace.root().join("target")));
    target.unwrap_or_else(|| env::temp_dir().join("acp-codegen")).join("history")
}
