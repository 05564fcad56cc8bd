//! The command line. There is one file for each command, and the files that the commands share (`npm`, `workspace`).

mod check;
mod diff;
mod feature_sets;
mod fetch;
mod generate;
mod methods;
mod npm;
mod pull;
mod regenerate;
mod workspace;

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The exit status of a failed command. The values 1 and 2 are results of `diff` and `check`.
const FAILED: u8 = 3;

/// Rust types and method tables from the published schema of the Agent Client Protocol.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Pull(pull::Pull),
    Regenerate(regenerate::Regenerate),
    Generate(generate::Generate),
    Diff(diff::Diff),
    Methods(methods::Methods),
    Check(check::Check),
    Fetch(fetch::Fetch),
}

/// The reason why a command failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Codegen(#[from] acp_codegen::Error),
    /// The npm client is missing, or reported an error.
    #[error("{0}")]
    Npm(String),
    /// The files of the workspace are wrong.
    #[error("{0}")]
    Workspace(String),
    #[error("cannot {what} {}: {source}", .path.display())]
    File { what: &'static str, path: PathBuf, source: io::Error },
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

type Result<T, E = Failure> = std::result::Result<T, E>;

pub(crate) fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => {
            // Help goes to stdout, and mistakes go to stderr. If this output fails, the failure cannot be reported.
            let _ = message.print();
            return if message.use_stderr() { FAILED.into() } else { ExitCode::SUCCESS };
        }
    };
    let done = match &cli.command {
        Command::Pull(command) => command.run(),
        Command::Regenerate(command) => command.run(),
        Command::Generate(command) => command.run(),
        Command::Diff(command) => command.run(),
        Command::Methods(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Fetch(command) => command.run(),
    };
    match done {
        Ok(code) => code,
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            let style = anstyle::AnsiColor::Red.on_default().bold();
            tell(format_args!("{style}error{style:#}: {}", visible(&failure.to_string())));
            FAILED.into()
        }
    }
}

/// The text without control characters, for a terminal. The text may contain names from an unknown file.
fn visible(text: &str) -> String {
    let shown = |c: char| if c.is_control() && c != '\n' { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(shown).collect()
}

/// Prints a result, with colours if it goes to a terminal.
fn print(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Reports progress or an error on stderr.
fn tell(message: std::fmt::Arguments<'_>) {
    // If stderr is closed, the user does not want the message.
    let _ = writeln!(anstream::stderr().lock(), "{message}");
}
