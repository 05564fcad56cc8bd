//! Connections and servers that are lost, and calls that are given up in the middle.

use std::{future::poll_fn, task::Poll, time::Instant};

use super::{proxy::*, *};

/// Polls the future once, so that its request is on its way.
async fn begin<T>(call: &mut StoreFuture<'_, T>) {
    let is_ready = poll_fn(|context| Poll::Ready(call.as_mut().poll(context).is_ready())).await;
    assert!(!is_ready, "the answer cannot be there yet");
}

#[tokio::test]
async fn a_commit_whose_answer_is_lost_is_kept_once() {
    let Some(server) = Server::shared() else { return };
    let proxy = Proxy::start(server);
    let store = PostgresStore::options().schema(schema()).open(&proxy.url()).await.unwrap();
    let lease = said(&store, "s", 1).await;
    let entries = [message(2, "two"), message(3, "three")];
    proxy.set(Mode::CutAnswers);
    let reason = unavailable(store.commit(&lease, Change::all(&kept(7)).and_said(&entries)).await);
    assert!(reason.contains("connection closed") && reason.contains("the schema `s"), "{reason}");
    proxy.set(Mode::Pass);
    assert_eq!(store.replay(&id("s"), 0, 10).await.unwrap().len(), 3, "it was kept, and the next call connects again");
    store.commit(&lease, Change::all(&kept(7)).and_said(&entries)).await.unwrap();
    store.commit(&lease, Change::all(&kept(8)).and_said(&[message(4, "four")])).await.unwrap();
    assert_eq!(store.replay(&id("s"), 0, 10).await.unwrap().len(), 4);
}

#[tokio::test]
async fn a_silent_server_is_told_in_time_and_the_next_call_connects_again() {
    let Some(server) = Server::shared() else { return };
    let proxy = Proxy::start(server);
    let options = PostgresStore::options().schema(schema()).patience(Duration::from_millis(300));
    let store = options.open(&proxy.url()).await.unwrap();
    let lease = said(&store, "s", 1).await;
    for _ in 0..2 {
        proxy.set(Mode::Stick);
        let begin = Instant::now();
        let reason = unavailable(store.renew(&lease).await);
        assert!(reason.contains("is silent for 300ms"), "{reason}");
        // A new connection is silent, too.
        unavailable(store.read(&id("s")).await);
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
        proxy.set(Mode::Pass);
        store.renew(&lease).await.unwrap();
    }
}

#[tokio::test]
async fn a_commit_that_was_given_up_and_arrives_late_changes_nothing() {
    let Some(server) = Server::shared() else { return };
    let (proxy, schema) = (Proxy::start(server), schema());
    let slow = PostgresStore::options().schema(&schema).open(&proxy.url()).await.unwrap();
    let store = open(server, &schema).await;
    let lease = said(&store, "s", 1).await;
    let (old, new) = (kept(2), kept(3));
    proxy.set(Mode::HoldRequests);
    let mut late = slow.commit(&lease, Change::all(&old));
    begin(&mut late).await;
    proxy.held(1).await;
    drop(late);
    store.commit(&lease, Change::all(&new)).await.unwrap();
    proxy.set(Mode::Pass);
    // On the same connection, this call comes behind the late one.
    assert_eq!(slow.read(&id("s")).await.unwrap(), new);
    assert_eq!(store.read(&id("s")).await.unwrap(), new);
    store.commit(&lease, Change::all(&kept(4)).and_said(&[message(2, "two")])).await.unwrap();
}

#[tokio::test]
async fn a_claim_that_was_given_up_and_arrives_late_takes_nothing() {
    let Some(server) = Server::shared() else { return };
    let (proxy, schema) = (Proxy::start(server), schema());
    let slow = PostgresStore::options().schema(&schema).open(&proxy.url()).await.unwrap();
    let store = open(server, &schema).await;
    said(&store, "s", 1).await;
    let (claim, name) = (claim().forced(), id("s"));
    proxy.set(Mode::HoldAnswers);
    let mut late = slow.claim(&name, &claim);
    begin(&mut late).await;
    proxy.held(1).await;
    // It gets the answer to its first statement, and its second one waits.
    proxy.set(Mode::HoldRequests);
    tokio::select! {
        _ = &mut late => panic!("its second statement waits"),
        () = proxy.held(2) => {}
    }
    drop(late);
    let lease = store.claim(&id("s"), &claim).await.unwrap();
    proxy.set(Mode::Pass);
    // On the same connection, this call comes behind the late one.
    slow.read(&id("s")).await.unwrap();
    store.commit(&lease, Change::all(&kept(3))).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_are_given_up_leave_no_transaction_and_no_lock() {
    let Some(server) = Server::shared() else { return };
    let schema = schema();
    let options = PostgresStore::options().schema(&schema).connections(2);
    let store = options.open(&format!("{} application_name=given_up", server.url())).await.unwrap();
    let lease = said(&store, "s", 0).await;
    let watcher = connected(server).await;
    let mut next = 1;
    for round in 0..100 {
        let entries: Vec<Entry> = (next..next + 3).map(|seq| message(seq, "x".repeat(50_000))).collect();
        let now = kept(round);
        let _ = tokio::time::timeout(
            Duration::from_micros(round as u64 * 40),
            store.commit(&lease, Change::all(&now).and_said(&entries)),
        )
        .await;
        let open =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'given_up' AND state LIKE 'idle in %'";
        let open: i64 = watcher.query_typed_one(open, &[]).await.unwrap().get(0);
        assert_eq!(open, 0, "no connection waits inside of a transaction");
        store.commit(&lease, Change::all(&now).and_said(&entries)).await.unwrap();
        next += 3;
    }
    assert_eq!(store.replay(&id("s"), next - 2, 10).await.unwrap().len(), 1);
    let number = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'given_up'";
    let number: i64 = watcher.query_typed_one(number, &[]).await.unwrap().get(0);
    assert!(number <= 2, "{number} connections");
}

#[tokio::test]
async fn calls_wait_for_a_connection_and_not_for_ever() {
    let Some(server) = Server::shared() else { return };
    let schema = schema();
    let options = PostgresStore::options().schema(&schema).connections(1).patience(Duration::from_secs(1));
    let store = options.open(&server.url()).await.unwrap();
    let lease = said(&store, "s", 1).await;
    let other = connected(server).await;
    other.batch_execute(&format!("BEGIN; SELECT FROM {schema}.sessions FOR UPDATE")).await.unwrap();
    let now = kept(2);
    let (begin, nothing) = (Instant::now(), id("nothing"));
    let (commit, read) = tokio::join!(store.commit(&lease, Change::all(&now)), store.read(&nothing));
    unavailable(commit);
    // Perhaps the read gets the connection before its own time is over.
    assert!(matches!(read, Err(StoreError::Unavailable { .. } | StoreError::NotFound { .. })), "{read:?}");
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    other.batch_execute("ROLLBACK").await.unwrap();
    store.commit(&lease, Change::all(&now)).await.unwrap();
}
