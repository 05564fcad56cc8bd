//! What users delete is in no file any more.

use std::{fs, path::Path};

use super::*;

/// Whether a file of the folder has the text.
fn is_in(folder: &Path, text: &str) -> bool {
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
    files.into_iter().any(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
}

#[tokio::test]
async fn what_was_deleted_or_dropped_is_in_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("sessions.db")).await.unwrap();
    let lease = said(&store, "swordfish", 3).await;
    let other = said(&store, "password", 3).await;
    assert!(is_in(folder.path(), "swordfish 1") && is_in(folder.path(), "password 3"));
    store.commit(&lease, Change::default().forgotten(2)).await.unwrap();
    assert!(!is_in(folder.path(), "swordfish 1") && is_in(folder.path(), "swordfish 3"));
    assert!(store.delete(other.session()).await.unwrap());
    assert!(!is_in(folder.path(), "password"));
    // The store goes on.
    store.commit(&lease, Change::said(&[message(4, "more")])).await.unwrap();
    assert_eq!(store.replay(lease.session(), 0, 10).await.unwrap().len(), 2);
}
