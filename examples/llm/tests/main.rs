//! The tests of the agent as a process. Each module is a subject, and its header says which.

mod foreign;
mod listen;
mod login;
