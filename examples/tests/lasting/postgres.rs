//! The coder on a server of PostgreSQL, as on a file. Its program knows only files, so its processes are this test's program
//! again.

use std::{env, process::Command, sync::Arc};

use acp_examples::coder;
use acp_store_postgres::PostgresStore;
use acp_store_suite::processes;

#[cfg(target_os = "linux")]
use super::kills::{survives_kills, turns_of};
use super::{
    coder::{Coder, SERVING},
    start::Server,
    writers::goes_on_in_another,
};

#[tokio::test]
#[ignore = "it is the coder of the other tests, and runs in their child processes"]
async fn child() {
    let (url, schema) = (env::var("ACP_STORE_URL"), env::var("ACP_STORE_SCHEMA"));
    let options = PostgresStore::options().schema(schema.expect("the tests name it"));
    let store = options.open(&url.expect("the tests name it")).await.expect("the server answers");
    println!("\n{SERVING}");
    coder::serve_on(Arc::new(store)).await.expect("stdio is read");
}

/// A coder with its sessions in this schema.
async fn start(server: &Server, schema: &str) -> Coder {
    let mut command: Command = processes::child("lasting::postgres::child");
    command.env("ACP_STORE_URL", server.url()).env("ACP_STORE_SCHEMA", schema);
    Coder::start_in_harness(command).await
}

#[tokio::test]
#[cfg(target_os = "linux")] // elsewhere, nobody knows that a process of this machine is gone
async fn a_killed_coder_loses_nothing_that_its_client_was_told_and_its_session_opens_at_once() {
    let Some(server) = Server::shared() else { return };
    println!("PostgreSQL: {}", survives_kills(15, turns_of, async || start(server, "kills").await).await);
}

#[tokio::test]
async fn a_session_that_began_in_one_process_goes_on_in_another() {
    let Some(server) = Server::shared() else { return };
    goes_on_in_another(async || start(server, "two").await).await;
}
