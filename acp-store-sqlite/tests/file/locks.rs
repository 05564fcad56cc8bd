//! The locks of this process on its file, as the system lists them. A connection that has lost its lock looks as if it had
//! ended: the next program that closes the file removes the log.

use std::os::unix::fs::{MetadataExt as _, symlink};

use acp_runtime::store::ListFilter;

use super::*;

/// The locks that this process has on the file. A line is `1: POSIX  ADVISORY  READ 4242 fe:01:1234 0 EOF`.
fn locks(path: &Path) -> usize {
    let inode = format!(":{}", std::fs::metadata(path).unwrap().ino());
    let process = std::process::id().to_string();
    let locks = std::fs::read_to_string("/proc/locks").unwrap();
    let is_ours = |line: &&str| {
        let mut words = line.split_whitespace().skip(4);
        words.next() == Some(&process) && words.next().is_some_and(|file| file.ends_with(&inode))
    };
    locks.lines().filter(is_ours).count()
}

/// Waits until the threads of a store have closed their connections.
async fn closes(path: &Path) {
    let end = std::time::Instant::now() + Duration::from_secs(20);
    while locks(path) > 0 {
        assert!(std::time::Instant::now() < end, "a lock stays when the store is closed");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn no_call_and_no_second_store_drops_the_lock_of_an_open_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.db");
    let link = folder.path().join("another name.db");
    symlink(&path, &link).unwrap();
    for opens in ["a new file", "a file that is there"] {
        let store = open(&path).await.unwrap();
        let has_lock = |step: &str| assert_eq!(locks(&path), 1, "{opens}: {step}");
        has_lock("it is open");
        let lease = said(&store, opens, 3).await;
        has_lock("a commit");
        store.list(&ListFilter::default(), None, 10).await.unwrap();
        has_lock("a list");
        for _ in 0..4 {
            let (read, page) = tokio::join!(store.read(lease.session()), store.replay(lease.session(), 0, 10));
            assert_eq!((read.unwrap().updated, page.unwrap().len()), (kept(1).updated, 3));
        }
        has_lock("loads, by each of the threads that read");
        for path in [&path, &link] {
            let second = open(path).await.unwrap();
            has_lock("a second store");
            second.list(&ListFilter::default(), None, 10).await.unwrap();
            has_lock("its list");
            drop(second);
            open(folder.path()).await.unwrap_err();
        }
        has_lock("the other stores are closed, or are closing");
        store.release(&lease).await.unwrap();
        has_lock("a release");
        drop(store);
        closes(&path).await;
    }
}

#[tokio::test]
async fn a_store_that_is_refused_drops_no_lock_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("foreign.db");
    let tables = rusqlite::Connection::open(&path).unwrap();
    tables.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE notes (text)").unwrap();
    assert_eq!(locks(&path), 1, "the agent has a database of its own");
    for _ in 0..3 {
        let error = open(&path).await.unwrap_err();
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
        assert_eq!(locks(&path), 1);
    }
    tables.execute_batch("INSERT INTO notes VALUES ('a note')").unwrap();
}
