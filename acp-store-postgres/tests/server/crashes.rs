//! Servers that are killed, or have no room, and the commits that outlive it.

use std::sync::Arc;

use acp_store_postgres::{Durability, PostgresOptions};

use super::*;

/// Options of a server that writes its log late: a commit that does not wait for it is lost in a crash. On Linux, it starts
/// sooner after a crash.
const LATE: &str = if cfg!(target_os = "linux") {
    "-c wal_writer_delay=10000 -c recovery_init_sync_method=syncfs"
} else {
    "-c wal_writer_delay=10000"
};

async fn order(server: &Arc<Server>, order: &'static str) {
    let server = server.clone();
    tokio::task::spawn_blocking(move || server.order(order)).await.unwrap();
}

fn options(durability: Durability) -> PostgresOptions {
    PostgresStore::options().durability(durability)
}

#[tokio::test]
async fn a_server_that_is_killed_and_started_again_has_lost_no_told_commit() {
    let Some(server) = Server::start(&format!("{LATE} -c synchronous_commit=off")).map(Arc::new) else { return };
    let store = options(Durability::Durable).open(&server.url()).await.unwrap();
    let mut lease = said(&store, "s", 1).await;
    let mut last = 1;
    for (round, end) in ["kill", "stop", "kill", "stop"].into_iter().enumerate() {
        let writer = async {
            loop {
                match store.commit(&lease, Change::all(&kept(2)).and_said(&[message(last + 1, "x".repeat(500))])).await
                {
                    Ok(()) => last += 1,
                    Err(error) => break unavailable::<()>(Err(error)),
                }
            }
        };
        let ended = async {
            tokio::time::sleep(Duration::from_millis(100 + 50 * round as u64)).await;
            order(&server, end).await;
        };
        let (reason, ()) = tokio::join!(writer, ended);
        println!("`{end}` after {last} entries: {reason}");
        println!("then: {}", unavailable(store.read(&id("s")).await));
        order(&server, "start").await;
        // The commit that was refused may have been kept.
        store.commit(&lease, Change::all(&kept(2)).and_said(&[message(last + 1, "x".repeat(500))])).await.unwrap();
        last += 1;
        assert_eq!(
            store.replay(&id("s"), last - 1, 10).await.unwrap().len(),
            1,
            "{last} entries are there, and no more"
        );
        let again = store.claim(&id("s"), &claim().forced()).await.unwrap();
        assert!(again.token() > lease.token(), "tokens grow");
        lease = again;
    }
}

#[tokio::test]
async fn a_crash_of_the_server_takes_the_last_fast_commits_whole_and_no_token() {
    let Some(server) = Server::start(LATE).map(Arc::new) else { return };
    let store = options(Durability::Fast).open(&server.url()).await.unwrap();
    let mut tokens = Vec::new();
    for session in ["s", "t"] {
        let lease = said(&store, session, 0).await;
        for turn in 0..50 {
            let said = [1, 2, 3].map(|part| message(turn * 3 + part, format!("turn {turn}")));
            store.commit(&lease, Change::all(&kept(2 + turn.cast_signed())).and_said(&said)).await.unwrap();
        }
        // The last thing that is told before the crash is a token.
        tokens.push(store.claim(&id(session), &claim().forced()).await.unwrap().token());
        if session == "t" {
            let lease = store.claim(&id(session), &claim().forced()).await.unwrap();
            store
                .commit(&lease, Change::all(&kept(99)).and_said(&[message(151, "it is told, and lost")]))
                .await
                .unwrap();
            tokens.push(lease.token());
        }
    }
    order(&server, "stop").await;
    order(&server, "start").await;
    let _ = store.read(&id("s")).await; // perhaps it finds the lost connection
    for (session, entries) in [("s", 150), ("t", 150)] {
        let mut last = 0;
        while let Some(entry) = store.replay(&id(session), last, 1000).await.unwrap().last() {
            last = entry.seq;
        }
        assert_eq!(last, entries, "behind the commits of `{session}` there was a claim, which waited for the disk");
        assert_eq!(store.read(&id(session)).await.unwrap(), kept(51), "and the data are of that commit");
    }
    for session in ["s", "t"] {
        let next = store.claim(&id(session), &claim().forced()).await.unwrap().token();
        assert!(tokens.iter().all(|token| *token < next), "{next} was told before: {tokens:?}");
        tokens.push(next);
    }
}

