//! Real processes on one file: killed at random moments, taking sessions from one another, and watched at their system
//! calls.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(unix)]
mod looks;
#[cfg(target_os = "linux")]
mod syncs;

use std::{env, path::Path, process::Command, sync::Arc};

use acp_runtime::store::SessionStore;
use acp_store_sqlite::{Durability, SqliteStore};
use acp_store_suite::processes;

/// A child that opens the store in this file.
fn part(file: &Path, durability: Durability) -> Command {
    let mut command = processes::child("processes::child");
    command.env("ACP_STORE_FILE", file);
    command.env("ACP_STORE_DURABLE", if durability == Durability::Durable { "1" } else { "0" });
    command
}

async fn open(file: &Path, durability: Durability) -> Arc<dyn SessionStore> {
    Arc::new(SqliteStore::options().durability(durability).open(file).await.unwrap())
}

#[tokio::test]
#[ignore = "it is a part of the other tests, and runs in their child processes"]
async fn child() {
    processes::play(async || {
        let is_durable = env::var("ACP_STORE_DURABLE").unwrap() == "1";
        let durability = if is_durable { Durability::Durable } else { Durability::Fast };
        open(Path::new(&env::var("ACP_STORE_FILE").unwrap()), durability).await
    })
    .await;
}

#[tokio::test]
#[cfg(target_os = "linux")] // elsewhere, a session need not open before the process is reaped
async fn a_killed_process_loses_no_told_commit_and_its_session_opens_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sessions.db");
    processes::survives_kills(
        async || open(&file, Durability::Durable).await,
        |round| part(&file, if round % 2 == 0 { Durability::Fast } else { Durability::Durable }),
    )
    .await;
}

#[tokio::test]
async fn processes_that_take_a_session_from_one_another_never_both_write() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sessions.db");
    let fast = Durability::Fast;
    processes::survives_takeovers(async || open(&file, fast).await, |_| part(&file, fast)).await;
}
