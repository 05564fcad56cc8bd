//! The store in memory keeps the promises.

use std::sync::Arc;

use acp_store::{MemoryStore, SessionStore};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn it_keeps_the_promises_of_a_store() {
    acp_store_suite::check(async || {
        let store = MemoryStore::new();
        async move || Arc::new(store.clone()) as Arc<dyn SessionStore>
    })
    .await;
}
