//! The tests of the examples as processes. Each module is a subject, and its header says which.

#[cfg(target_os = "linux")] // systemd, and sockets of Unix
mod balanced;
mod demo;
mod lasting;
