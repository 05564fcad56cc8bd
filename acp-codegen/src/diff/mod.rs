//! What changed between two schemas, in terms of the Rust API that is generated from them.
//!
//! [`Surface`] is what one schema gives an author: methods and types. `compare` finds the differences of two, `verdict`
//! says what each means for code that uses the types, `report` prints that for people, changelogs and programs.

mod compare;
mod drafts;
mod fields;
mod report;
mod surface;
mod ty;
mod verdict;

pub use compare::{Change, Diff, Subject, What, compare};
pub use report::Format;
pub use surface::{Branch, Field, Form, Method, Presence, Surface, Type, Wire};
pub use ty::Ty;
pub use verdict::Verdict;
