//! Tables for several versions of the protocol together: their methods, as a source file for the macros and as a page
//! for people, and their words, as a source file for the runtime.

mod client;
mod macros;
mod page;
mod row;
mod updates;
mod words;

use std::collections::BTreeSet;

use crate::builder::Builder;
use crate::error::{Location, Result};
use crate::format;

use row::Row;

/// The tables of all versions.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Tables {
    /// The source file with the methods for `acp-macros`.
    pub macros: String,
    /// A page of Markdown: every method with its side, kind, params, response, state and versions.
    pub page: String,
    /// The source file with the words that the runtime may repeat in a log.
    pub words: String,
    /// The source file with the kinds of updates, for `acp-macros`.
    pub updates: String,
    /// The source file with the requests and reports of agents, for `acp-client`.
    pub client: String,
}

/// Reads the versions, the lowest first, and joins their methods into one table. If the [`Builder::stable`] schema of a
/// version lacks a method, the method is a draft.
///
/// # Errors
///
/// The errors of [`Builder::generate`].
pub fn tables(versions: &[(u8, Builder)]) -> Result<Tables> {
    let mut rows: Vec<Row> = Vec::new();
    let mut words = BTreeSet::new();
    let mut updates = Vec::new();
    let mut of_sessions = BTreeSet::new();
    for (version, builder) in versions {
        let model = builder.model()?;
        words::collect(&model, &mut words);
        updates::collect(*version, &model, &mut updates);
        client::of_sessions(*version, &model, &mut of_sessions);
        for method in model.methods {
            match rows.iter_mut().find(|row| row.is(&method)) {
                Some(row) => row.add(*version, method),
                None => rows.push(Row::new(*version, method)),
            }
        }
    }
    let whole = || Location {
        file: versions.first().map(|(_, builder)| builder.file().to_owned()).unwrap_or_default(),
        pointer: String::new(),
    };
    let table = format::source(macros::table(&rows), whole)?;
    let words = words::table(&words);
    let client = client::table(&rows, &updates, &of_sessions);
    let updates = format::source(updates::table(&updates), whole)?;
    Ok(Tables {
        macros: format!("{}{table}", macros::HEADER),
        page: page::page(&rows),
        words: format!("{}{words}", words::HEADER),
        updates: format!("{}{updates}", updates::HEADER),
        client: format!("{}{client}", client::HEADER),
    })
}
