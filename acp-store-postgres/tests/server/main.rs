//! The store on a real server of PostgreSQL. [`start`] says where the server comes from.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod processes;
mod promises;
mod start;

use std::sync::atomic::{AtomicU32, Ordering};

use acp_store_postgres::PostgresStore;

use self::start::Server;

/// The name of a new schema.
fn schema() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("s{}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

async fn open(server: &Server, schema: &str) -> PostgresStore {
    PostgresStore::options().schema(schema).open(&server.url()).await.unwrap()
}
