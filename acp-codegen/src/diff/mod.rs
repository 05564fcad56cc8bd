//! The changes between two schemas, as changes of the Rust API that is generated from them.
//!
//! A [`Surface`] is the API of one schema for authors: methods, types, and all other items of the generated module.
//! [`compare`] finds the differences between two surfaces. Each difference is a [`Change`] with a [`Verdict`]: the
//! effect on code that uses the types. [`Diff::report`] prints the changes for people, changelogs and programs. The
//! command `acp-codegen diff` does all of these steps.
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
//!
//! `diff` compares two schemas by the code that an author gets. `surface` describes one schema: `api` reads the Rust side
//! from the generated module, and the model gives the meaning in JSON. `compare` reports differences in the terms of the
//! schema. `items` then reports each difference between the modules that `compare` has not explained. So `diff` never
//! says "the same" if the modules differ. In `tests/compare`, the compiler checks the verdicts.

// `read` fills `surface`, and `api` reads the generated module. `compare` finds the differences, `verdict` judges them
// and `report` prints them.
mod api;
mod change;
mod choices;
mod compare;
mod drafts;
mod fields;
mod found;
mod growth;
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
