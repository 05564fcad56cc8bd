//! The promises of every store.

use std::sync::Arc;

use acp_runtime::store::SessionStore;
use acp_store_postgres::Durability;

use super::*;

async fn check(durability: Durability) {
    let Some(server) = Server::shared() else { return };
    acp_store_suite::check(async || {
        let schema = schema();
        async move || {
            let options = PostgresStore::options().durability(durability).schema(&schema);
            Arc::new(options.open(&server.url()).await.unwrap()) as Arc<dyn SessionStore>
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

#[tokio::test]
async fn ten_thousand_sessions_in_pages_while_others_come_and_go() {
    let Some(server) = Server::shared() else { return };
    acp_store_suite::long_list(&open(server, &schema()).await, 10_000).await;
}

#[tokio::test]
async fn a_page_of_a_replay_is_bounded_in_bytes() {
    let Some(server) = Server::shared() else { return };
    acp_store_suite::bounded_pages(&open(server, &schema()).await).await;
}
