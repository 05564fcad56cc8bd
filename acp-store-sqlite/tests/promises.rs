//! The promises of every store.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use acp_runtime::store::SessionStore;
use acp_store_sqlite::{Durability, SqliteStore};

async fn check(durability: Durability) {
    acp_store_suite::check(async || {
        let folder = tempfile::tempdir().unwrap();
        async move || {
            let store = SqliteStore::options().durability(durability).open(folder.path().join("sessions.db")).await;
            Arc::new(store.unwrap()) as Arc<dyn SessionStore>
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_fast_store_keeps_the_promises() {
    check(Durability::Fast).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_durable_store_keeps_the_promises() {
    check(Durability::Durable).await;
}
