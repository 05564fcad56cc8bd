//! The full form: `coder [--store DIR]`, see [`acp_examples::coder`].

use std::{env, path::PathBuf, process::ExitCode};

use acp_examples::coder;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let mut args = env::args_os().skip(1);
    let store = match (args.next(), args.next(), args.next()) {
        (None, ..) => env::home_dir().unwrap_or_else(env::temp_dir).join(".acp-coder"),
        (Some(flag), Some(dir), None) if flag == "--store" => PathBuf::from(dir),
        _ => {
            eprintln!(
                "usage: coder [--store DIR]\n\nAn example agent; it speaks the Agent Client Protocol over stdio, and keeps \
                 its sessions in DIR (default: .acp-coder in the home folder)."
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
