//! The tests of the examples as processes. Each module is a subject, and its header says which.

mod demo;
mod lasting;
