//! `methods`: the method table.

use std::path::PathBuf;
use std::process::ExitCode;

use acp_codegen::diff::{Method, Surface};
use clap::Args;

use super::workspace::{self, Workspace};
use super::{Result, print};

/// Shows the methods of the schemas of the workspace, or of one schema.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  acp-codegen methods
  acp-codegen methods --schema schema/v1/schema.json | grep terminal")]
pub(super) struct Methods {
    /// The schema; the default is all schemas of the workspace around the current folder, with a table for each version of the protocol
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
}

impl Methods {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let schemas = match &self.schema {
            Some(schema) => vec![schema.clone()],
            None => Workspace::find()?.schemas()?,
        };
        // The schemas of one version have most methods in common. A draft may be missing in one, and a method of one's own in the other.
        let mut versions: Vec<(Vec<PathBuf>, Vec<Method>)> = Vec::new();
        for schema in schemas {
            let methods = Surface::read(&workspace::builder(&schema))?.methods;
            match versions.last_mut().filter(|(read, _)| read.iter().any(|one| one.parent() == schema.parent())) {
                None => versions.push((vec![schema], methods)),
                Some((read, known)) => {
                    read.push(schema);
                    merge(known, methods);
                }
            }
        }
        let mut out = String::new();
        for (schemas, methods) in &versions {
            if versions.len() > 1 {
                let bold = anstyle::Style::new().bold();
                let gap = if out.is_empty() { "" } else { "\n" };
                let names: Vec<_> = schemas.iter().map(|schema| schema.display().to_string()).collect();
                out.push_str(&format!("{gap}{bold}{}{bold:#}\n", names.join(", ")));
            }
            out.push_str(&table(methods));
        }
        print(&out)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Adds the methods that only this schema has, each behind the one that stands before it there.
fn merge(known: &mut Vec<Method>, more: Vec<Method>) {
    let mut behind = 0;
    for method in more {
        match known.iter().position(|one| (&one.wire, one.side) == (&method.wire, method.side)) {
            Some(at) => behind = at + 1,
            None => {
                known.insert(behind, method);
                behind += 1;
            }
        }
    }
}

fn table(methods: &[Method]) -> String {
    let head = ["METHOD", "SIDE", "KIND", "HANDLER", "PARAMS", "RESPONSE", "STATE"].map(str::to_owned);
    let mut rows = vec![head];
    rows.extend(methods.iter().map(|method| {
        let Method { wire, side, kind, params, response, draft, .. } = method;
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
