//! The methods as a page for people.

use std::fmt::Write as _;

use super::row::Row;
use crate::model::{Kind, Method, Side};

const INTRODUCTION: &str = "\
The methods of the protocol, grouped by their receivers.

Types of stable methods of version 1 are in [`v1`](crate::v1). Drafts come with the feature `unstable`, and may change or
be removed. The types of version 2 are in `v2`, with the feature `v2`.
";

pub(super) fn page(rows: &[Row]) -> String {
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

/// The names of a type in the versions; only one if they are the same.
fn names<'a>(row: &'a Row, of: impl Fn(&'a Method) -> Option<&'a String>) -> String {
    let mut out = String::new();
    let mut last = None;
    for (version, method) in row.methods() {
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
