//! `agentao [--compat agentao] [--resume [ID]] [--store FILE] [--script FILE]`: serves the agent of the library over stdio.

use std::{env, error::Error, fs, path::PathBuf, process::ExitCode, sync::Arc};

use acp_runtime::{
    agent::Serve,
    store::SessionStore,
    transport::{Limits, Stdio, hooks::Hooked},
};
use acp_store_sqlite::SqliteStore;
use agentao::{Agentao, Compat, Providers, Resume, Script};

const USAGE: &str = "usage: agentao [--acp] [--compat agentao] [--resume [ID]] [--store FILE] [--script FILE]

An example agent; it speaks the Agent Client Protocol over stdio. A script stands in for its model.

--acp             is what it does anyway
--compat agentao  follows the reference of Agentao where it differs from the protocol
--resume [ID]     lets the first new session continue this session, or else the last one of its folder
--store FILE      keeps sessions in FILE, a database of SQLite (default: acp-agentao/sessions.db in the user's folder for data)
--script FILE     plays the rules of FILE instead of those of the package (src/script.json)";

/// What the user asks for.
#[derive(Default)]
struct Args {
    compat: bool,
    /// `Some(None)`: the last session.
    resume: Option<Option<String>>,
    store: Option<PathBuf>,
    script: Option<PathBuf>,
}

impl Args {
    /// `None` if an argument is wrong.
    fn read(args: impl Iterator<Item = String>) -> Option<Self> {
        let (mut read, mut args) = (Self::default(), args.peekable());
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--acp" => {}
                "--compat" => read.compat = args.next()? == "agentao",
                "--resume" => read.resume = Some(args.next_if(|id| !id.starts_with("--"))),
                "--store" => read.store = Some(args.next()?.into()),
                "--script" => read.script = Some(args.next()?.into()),
                _ => return None,
            }
        }
        Some(read)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Some(args) = Args::read(env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match serve(args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("agentao: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(Args { compat, resume, store, script }: Args) -> Result<(), Box<dyn Error>> {
    let path = store.map_or_else(|| SqliteStore::default_path("acp-agentao"), Ok)?;
    let store: Arc<dyn SessionStore> = Arc::new(SqliteStore::open(path).await?);
    let script = script.map(fs::read_to_string).transpose()?.map(|text| serde_json::from_str(&text)).transpose()?;
    let model = Arc::new(script.unwrap_or_else(Script::default));
    let providers = Providers::from_env(|line| eprintln!("agentao: {line}"));
    let resume = match resume {
        Some(id) => Resume::find(&*store, id.as_deref()).await,
        None => Resume::none(),
    };
    let agent = Agentao { store, providers, model, same_roots: compat };
    let stdio = Stdio::take()?;
    match compat {
        // The reference stands next to the client.
        true => agent.serve(Hooked::new(Hooked::new(stdio, Compat::default()), resume), Limits::default()).await?,
        false => agent.serve(Hooked::new(stdio, resume), Limits::default()).await?,
    }
    Ok(())
}
