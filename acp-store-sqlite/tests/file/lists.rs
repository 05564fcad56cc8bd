//! Long lists and long sessions.

use std::collections::BTreeSet;

use acp_runtime::store::ListFilter;

use super::*;

#[tokio::test]
async fn ten_thousand_sessions_in_pages_while_others_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("sessions.db")).await.unwrap();
    let number: i64 = 10_000;
    let mut untouched = BTreeSet::new();
    for session in 0..number {
        // Ten sessions of each time.
        let session_id = format!("s{session}");
        store.create(&id(&session_id), &kept(session * 7919 % number / 10), &claim()).await.unwrap();
        untouched.insert(session_id);
    }
    let (filter, mut after, mut seen, mut pages) = (ListFilter::default(), None, BTreeSet::new(), 0);
    loop {
        let page = store.list(&filter, after.as_ref(), 50).await.unwrap();
        for listed in &page.sessions {
            assert!(seen.insert(listed.id.as_str().to_owned()), "`{}` is shown twice", listed.id);
        }
        // One is deleted that was shown, and one that perhaps was not. Some are added behind and before the page.
        for gone in [page.sessions[0].id.clone(), id(&format!("s{}", pages * 37 % number))] {
            store.delete(&gone).await.unwrap();
            untouched.remove(gone.as_str());
        }
        for time in [number, pages * 5 % 1000] {
            store.create(&id(&format!("new {pages} {time}")), &kept(time), &claim()).await.unwrap();
        }
        pages += 1;
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert!(pages >= number / 50 - 20, "{pages} pages");
    let missing: Vec<&String> = untouched.difference(&seen).collect();
    assert!(missing.is_empty(), "{} sessions were there all the time, and are not shown", missing.len());
}

#[tokio::test]
async fn a_page_of_a_replay_is_bounded_in_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("sessions.db")).await.unwrap();
    let lease = store.create(&id("s"), &kept(1), &claim()).await.unwrap();
    for turn in 0..10 {
        let said: Vec<Entry> = (1..=10).map(|part| message(turn * 10 + part, "x".repeat(200_000))).collect();
        store.commit(&lease, &kept(2), &said).await.unwrap();
    }
    store.commit(&lease, &kept(2), &[message(101, "x".repeat(5_000_000))]).await.unwrap();
    let (mut read, mut pages) = (0, 0);
    loop {
        let page = store.replay(&id("s"), read, usize::MAX).await.unwrap();
        let Some(last) = page.last() else { break };
        let bytes: usize = page.iter().map(|entry| entry.to_json().unwrap().len()).sum();
        assert!(page.len() == 1 || bytes < 1_300_000 || last.seq == 101, "a page has {bytes} bytes");
        read = last.seq;
        pages += 1;
    }
    assert_eq!(read, 101);
    assert!(pages > 15, "{pages} pages");
}
