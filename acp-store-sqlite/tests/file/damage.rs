//! Files that are no store, or a damaged one. Nothing overwrites them.

use std::{
    fs::{self, OpenOptions},
    io::{Seek as _, SeekFrom, Write as _},
    path::PathBuf,
};

use rusqlite::Connection;

use super::*;

/// A store with two sessions, closed as a process closes it that ends.
async fn closed(folder: &Path) -> PathBuf {
    let path = folder.join("sessions.db");
    let store = open(&path).await.unwrap();
    for session in ["s", "t"] {
        let lease = said(&store, session, 400).await;
        store.release(&lease).await.unwrap();
    }
    drop(store);
    // This connection is the last one, so it moves the log into the file.
    let end = std::time::Instant::now() + Duration::from_secs(20);
    while path.with_file_name("sessions.db-wal").exists() {
        assert!(std::time::Instant::now() < end, "the log stays beside the file");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    path
}

fn corrupt<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    match result {
        Err(error @ StoreError::Corrupt { .. }) => error.to_string(),
        other => panic!("expected the error `Corrupt`, got {other:?}"),
    }
}

#[tokio::test]
async fn what_is_no_store_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let good = closed(folder.path()).await;
    let foreign = folder.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
    let newer = folder.path().join("newer.db");
    fs::copy(&good, &newer).unwrap();
    Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let short = fs::read(&good).unwrap()[..50].to_vec();
    for (name, content, reason) in [
        ("text", b"my notes, and much more than a hundred bytes of them".repeat(9), "is not a file of SQLite"),
        ("empty", Vec::new(), "is empty"),
        ("short", short, "ends after 50 bytes"),
        ("foreign", fs::read(&foreign).unwrap(), "a database of another program"),
        ("newer", fs::read(&newer).unwrap(), "start a newer one"),
    ] {
        let place = folder.path().join(name);
        fs::create_dir(&place).unwrap();
        let path = place.join("sessions.db");
        fs::write(&path, &content).unwrap();
        let error = corrupt(open(&path).await.map(|_| ()));
        assert!(error.contains(reason) && error.contains(&*path.to_string_lossy()), "{name}: {error}");
        assert!(fs::read(&path).unwrap() == content, "{name} is as it was");
        if name != "newer" {
            assert_eq!(fs::read_dir(&place).unwrap().count(), 1, "nothing is made beside {name}");
        }
    }
}

#[tokio::test]
async fn a_database_of_another_program_is_left_with_its_log_and_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let good = closed(folder.path()).await;
    for (mode, left) in [("WAL", "sessions.db-wal"), ("DELETE", "sessions.db-journal")] {
        // As a program leaves it that was killed in the middle of a transaction: with a log, or with a journal.
        let from = folder.path().join(mode);
        fs::create_dir(&from).unwrap();
        let tables = Connection::open(from.join("sessions.db")).unwrap();
        tables
            .execute_batch(&format!("PRAGMA journal_mode = {mode}; PRAGMA cache_size = 5; CREATE TABLE notes (text)"))
            .unwrap();
        tables.execute_batch("BEGIN; INSERT INTO notes SELECT zeroblob(100000)").unwrap();
        let place = folder.path().join(format!("{mode} of a killed program"));
        fs::create_dir(&place).unwrap();
        for name in ["sessions.db", left] {
            fs::copy(from.join(name), place.join(name)).unwrap();
        }
        let files = |place: &Path| {
            let files = fs::read_dir(place).unwrap().map(|file| file.unwrap().path());
            files.map(|file| (file.clone(), fs::read(file).unwrap())).collect::<std::collections::BTreeMap<_, _>>()
        };
        let before = files(&place);
        assert_eq!(before.len(), 2);
        let error = corrupt(open(&place.join("sessions.db")).await.map(|_| ()));
        assert!(error.contains("a database of another program"), "{error}");
        assert!(files(&place) == before, "all files of {mode} are as they were");
    }
    assert!(open(&good).await.is_ok());
}

#[tokio::test]
async fn a_store_opens_while_another_process_moves_its_log_into_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed(folder.path()).await;
    let (whole, place) = (fs::read(&path).unwrap(), folder.path().join("between"));
    fs::create_dir(&place).unwrap();
    // The log has all pages, and of the file only the first page is written: its header tells of more pages than it has.
    let store = Connection::open(&path).unwrap();
    store.execute_batch("PRAGMA wal_autocheckpoint = 0; VACUUM").unwrap();
    fs::write(place.join("sessions.db"), &whole[..4096]).unwrap();
    fs::copy(path.with_file_name("sessions.db-wal"), place.join("sessions.db-wal")).unwrap();
    let between = open(&place.join("sessions.db")).await.unwrap();
    assert_eq!(between.replay(&id("t"), 0, 1000).await.unwrap().len(), 400);
}

