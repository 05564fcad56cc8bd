//! The tests of the agent as a process. Each module is a subject, and its header says which.

mod differential;
mod environment;
mod manager;
