//! Real processes on one store: killed at random moments, and taking a session from one another.

use std::{env, process::Command, sync::Arc};

use acp_runtime::store::SessionStore;
use acp_store_suite::processes;

use super::*;

/// A child that opens the store of this schema.
fn part(server: &Server, schema: &str) -> Command {
    let mut command = processes::child("processes::child");
    command.env("ACP_STORE_URL", server.url()).env("ACP_STORE_SCHEMA", schema);
    command
}

#[tokio::test]
#[ignore = "it is a part of the other tests, and runs in their child processes"]
async fn child() {
    processes::play(async || {
        let schema = env::var("ACP_STORE_SCHEMA").unwrap();
        let store = PostgresStore::options().schema(schema).open(&env::var("ACP_STORE_URL").unwrap()).await;
        Arc::new(store.unwrap()) as Arc<dyn SessionStore>
    })
    .await;
}

async fn shared(server: &Server, schema: &str) -> Arc<dyn SessionStore> {
    Arc::new(open(server, schema).await)
}

#[tokio::test]
#[cfg(target_os = "linux")] // elsewhere, nobody knows that a process of this machine is gone
async fn a_killed_process_loses_no_told_commit_and_its_session_opens_at_once() {
    let Some(server) = Server::shared() else { return };
    let schema = schema();
    processes::survives_kills(async || shared(server, &schema).await, |_| part(server, &schema)).await;
}

#[tokio::test]
async fn processes_that_take_a_session_from_one_another_never_both_write() {
    let Some(server) = Server::shared() else { return };
    let schema = schema();
    processes::survives_takeovers(async || shared(server, &schema).await, |_| part(server, &schema)).await;
}
