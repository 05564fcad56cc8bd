//! What changed between two schemas, in terms of the Rust API that is generated from them.
//!
//! [`Surface`] is what one schema gives an author: methods, types, and all else in the generated module. [`compare`] finds the
//! differences of two. Each is a [`Change`], with a [`Verdict`] on what it means for code that uses the types.
//! [`Diff::report`] prints them for people, changelogs and programs. The command `acp-codegen diff` does all of this.
//!
//! ```no_run
//! use acp_codegen::{Builder, diff::{self, Format, Surface, Verdict}};
//!
//! # fn main() -> acp_codegen::Result<()> {
//! let old = Surface::read(&Builder::new().schema("old.json"))?;
//! let new = Surface::read(&Builder::new().schema("new.json"))?;
//! let diff = diff::compare(&old, &new, None);
//! if diff.verdict() == Verdict::Breaking {
//!     print!("{}", diff.report(Format::Markdown, "old", "new"));
//! }
//! # Ok(())
//! # }
//! ```

// `surface` holds what `read` reads, and `api` the generated module; `compare` finds the differences, `verdict` judges and
// `report` prints them.
mod api;
mod change;
mod choices;
mod compare;
mod drafts;
mod fields;
mod found;
mod items;
mod overlap;
mod read;
mod report;
mod surface;
mod ty;
mod types;
mod verdict;

pub use change::{Change, ChangeKind, Diff, Subject, Verdict};
pub use compare::compare;
pub use report::Format;
pub use surface::{Branch, By, Choice, Field, Form, Key, Method, Presence, Surface, Type, Wire};
pub use ty::Ty;
