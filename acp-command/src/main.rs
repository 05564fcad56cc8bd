//! The program `acp`. The library has its commands, because the tests build the program a second time, beside the agents that it drives.

fn main() -> std::process::ExitCode {
    acp_command::main()
}
