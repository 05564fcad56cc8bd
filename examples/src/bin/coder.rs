//! The full form: `coder [--store FILE] [--listen ADDRESS]`, see [`acp_examples::coder`].

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use acp_example_listen::{HELP, Wanted, arguments, lexopt};
use acp_examples::coder;

const USAGE: &str = "usage: coder [--store FILE] [--listen ADDRESS]

An example agent. It speaks the Agent Client Protocol over stdio, or over HTTP.

  --store FILE       the database of SQLite for its sessions (default: acp-coder/sessions.db in the user's folder for data)";

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let mut store = None;
    let own = |flag: &str, rest: &mut lexopt::Parser| match flag {
        "store" => rest.value().map(|file| store = Some(PathBuf::from(file))).map(|()| true),
        _ => Ok(false),
    };
    let served = match arguments(lexopt::Parser::from_env(), own) {
        Ok(Wanted::Help) => writeln!(io::stdout(), "{USAGE}\n{HELP}").map_err(Into::into),
        Ok(Wanted::Stdio) => coder::serve(store).await,
        Ok(Wanted::Http(listen)) => coder::listen(store, listen).await,
        Err(wrong) => {
            eprintln!("coder: {wrong}; `coder --help` lists the flags");
            return ExitCode::from(2);
        }
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("coder: {error}");
            ExitCode::FAILURE
        }
    }
}
