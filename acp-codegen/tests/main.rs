//! The tests of the generator. Each module is a subject, and its header says which.

mod advice;
mod all_versions;
mod chains;
mod command;
mod compare;
mod crate_path;
mod defaults;
mod diff;
mod diff_foreign;
mod drafts;
mod foreign;
mod golden;
mod large;
#[cfg(all(feature = "cli", unix))]
mod moved;
mod names;
mod pull;
mod read;
mod refused;
mod shapes;
mod typify;
mod vendor;

// What several tests use.
mod compile;
#[allow(dead_code, clippy::unwrap_used, reason = "made for a test that uses more of it")]
#[path = "../../tests/codec/tests/codec/instances.rs"]
mod instances;
#[cfg(feature = "cli")]
#[path = "fuzz/published.rs"]
mod published;
#[cfg(feature = "cli")]
#[path = "fuzz/random.rs"]
mod random;
#[cfg(all(feature = "cli", unix))]
mod registry;
mod sameness;
#[cfg(feature = "cli")]
#[path = "fuzz/structure.rs"]
mod structure;
