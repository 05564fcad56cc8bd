//! What changed between two schemas, in terms of the Rust API that is generated from them.
//!
//! [`Surface`] is what one schema gives an author: methods and types, and the items of the generated module (`api`).
//! `compare` finds the differences of two, `verdict` says what each means for code that uses the types, `report` prints
//! that for people, changelogs and programs.

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

pub use change::{Change, Diff, Subject, What};
pub use compare::compare;
pub use report::Format;
pub use surface::{Branch, By, Choice, Field, Form, Key, Method, Presence, Surface, Type, Wire};
pub use ty::Ty;
pub use verdict::Verdict;
