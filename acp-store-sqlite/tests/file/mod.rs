//! The file: its rights, damage, a lack of room, and others that use it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod damage;
mod full;
mod gone;
#[cfg(target_os = "linux")]
mod locks;
mod sharing;

use std::{path::Path, time::Duration};

use acp_runtime::{
    store::{Change, Claim, Entry, Kept, Lease, Owner, SessionStore, StoreError, Timestamp},
    values::{ContentChunk, SessionId, SessionUpdate},
};
use acp_store_sqlite::{Durability, SqliteStore};

async fn open(path: &Path) -> Result<SqliteStore, StoreError> {
    SqliteStore::options().durability(Durability::Fast).open(path).await
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
    kept.updated = Timestamp::from_micros(micros);
    kept
}

fn message(seq: u64, text: impl Into<String>) -> Entry {
    Entry::new(seq, SessionUpdate::AgentMessageChunk(ContentChunk::new(text.into().into())))
}

/// A new session with so many entries.
async fn said(store: &SqliteStore, session: &str, entries: u64) -> Lease {
    let lease = store.create(&id(session), &kept(1), &claim()).await.unwrap();
    let said: Vec<Entry> = (1..=entries).map(|seq| message(seq, format!("{session} {seq}"))).collect();
    store.commit(&lease, Change::all(&kept(1)).and_said(&said)).await.unwrap();
    lease
}

#[tokio::test]
#[cfg(unix)]
async fn a_new_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = folder.path().join("new/folders/sessions.db");
    let store = open(&path).await.unwrap();
    said(&store, "s", 1).await;
    for name in ["sessions.db", "sessions.db-wal", "sessions.db-shm"] {
        assert_eq!(mode(&path.with_file_name(name)), 0o600, "{name}");
    }
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    assert_eq!(mode(&folder.path().join("new")), 0o700);
    assert_eq!(mode(folder.path()), 0o755, "a folder that was there is left as it was");
    let names = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(names, 3, "nothing is left of making it");
}

#[tokio::test]
async fn a_path_is_a_path_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    #[cfg(target_os = "linux")]
    let no_unicode: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"\xff%41?immutable=1#a");
    #[cfg(not(target_os = "linux"))]
    let no_unicode = std::ffi::OsStr::new("%41");
    for name in ["file:a?mode=memory".as_ref(), "a b'é.db".as_ref(), ":memory:".as_ref(), no_unicode] {
        let path = folder.path().join(name);
        let store = open(&path).await.unwrap();
        said(&store, "s", 1).await;
        assert_eq!(store.path(), path);
        assert!(path.exists(), "{name:?}");
        // A file that is there is checked first.
        assert_eq!(open(&path).await.unwrap().replay(&id("s"), 0, 10).await.unwrap().len(), 1, "{name:?}");
    }
}

/// A file stands where the folder should be, also for a root user.
#[tokio::test]
async fn an_error_names_the_folder_that_cannot_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a-file");
    std::fs::write(&file, "").unwrap();
    let path = file.join("sessions.db");
    let error = open(&path).await.unwrap_err();
    let told = error.to_string();
    assert!(told.contains(&format!("the folder `{}` cannot be made: ", file.display())), "{told}");
}

#[tokio::test]
async fn the_file_is_whole_and_alone_when_its_last_handle_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.db");
    let store = open(&path).await.unwrap();
    said(&store, "s", 3).await;
    drop(store.clone());
    assert!(path.with_file_name("sessions.db-wal").exists());
    drop(store);
    let end = std::time::Instant::now() + Duration::from_secs(20);
    while std::fs::read_dir(folder.path()).unwrap().count() > 1 {
        assert!(std::time::Instant::now() < end, "the log stays beside the file");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let copy = folder.path().join("copy.db");
    std::fs::copy(&path, &copy).unwrap();
    assert_eq!(open(&copy).await.unwrap().replay(&id("s"), 0, 10).await.unwrap().len(), 3);
}

#[tokio::test]
async fn ten_thousand_sessions_in_pages_while_others_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    acp_store_suite::long_list(&open(&folder.path().join("sessions.db")).await.unwrap(), 10_000).await;
}

#[tokio::test]
async fn a_page_of_a_replay_is_bounded_in_bytes() {
    let folder = tempfile::tempdir().unwrap();
    acp_store_suite::bounded_pages(&open(&folder.path().join("sessions.db")).await.unwrap()).await;
}
