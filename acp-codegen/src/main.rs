//! The command `acp-codegen`: follows the published schema, and reports its changes. `cli` has the commands.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