/// Run it by hand, with the path of an empty folder on a disk of some MiB: `mount -t tmpfs -o size=16m tmpfs FOLDER`.
/// The user `postgres` must have it (`chown`).
#[tokio::test]
#[ignore = "it needs a small disk, whose folder is in `ACP_STORE_SMALL_DISK`"]
async fn a_full_disk_is_told_and_service_resumes() {
    let Some(server) = Server::shared() else { return };
    let folder = std::env::var("ACP_STORE_SMALL_DISK").expect("the folder of a small disk");
    let ballast = std::path::Path::new(&folder).join("ballast");
    let admin = connected(server).await;
    admin.batch_execute(&format!("CREATE TABLESPACE small LOCATION '{folder}'")).await.unwrap();
    std::fs::write(&ballast, vec![7; 4 << 20]).unwrap();
    let url = format!("{} options='-c default_tablespace=small'", server.url());
    let store = PostgresStore::options().schema(schema()).open(&url).await.unwrap();
    let lease = said(&store, "s", 0).await;
    let turn = |turn: i64| [1, 2, 3, 4].map(|part| message(turn.cast_unsigned() * 4 + part, noise(5000)));
    let mut turns = 0;
    let error = loop {
        match store.commit(&lease, Change::all(&kept(turns + 2)).and_said(&turn(turns))).await {
            Ok(()) => turns += 1,
            Err(error) => break error,
        }
    };
    println!("after {turns} turns: {error}");
    assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
    for _ in 0..3 {
        let again = store.commit(&lease, Change::all(&kept(9)).and_said(&turn(turns))).await;
        assert!(matches!(again, Err(StoreError::Full { .. })), "{again:?}");
    }
    let places = (turns * 4).cast_unsigned();
    assert_eq!(
        store.replay(&id("s"), places - 1, 9).await.unwrap().len(),
        1,
        "nothing is lost, and nothing is in parts"
    );
    assert_eq!(store.read(&id("s")).await.unwrap(), kept(turns + 1));
    std::fs::remove_file(&ballast).unwrap();
    store.commit(&lease, Change::all(&kept(turns + 2)).and_said(&turn(turns))).await.unwrap();
    assert_eq!(store.replay(&id("s"), places, 9).await.unwrap(), turn(turns));
}

/// Run it by hand, with the path of an empty folder on a disk of 72 MiB, which everybody may write to.
#[tokio::test]
#[ignore = "it needs a small disk, whose folder is in `ACP_STORE_SMALL_DISK`"]
async fn a_server_without_room_for_its_log_loses_no_told_commit_and_service_resumes() {
    let folder = std::env::var("ACP_STORE_SMALL_DISK").expect("the folder of a small disk");
    let Some(server) = Server::start_in(folder.as_ref(), "").map(Arc::new) else { return };
    let ballast = std::path::Path::new(&folder).join("ballast");
    // The log grows by 16 MiB at once.
    std::fs::write(&ballast, vec![7; 20 << 20]).unwrap();
    let store = options(Durability::Durable).open(&server.url()).await.unwrap();
    let lease = said(&store, "s", 0).await;
    let mut last = 0;
    let error = loop {
        match store.commit(&lease, Change::all(&kept(2)).and_said(&[message(last + 1, noise(50_000))])).await {
            Ok(()) => last += 1,
            Err(error) => break error,
        }
    };
    println!("after {last} commits: {error}");
    // The server has ended in the middle of it: nobody knows whether it was kept.
    let reason = unavailable::<()>(Err(error));
    assert!(reason.contains("No space left on device"), "{reason}");
    std::fs::remove_file(&ballast).unwrap();
    let mut tries = 0;
    while let Err(error) =
        store.commit(&lease, Change::all(&kept(2)).and_said(&[message(last + 1, noise(50_000))])).await
    {
        println!("then: {error}");
        tries += 1;
        assert!(tries < 100, "{error}");
        tokio::time::sleep(Duration::from_millis(100)).await;
        order(&server, "ensure").await;
    }
    assert_eq!(store.replay(&id("s"), last, 10).await.unwrap().len(), 1, "{last} commits are there, and the next one");
    assert_eq!(store.replay(&id("s"), last - 1, 1).await.unwrap(), [message(last, noise(50_000))]);
}
