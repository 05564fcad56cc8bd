//! The tests of the names that authors use. Each module is a subject, and its header says which.

#[cfg(feature = "unstable")]
mod drafts;
mod surface;