#[tokio::test]
async fn a_folder_in_the_place_of_the_file_is_refused_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s1.json"), "{}").unwrap();
    let error = open(folder.path()).await.unwrap_err();
    assert!(matches!(error, StoreError::Invalid { .. }), "it is not damaged: {error:?}");
    let hint = "cannot be used: it is a folder; name a file in it, such as `sessions.db`";
    assert_eq!(error.to_string(), format!("the path `{}` {hint}", folder.path().display()));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is made in it");
}

#[tokio::test]
async fn a_damaged_page_is_told_and_nothing_is_written_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed(folder.path()).await;
    // From the second page on, the pages are nonsense.
    let size = fs::metadata(&path).unwrap().len();
    let mut file = OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(4096)).unwrap();
    file.write_all(&vec![0xA5; usize::try_from(size).unwrap() - 4096]).unwrap();
    drop(file);
    let before = fs::read(&path).unwrap();
    let store = open(&path).await.unwrap();
    let error = corrupt(store.read(&id("s")).await);
    assert!(error.contains(&*path.to_string_lossy()) && error.contains("left as it is"), "{error}");
    corrupt(store.create(&id("u"), &kept(1), &claim()).await);
    corrupt(store.delete(&id("t")).await);
    drop(store);
    assert!(fs::read(&path).unwrap() == before, "the file is as it was");
}

#[tokio::test]
async fn a_file_that_was_cut_is_told_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed(folder.path()).await;
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(fs::metadata(&path).unwrap().len() / 8192 * 4096).unwrap();
    drop(file);
    let before = fs::read(&path).unwrap();
    let opened = open(&path).await;
    let told = match opened {
        Ok(store) => corrupt(store.replay(&id("t"), 0, 1000).await),
        Err(error) => corrupt::<()>(Err(error)),
    };
    assert!(told.contains("malformed"), "{told}");
    assert!(fs::read(&path).unwrap() == before, "the file is as it was");
}

#[tokio::test]
async fn a_damaged_column_damages_its_session_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed(folder.path()).await;
    let store = open(&path).await.unwrap();
    let tables = Connection::open(&path).unwrap();
    for (change, column) in [
        ("UPDATE sessions SET options = '{' WHERE id = 's'", "options"),
        ("UPDATE sessions SET options = '{}', state = 'x', state_version = 1 WHERE id = 's'", "state"),
        ("UPDATE sessions SET state = NULL, permissions = '[]' WHERE id = 's'", "permissions"),
        (
            "UPDATE sessions SET permissions = '{}', additional_directories = '[7]' WHERE id = 's'",
            "additional_directories",
        ),
    ] {
        tables.execute_batch(change).unwrap();
        let error = corrupt(store.read(&id("s")).await);
        assert!(error.contains(&format!("`{column}`")), "{error}");
    }
    tables.execute_batch("UPDATE entries SET said = 'x' WHERE session = 1 AND seq = 7").unwrap();
    assert_eq!(store.replay(&id("s"), 0, 6).await.unwrap().len(), 6);
    let error = corrupt(store.replay(&id("s"), 6, 1).await);
    assert!(error.contains("`said`") && error.contains("entry 7"), "{error}");
    tables.execute_batch("UPDATE sessions SET last_seq = -1 WHERE id = 's'").unwrap();
    assert!(corrupt(store.claim(&id("s"), &claim()).await).contains("`last_seq`"));
    tables.execute_batch("UPDATE sessions SET owner = '?' WHERE id = 's'").unwrap();
    assert!(corrupt(store.claim(&id("s"), &claim()).await).contains("`owner`"));

    let lease = store.claim(&id("t"), &claim()).await.unwrap();
    store.commit(&lease, Change::all(&kept(2)).and_said(&[message(401, "the other goes on")])).await.unwrap();
    assert!(store.delete(&id("s")).await.unwrap(), "it can be deleted");
}

#[tokio::test]
#[cfg(unix)]
async fn a_file_that_was_removed_gets_no_commits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.db");
    let store = open(&path).await.unwrap();
    let lease = said(&store, "s", 1).await;
    fs::rename(&path, folder.path().join("away.db")).unwrap();
    for _ in 0..2 {
        let error = store.commit(&lease, Change::all(&kept(2)).and_said(&[message(2, "lost?")])).await.unwrap_err();
        assert!(
            matches!(&error, StoreError::Unavailable { reason } if reason.contains("removed or replaced")),
            "{error}"
        );
        fs::write(&path, "another").unwrap();
    }
    fs::rename(folder.path().join("away.db"), &path).unwrap();
    store.commit(&lease, Change::all(&kept(2)).and_said(&[message(2, "it is back")])).await.unwrap();
}
