//! The full form: `coder [--store FILE]`, see [`acp_examples::coder`].

use std::{env, path::PathBuf, process::ExitCode};

use acp_examples::coder;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let mut args = env::args_os().skip(1);
    let store = match (args.next(), args.next(), args.next()) {
        (None, ..) => None,
        (Some(flag), Some(file), None) if flag == "--store" => Some(PathBuf::from(file)),
        _ => {
            eprintln!(
                "usage: coder [--store FILE]\n\nAn example agent; it speaks the Agent Client Protocol over stdio, and keeps \
                 its sessions in FILE, a database of SQLite (default: acp-coder/sessions.db in the user's folder for data)."
            );
            return ExitCode::from(2);
        }
    };
    match coder::serve(store).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("coder: {error}");
            ExitCode::FAILURE
        }
    }
}
