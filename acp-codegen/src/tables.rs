//! The methods of several versions of the protocol side by side: as a source file for the macros, and as a page to read.

use std::fmt::Write as _;

use crate::emit::macro_table;
use crate::error::{Location, Result};
use crate::model::{Kind, Method, Side};
use crate::{Builder, format};

/// The method table of all versions, in its two forms.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Tables {
    /// The source file that `acp-macros` knows the methods by.
    pub macros: String,
    /// A page of Markdown: every method with its side, kind, params, response, state and versions.
    pub page: String,
}

/// A method, as each version that has it describes it.
#[derive(Debug)]
pub(crate) struct Row(Vec<(u8, Method)>);

impl Row {
    /// As the lowest version has it.
    pub(crate) fn first(&self) -> &Method {
        &self.0[0].1
    }

    pub(crate) fn versions(&self) -> impl Iterator<Item = u8> {
        self.0.iter().map(|(version, _)| *version)
    }

    /// No version has it in its stable schema.
    pub(crate) fn is_draft(&self) -> bool {
        self.0.iter().all(|(_, method)| method.draft)
    }

    fn is(&self, other: &Method) -> bool {
        let key = |method: &Method| (method.wire.clone(), method.side, method.kind);
        key(self.first()) == key(other)
    }
}

/// Reads the versions, lowest first, and puts their methods side by side. What a version's [`Builder::stable`] schema
/// lacks is a draft.
///
/// # Errors
///
/// Those of [`Builder::generate`].
pub fn tables(versions: &[(u8, Builder)]) -> Result<Tables> {
    let mut rows: Vec<Row> = Vec::new();
    for (version, builder) in versions {
        let (_, _, model) = builder.read()?;
        for method in model.methods {
            match rows.iter_mut().find(|row| row.is(&method)) {
                Some(row) => row.0.push((*version, method)),
                None => rows.push(Row(vec![(*version, method)])),
            }
        }
    }
    let whole = || Location {
        file: versions.first().map(|(_, b)| b.schema.clone()).unwrap_or_default(),
        pointer: String::new(),
    };
    let table = format::source(macro_table::table(&rows), whole)?;
    Ok(Tables { macros: format!("{}{table}", macro_table::HEADER), page: page(&rows) })
}

const INTRODUCTION: &str = "\
The methods of the protocol, by who receives them.

Types of stable methods of version 1 are in [`v1`](crate::v1). Drafts come with the feature `unstable`, and may change or
go; version 2 is `v2`, with the feature `v2`.
";

fn page(rows: &[Row]) -> String {
    let mut out = INTRODUCTION.to_owned();
    let sides = [
        (Side::Agent, "Received by the agent"),
        (Side::Client, "Received by the client"),
        (Side::Protocol, "Received by both"),
        (Side::Proxy, "Received by a proxy between the two"),
    ];
    for (side, title) in sides {
        let of_side: Vec<&Row> = rows.iter().filter(|row| row.first().side == side).collect();
        if of_side.is_empty() {
            continue;
        }
        let _ = write!(
            out,
            "\n# {title}\n\n| method | kind | params | response | state | versions |\n|---|---|---|---|---|---|\n"
        );
        for row in of_side {
            line(&mut out, row);
        }
    }
    out
}

fn line(out: &mut String, row: &Row) {
    let first = row.first();
    let kind = match first.kind {
        Kind::Request => "request",
        Kind::Notification => "notification",
    };
    let state = if row.is_draft() { "draft" } else { "stable" };
    let params = names(row, |method| Some(&method.params));
    let response = names(row, |method| method.response.as_ref());
    let versions: Vec<String> = row.versions().map(|version| version.to_string()).collect();
    let versions = versions.join(", ");
    let _ = writeln!(out, "| `{}` | {kind} | {params} | {response} | {state} | {versions} |", first.wire);
}

/// The name of a type in each version, if it differs.
fn names<'a>(row: &'a Row, of: impl Fn(&'a Method) -> Option<&'a String>) -> String {
    let mut out = String::new();
    let mut last = None;
    for (version, method) in &row.0 {
        let name = of(method);
        let Some(name) = name.filter(|_| name != last) else { continue };
        last = Some(name);
        let linked = *version == 1 && !method.draft;
        let separator = if out.is_empty() { "" } else { ", " };
        let _ = match linked {
            true => write!(out, "{separator}[`{name}`](crate::v1::{name})"),
            false => write!(out, "{separator}`v{version}::{name}`"),
        };
    }
    out
}
