//! The full form: `coder [--store FILE] [--listen ADDRESS]`, see [`acp_examples::coder`].

use std::{env, ffi::OsString, path::PathBuf, process::ExitCode};

use acp_examples::coder;

const USAGE: &str = "usage: coder [--store FILE] [--listen ADDRESS]

An example agent. It keeps its sessions in FILE, a database of SQLite (default: acp-coder/sessions.db in the user's folder for
data). It speaks the Agent Client Protocol over stdio, or with ADDRESS (127.0.0.1:4000, port 0 for any) over HTTP.";

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Some((store, listen)) = arguments(env::args_os().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let served = match listen {
        None => coder::serve(store).await,
        Some(address) => coder::listen(store, &address).await,
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("coder: {error}");
            ExitCode::FAILURE
        }
    }
}

fn arguments(mut all: impl Iterator<Item = OsString>) -> Option<(Option<PathBuf>, Option<String>)> {
    let (mut store, mut listen) = (None, None);
    while let Some(flag) = all.next() {
        let value = all.next()?;
        match flag.to_str()? {
            "--store" if store.is_none() => store = Some(value.into()),
            "--listen" if listen.is_none() => listen = Some(value.into_string().ok()?),
            _ => return None,
        }
    }
    Some((store, listen))
}
