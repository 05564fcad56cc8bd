//! Others that use the file at the same time: readers, writers, people with the command `sqlite3`.

use std::collections::BTreeMap;

use acp_runtime::{store::KeptOption, values::SessionConfigId};
use rusqlite::Connection;

use super::*;

#[tokio::test]
async fn a_commit_does_not_wait_for_readers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.db");
    let store = open(&path).await.unwrap();
    let lease = said(&store, "s", 5).await;
    let reader = Connection::open(&path).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM entries").unwrap();
    store.commit(&lease, Change::all(&kept(2)).and_said(&[message(6, "while somebody reads")])).await.unwrap();
    assert_eq!(store.replay(&id("s"), 0, 10).await.unwrap().len(), 6);
    let seen: i64 = reader.query_row("SELECT count(*) FROM entries", [], |row| row.get(0)).unwrap();
    assert_eq!(seen, 5, "who reads sees one state");
}

#[tokio::test]
async fn a_read_does_not_wait_for_writers_and_a_commit_waits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.db");
    let store = open(&path).await.unwrap();
    let lease = said(&store, "s", 5).await;
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE; UPDATE sessions SET title = 'of another' WHERE id = 's'").unwrap();
    let now = kept(2);
    let entries = [message(6, "after the other")];
    let mut commit = store.commit(&lease, Change::all(&now).and_said(&entries));
    let waits = tokio::time::timeout(Duration::from_millis(100), &mut commit).await;
    assert!(waits.is_err(), "it waits for the other writer: {waits:?}");
    assert_eq!(store.replay(&id("s"), 0, 10).await.unwrap().len(), 5, "and who reads does not wait");
    assert_eq!(store.read(&id("s")).await.unwrap().title, None);
    writer.execute_batch("COMMIT").unwrap();
    commit.await.unwrap();
    assert_eq!(store.replay(&id("s"), 0, 10).await.unwrap().len(), 6);
}

/// A set is one statement, without a transaction around it.
#[tokio::test]
async fn a_set_waits_for_another_writer() {
    for durability in [Durability::Durable, Durability::Fast] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sessions.db");
        let store = SqliteStore::options().durability(durability).open(&path).await.unwrap();
        let lease = said(&store, "s", 1).await;
        let writer = Connection::open(&path).unwrap();
        writer.execute_batch("BEGIN IMMEDIATE; UPDATE sessions SET title = 'again' WHERE id = 's'").unwrap();
        let options = options("fast");
        let mut commit = store.commit(&lease, set(&options));
        let waits = tokio::time::timeout(Duration::from_millis(100), &mut commit).await;
        assert!(waits.is_err(), "{durability:?}: it waits for the other writer: {waits:?}");
        writer.execute_batch("COMMIT").unwrap();
        commit.await.unwrap();
        let kept = store.read(&id("s")).await.unwrap();
        assert_eq!((kept.title.as_deref(), kept.options), (Some("again"), options), "each has written its part");
    }
}

/// The thread that sets leaves a long log to the threads of the store.
#[tokio::test]
async fn the_log_of_many_sets_stays_short() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.db");
    let store = SqliteStore::options().durability(Durability::Fast).open(&path).await.unwrap();
    let lease = said(&store, "s", 1).await;
    for number in 0..5000 {
        store.commit(&lease, set(&options(&number.to_string()))).await.unwrap();
    }
    assert_eq!(store.read(&id("s")).await.unwrap().options, options("4999"));
    let pages = std::fs::metadata(path.with_file_name("sessions.db-wal")).unwrap().len() / 4096;
    assert!(pages < 2500, "{pages} pages, although each set writes one");
}

fn options(model: &str) -> BTreeMap<SessionConfigId, KeptOption> {
    BTreeMap::from([("model".into(), model.into())])
}

fn set(options: &BTreeMap<SessionConfigId, KeptOption>) -> Change<'_> {
    let mut set = Change::said(&[]);
    set.options = Some(options);
    set
}

/// The cost of a set is that of the pages that it writes to the log, and of the one sync behind them.
#[tokio::test]
async fn a_change_of_options_and_a_renewal_write_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.db");
    let store = open(&path).await.unwrap();
    let lease = said(&store, "s", 1).await;
    for number in 0..200 {
        said(&store, &format!("s{number}"), 1).await;
    }
    let tables = Connection::open(&path).unwrap();
    let emptied = || tables.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    let pages = || (std::fs::metadata(path.with_file_name("sessions.db-wal")).unwrap().len() - 32) / (24 + 4096);
    assert_eq!(emptied().unwrap(), 0);
    for (number, value) in (1..).zip(["fast", "smart", "fast", "smart", "fast"]) {
        store.commit(&lease, set(&options(value))).await.unwrap();
        assert_eq!(pages(), number);
    }
    store.renew(&lease).await.unwrap();
    assert_eq!(pages(), 6);
    store.commit(&lease, Change::all(&kept(2))).await.unwrap();
    assert!(pages() > 7, "the change of a time is one of indexes, too");
}

#[tokio::test]
async fn a_copy_by_vacuum_is_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.db");
    let store = open(&path).await.unwrap();
    said(&store, "s", 5).await;
    let copy = folder.path().join("backup.db");
    // As the documentation says, while the store is open.
    Connection::open(&path).unwrap().execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    said(&store, "t", 1).await;
    let copy = open(&copy).await.unwrap();
    assert_eq!(copy.replay(&id("s"), 0, 10).await.unwrap(), store.replay(&id("s"), 0, 10).await.unwrap());
    assert!(matches!(copy.read(&id("t")).await, Err(StoreError::NotFound { .. })), "it is of that time");
    said(&copy, "u", 1).await;
}

#[tokio::test]
#[cfg(unix)]
async fn what_is_deleted_does_not_stay_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.db");
    let store = open(&path).await.unwrap();
    let lease = said(&store, "s", 1).await;
    let secret = "a-secret-that-was-said".repeat(400);
    store.commit(&lease, Change::all(&kept(2)).and_said(&[message(2, secret)])).await.unwrap();
    let tables = Connection::open(&path).unwrap();
    let is_there = || {
        tables.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        // Another process reads it: this one would drop its locks.
        let bytes = std::process::Command::new("cat").arg(&path).output().unwrap().stdout;
        bytes.windows(22).any(|part| part == b"a-secret-that-was-said")
    };
    assert!(is_there(), "it is in the file as it is");
    store.delete(&id("s")).await.unwrap();
    assert!(!is_there());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_open_a_new_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/sessions.db");
    let mut tasks = Vec::new();
    for number in 0..8 {
        let path = path.clone();
        tasks.push(tokio::spawn(async move {
            let store = open(&path).await.unwrap();
            said(&store, &format!("s{number}"), 1).await;
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let store = open(&path).await.unwrap();
    let page = store.list(&acp_runtime::store::ListFilter::default(), None, 100).await.unwrap();
    assert_eq!(page.sessions.len(), 8, "all of them are in one file");
}
