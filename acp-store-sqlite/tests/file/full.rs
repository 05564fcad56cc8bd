//! A store without room.

use super::*;

#[tokio::test]
async fn a_full_store_says_so_and_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteStore::options().durability(Durability::Fast).max_bytes(2 << 20);
    let store = options.open(folder.path().join("sessions.db")).await.unwrap();
    said(&store, "old", 2000).await;
    let lease = said(&store, "s", 0).await;
    let mut turns = 0;
    let turn = |turns: i64| -> Vec<Entry> {
        (1..=4).map(|part| message(turns.cast_unsigned() * 4 + part, "x".repeat(5000))).collect()
    };
    let error = loop {
        match store.commit(&lease, Change::all(&kept(turns + 2)).and_said(&turn(turns))).await {
            Ok(()) => turns += 1,
            Err(error) => break error,
        }
        assert!(turns < 200, "the bound of the file is kept");
    };
    assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
    assert!(turns > 10, "there was room for some");
    for _ in 0..3 {
        let again = store.commit(&lease, Change::all(&kept(9)).and_said(&turn(turns))).await;
        assert!(matches!(again, Err(StoreError::Full { .. })), "{again:?}");
    }
    // Nothing is lost, and nothing is there in part.
    let mut read = 0;
    loop {
        let page = store.replay(&id("s"), read, 50).await.unwrap();
        let Some(last) = page.last() else { break };
        read = last.seq;
    }
    assert_eq!(read, turns.cast_unsigned() * 4);
    assert_eq!(store.read(&id("s")).await.unwrap().updated, Timestamp::from_micros(turns + 1));
    assert!(matches!(store.create(&id("new"), &kept(1), &claim()).await, Ok(_) | Err(StoreError::Full { .. })));

    assert!(store.delete(&id("old")).await.unwrap());
    store.commit(&lease, Change::all(&kept(turns + 2)).and_said(&turn(turns))).await.unwrap();
    assert_eq!(store.replay(&id("s"), read, 50).await.unwrap(), turn(turns));
}

/// Run it by hand, with the path of an empty folder on a disk of a few MiB: `mount -t tmpfs -o size=3m tmpfs FOLDER`.
#[tokio::test]
#[ignore = "it needs a small disk, whose folder is in `ACP_STORE_SMALL_DISK`"]
async fn a_full_disk_is_told_and_service_resumes() {
    let folder = std::env::var("ACP_STORE_SMALL_DISK").expect("the folder of a small disk");
    let folder = Path::new(&folder);
    let ballast = folder.join("ballast");
    std::fs::write(&ballast, vec![7; 1 << 20]).unwrap();
    for durability in [Durability::Fast, Durability::Durable] {
        let path = folder.join(format!("{durability:?}.db"));
        let store = SqliteStore::options().durability(durability).open(&path).await.unwrap();
        let lease = said(&store, "s", 0).await;
        let mut next = 1;
        let error = loop {
            match store.commit(&lease, Change::all(&kept(2)).and_said(&[message(next, "x".repeat(3000))])).await {
                Ok(()) => next += 1,
                Err(error) => break error,
            }
        };
        println!("{durability:?}: after {} commits: {error}", next - 1);
        assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
        std::fs::remove_file(&ballast).unwrap();
        store.commit(&lease, Change::all(&kept(2)).and_said(&[message(next, "x".repeat(3000))])).await.unwrap();
        drop(store);
        let store = open(&path).await.unwrap();
        let mut read = 0;
        while let Some(last) = store.replay(&id("s"), read, 50).await.unwrap().last() {
            read = last.seq;
        }
        assert_eq!(read, next, "nothing is lost");
        drop(store);
        tokio::time::sleep(Duration::from_secs(1)).await;
        for entry in std::fs::read_dir(folder).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
        std::fs::write(&ballast, vec![7; 1 << 20]).unwrap();
    }
}
