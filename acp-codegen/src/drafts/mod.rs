//! The drafts that agents and clients handle: the entries of overlays (`entry`), tables for the macros and for the runtime
//! (`tables`), and what became of each draft (`moved`).

mod entry;
pub mod moved;
mod tables;

use crate::builder::Builder;
use crate::error::Result;

use entry::Known;

pub use moved::Moved;
pub use tables::{Tables, tables};

/// The entries of the overlays that match nothing in the schema, as `drafts: subject`.
///
/// # Errors
///
/// The errors of [`Builder::generate`]. Or an entry is no such entry.
pub fn unmatched(builder: &Builder) -> Result<Vec<String>> {
    let Known { unmatched, .. } = entry::read(builder)?;
    Ok(unmatched.into_iter().map(|subject| format!("drafts: {subject}")).collect())
}
