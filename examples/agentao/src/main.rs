//! `agentao [--acp] [--compat agentao] [--resume [ID]]`: serves the agent of the library over stdio.

use std::{env, sync::Arc};

use acp_runtime::agent::Serve;
use acp_runtime::{
    hooks::{Hooked, Resume},
    transport::{Limits, Stdio},
};
use acp_store_sqlite::SqliteStore;
use agentao::{Agentao, Compat, Providers, Script};

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let store = Arc::new(SqliteStore::open(SqliteStore::default_path("acp-agentao")?).await?);
    let (mut compat, mut resume, mut args) = (None, None, env::args().skip(1).peekable());
    while let Some(arg) = args.next() {
        match (arg.as_str(), args.next_if(|value| !value.starts_with("--"))) {
            ("--acp", None) => {}
            ("--compat", Some(value)) if value == "agentao" => compat = Some(Compat::default()),
            ("--resume", None) => resume = Some(Resume::last(&*store).await),
            ("--resume", Some(id)) => resume = Some(Resume::session(&*store, id).await),
            _ => anyhow::bail!("usage: agentao [--acp] [--compat agentao] [--resume [ID]]"),
        }
    }
    let (same_roots, providers) = (compat.is_some(), Providers::from_env(|line| eprintln!("agentao: {line}")));
    let agent = Agentao { store, providers, model: Arc::new(Script), same_roots };
    // The reference stands next to the client.
    let transport = Hooked::new(Hooked::new(Stdio::take()?, compat), resume);
    Ok(agent.serve(transport, Limits::default()).await?)
}
