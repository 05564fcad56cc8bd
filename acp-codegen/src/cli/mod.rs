//! The command line: one file a command, and what they share.

pub(crate) fn main() -> std::process::ExitCode { std::process::ExitCode::SUCCESS }
