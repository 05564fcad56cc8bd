//! Promises about many sessions and long ones. They take longer than those of [`check`], which does not contain them.

use std::collections::BTreeSet;

use super::*;
use acp_store::ListFilter;

/// A list of so many sessions in pages of 50 shows each one once, while sessions are added and removed.
///
/// # Panics
///
/// The store breaks the promise.
pub async fn long_list(store: &dyn SessionStore, number: i64) {
    let mut untouched = BTreeSet::new();
    for session in 0..number {
        // Ten sessions of each time.
        let session_id = format!("s{session}");
        let kept = kept(session * 7919 % number / 10);
        store.create(&id(&session_id), &kept, &claim(LONG)).await.expect("a new session is kept");
        untouched.insert(session_id);
    }
    let (filter, mut after, mut seen, mut pages) = (ListFilter::default(), None, BTreeSet::new(), 0);
    loop {
        let page = store.list(&filter, after.as_ref(), 50).await.expect("a list");
        for listed in &page.sessions {
            assert!(seen.insert(listed.id.as_str().to_owned()), "`{}` is shown twice", listed.id);
        }
        // One is deleted that was shown, and one that perhaps was not. Some are added behind and before the page.
        for gone in [page.sessions[0].id.clone(), id(&format!("s{}", pages * 37 % number))] {
            store.delete(&gone).await.expect("it is deleted");
            untouched.remove(gone.as_str());
        }
        for time in [number, pages * 5 % 1000] {
            let new = id(&format!("new {pages} {time}"));
            store.create(&new, &kept(time), &claim(LONG)).await.expect("a new session is kept");
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

/// A page of a replay is bounded in bytes, whatever number of entries is asked for: about 1 MiB, or one entry.
///
/// # Panics
///
/// The store breaks the promise.
pub async fn bounded_pages(store: &dyn SessionStore) {
    let lease = store.create(&id("s"), &kept(1), &claim(LONG)).await.expect("a new session is kept");
    for turn in 0..10 {
        let said: Vec<Entry> = (1..=10).map(|part| message(turn * 10 + part, "x".repeat(200_000))).collect();
        store.commit(&lease, Change::all(&kept(2)).and_said(&said)).await.expect("the lease is good");
    }
    let last = [message(101, "x".repeat(5_000_000))];
    store.commit(&lease, Change::all(&kept(2)).and_said(&last)).await.expect("the lease is good");
    let (mut read, mut pages) = (0, 0);
    loop {
        let page = store.replay(&id("s"), read, usize::MAX).await.expect("it is there");
        let Some(last) = page.last() else { break };
        let bytes: usize = page.iter().map(|entry| text(entry).len()).sum();
        assert!(page.len() == 1 || bytes < 1_300_000 || last.seq == 101, "a page has {bytes} bytes");
        read = last.seq;
        pages += 1;
    }
    assert_eq!(read, 101);
    assert!(pages > 15, "{pages} pages");
}
