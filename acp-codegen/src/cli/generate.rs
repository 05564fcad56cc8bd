//! `generate`: makes Rust code from a schema, to a file or to stdout.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use acp_codegen::Builder;
use clap::Args;

use super::{Result, print, tell};

/// A schema of at least this size in bytes takes over a second. The published schemas have a fifth of it.
const LARGE: u64 = 1 << 20;

/// Generates Rust types from a schema, to a file or to stdout.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  acp-codegen generate --schema schema/v1/schema.json --overlay schema/v1/overlay.json --out v1.rs
  acp-codegen generate --schema schema.json --overlay acme.json --crate-path ::acp_schema --out acme.rs
  acp-codegen generate --schema vendor.json | less")]
pub(super) struct Generate {
    /// The schema, as the ACP SDK packages ship it
    #[arg(long, value_name = "FILE")]
    schema: PathBuf,
    /// A file with additions to the schema; may be given several times
    #[arg(long, value_name = "FILE")]
    overlay: Vec<PathBuf>,
    /// The path of `acp-schema` in the code: `::acp_schema` in a crate without the runtime
    #[arg(long, value_name = "PATH", default_value = "::acp_runtime::schema")]
    crate_path: String,
    /// The file to replace; the default is stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Generate {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let Self { schema, overlay, crate_path, out } = self;
        let builder = Builder::new().schema(schema).crate_path(crate_path);
        let builder = overlay.iter().fold(builder, |builder, path| builder.overlay(path));
        if fs::metadata(schema).is_ok_and(|metadata| metadata.len() > LARGE) {
            tell(format_args!("generating from {}, which is large", schema.display()));
        }
        let generated = builder.generate()?;
        for entry in &generated.unused {
            tell(format_args!("note: an entry of an overlay matches nothing here: {entry}"));
        }
        match out {
            None => print(&generated.rust)?,
            Some(path) if generated.write(path)? => tell(format_args!("{} written", path.display())),
            Some(path) => tell(format_args!("{} is up to date", path.display())),
        }
        Ok(ExitCode::SUCCESS)
    }
}
