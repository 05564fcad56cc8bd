//! The command `acp`: looks at, drives, records and judges any agent of the Agent Client Protocol.
//!
//! Each command has a file; `provoke` is the agent of `check --client`. `agent` is how an agent is named, `exit` has the exit codes, `tapes`
//! reads recordings, `screen` writes, `choices` and `playing` are what several commands share.
//! `acp help COMMAND` shows the arguments of each command.

mod agent;
mod check;
mod choices;
mod diff;
mod exec;
mod exit;
mod inspect;
mod manual;
mod mock;
mod new;
mod playing;
mod provoke;
mod record;
mod redact;
mod registry;
mod replay;
mod run;
mod screen;
mod sessions;
mod stop;
mod tapes;
mod view;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::exit::{Exit, Failure};

/// Looks at, drives, records and judges any agent of the Agent Client Protocol.
///
/// An agent is a command line after `--`, or `--agent` names it: by its id in a registry's file, or by a URL.
#[derive(Debug, Parser)]
#[command(name = "acp", version, arg_required_else_help = true, after_help = exit::HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Run),
    Exec(exec::Exec),
    Inspect(inspect::Inspect),
    Mock(mock::Mock),
    New(new::New),
    #[command(hide = true)]
    Provoke(provoke::Provoke),
    Check(check::Check),
    Record(record::Record),
    Replay(replay::Replay),
    Diff(diff::Diff),
    Redact(redact::Redact),
    Registry(registry::Registry),
    Sessions(sessions::Sessions),
    Completions(manual::Completions),
    Man(manual::Man),
    View(view::View),
}

/// Runs the command that the arguments of this process name.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => {
            // Help goes to stdout, and mistakes go to stderr. If this output fails, the failure cannot be reported.
            let _ = message.print();
            return if message.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() };
        }
    };
    let done = match cli.command {
        Command::Run(command) => wait_for(command.run()).map(ExitCode::from),
        Command::Exec(command) => wait_for(command.run()).map(ExitCode::from),
        Command::Inspect(command) => wait_for(command.run()).map(ExitCode::from),
        Command::Mock(command) => command.run().map(ExitCode::from),
        Command::New(command) => command.run().map(ExitCode::from),
        Command::Provoke(command) => command.run().map(ExitCode::from),
        Command::Check(command) => wait_for(command.run()).map(ExitCode::from),
        Command::Record(command) => wait_for(command.run()),
        Command::Replay(command) => command.run().map(ExitCode::from),
        Command::Diff(command) => command.run().map(ExitCode::from),
        Command::Redact(command) => command.run().map(ExitCode::from),
        Command::Completions(command) => command.run(&mut Cli::command()).map(ExitCode::from),
        Command::Man(command) => command.run(Cli::command()).map(ExitCode::from),
        Command::Registry(command) => wait_for(command.run()).map(ExitCode::from),
        Command::Sessions(command) => wait_for(command.run()).map(ExitCode::from),
        Command::View(command) => command.run().map(ExitCode::from),
    };
    match done {
        Ok(code) => code,
        Err(failure) => {
            screen::tell(format_args!("acp: {}", failure.text));
            failure.exit.into()
        }
    }
}

/// Runs a command that waits for an agent.
fn wait_for<T>(command: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| Failure::not_run(format!("the system gives this process no events: {error}")))?;
    let done = runtime.block_on(command);
    // A thread may still wait for a line of the user.
    runtime.shutdown_background();
    done
}
