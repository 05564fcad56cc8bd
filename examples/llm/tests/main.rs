//! The tests of the agent as a process. Each module is a subject, and its header says which.

mod foreign;
mod guide;
mod listen;
mod login;
