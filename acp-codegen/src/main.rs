//! The command `acp-codegen`: follows the published schema, and says what changed. See `cli` for what it does.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
