//! The methods of several versions of the protocol side by side: as a source file for the macros, and as a page to read.

mod macros;
mod page;
mod row;

use crate::builder::Builder;
use crate::error::{Location, Result};
use crate::format;

use row::Row;

/// The method table of all versions, in its two forms.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Tables {
    /// The source file that `acp-macros` knows the methods by.
    pub macros: String,
    /// A page of Markdown: every method with its side, kind, params, response, state and versions.
    pub page: String,
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
        for method in builder.model()?.methods {
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
    Ok(Tables { macros: format!("{}{table}", macros::HEADER), page: page::page(&rows) })
}
