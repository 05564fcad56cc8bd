//! The tests of the store. Each module is a subject, and its header says which.

mod file;
mod processes;
mod promises;
