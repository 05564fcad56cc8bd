//! `methods`: the method table.

use std::path::PathBuf;
use std::process::ExitCode;

use acp_codegen::diff::{Method, Surface};
use clap::Args;

use super::workspace::{self, Workspace};
use super::{Result, print};

/// Shows the methods of a schema.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  acp-codegen methods
  acp-codegen methods --schema schema/v1/schema.json | grep terminal")]
pub(super) struct Methods {
    /// The schema; the default is the schemas of the workspace around the current folder
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
}

impl Methods {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let schemas = match &self.schema {
            Some(schema) => vec![schema.clone()],
            None => Workspace::find()?.widest_schemas()?,
        };
        let mut out = String::new();
        for schema in &schemas {
            let surface = Surface::read(&workspace::builder(schema))?;
            if schemas.len() > 1 {
                let bold = anstyle::Style::new().bold();
                let gap = if out.is_empty() { "" } else { "\n" };
                out.push_str(&format!("{gap}{bold}{}{bold:#}\n", schema.display()));
            }
            out.push_str(&table(&surface.methods));
        }
        print(&out)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn table(methods: &[Method]) -> String {
    let head = ["METHOD", "SIDE", "KIND", "HANDLER", "PARAMS", "RESPONSE", "STATE"].map(str::to_owned);
    let mut rows = vec![head];
    rows.extend(methods.iter().map(|method| {
        let Method { wire, handler: _, side, kind, params, response, messages: _, draft } = method;
        let handler = method.agents_handler().unwrap_or("-");
        let state = if *draft { "draft" } else { "stable" };
        let response = response.as_deref().unwrap_or("-");
        [wire.as_str(), side, kind, handler, params, response, state].map(str::to_owned)
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(width);
    let mut out = String::new();
    for row in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
    out
}
