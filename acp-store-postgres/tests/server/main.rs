//! The store on a real server of PostgreSQL. [`start`] says where the server comes from.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod crashes;
mod losses;
mod pooler;
mod processes;
mod promises;
mod proxy;
mod schemas;
mod start;
mod values;

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use acp_runtime::{
    store::{
        Change, Claim, Entry, Kept, Lease, ListFilter, Owner, Said, SessionStore, StoreError, StoreFuture, Timestamp,
    },
    values::{ContentChunk, MessageId, SessionId, SessionUpdate},
};
use acp_store_postgres::{
    PostgresStore,
    tokio_postgres::{Client, Config, NoTls, types::Type},
};

use self::start::Server;

/// The name of a new schema.
fn schema() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("s{}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

async fn open(server: &Server, schema: &str) -> PostgresStore {
    PostgresStore::options().schema(schema).open(&server.url()).await.unwrap()
}

fn config(server: &Server) -> Config {
    server.url().parse().unwrap()
}

/// A connection of somebody else.
async fn connected(server: &Server) -> Client {
    let (client, connection) = config(server).connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

fn id(text: &str) -> SessionId {
    text.into()
}

fn claim() -> Claim {
    Claim::new(&Owner::new(), Duration::from_secs(3600))
}

/// The data of a session that was changed at this time.
fn kept(micros: i64) -> Kept {
    let mut kept = Kept::new("/home/me/project");
    kept.created = Timestamp::from_micros(0);
    kept.updated = Timestamp::from_micros(micros);
    kept
}

fn message(seq: u64, text: impl Into<String>) -> Entry {
    Entry::new(seq, SessionUpdate::AgentMessageChunk(ContentChunk::new(text.into().into())))
}

/// A new session with so many entries.
async fn said(store: &PostgresStore, session: &str, entries: u64) -> Lease {
    let lease = store.create(&id(session), &kept(1), &claim()).await.unwrap();
    let said: Vec<Entry> = (1..=entries).map(|seq| message(seq, format!("{session} {seq}"))).collect();
    store.commit(&lease, Change::all(&kept(1)).and_said(&said)).await.unwrap();
    lease
}

#[track_caller]
fn unavailable<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    match result {
        Err(StoreError::Unavailable { reason }) => reason,
        other => panic!("expected the error `Unavailable`, got {other:?}"),
    }
}

/// So many bytes that no compression makes shorter.
fn noise(bytes: usize) -> String {
    let mut state = 88_172_645_463_325_252_u64;
    (0..bytes)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            char::from(b'!' + u8::try_from(state >> 33 & 63).unwrap())
        })
        .collect()
}
