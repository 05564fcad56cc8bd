//! Promises about the list of sessions.

use std::collections::BTreeSet;

use super::*;
use acp_store::{Cursor, ListFilter, Listed};

/// Sessions with the times of their changes. Some times are the same.
async fn made(store: &Store, number: i64) -> Vec<(i64, String)> {
    let mut random = Random::new(3);
    let mut made = Vec::new();
    for session in 0..number {
        let (time, id) = (random.below(number as u64 / 3) as i64, format!("s{session}"));
        store.create(&self::id(&id), &kept(time), &claim(LONG)).await.expect("a new session is kept");
        made.push((time, id));
    }
    made.sort();
    made.reverse();
    made
}

fn key(listed: &Listed) -> (i64, String) {
    (listed.updated.as_micros(), listed.id.as_str().to_owned())
}

pub(super) async fn the_latest_change_comes_first(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let made = made(&store, 30).await;
    let page = store.list(&ListFilter::default(), None, 1000).await.expect("a list");
    assert_eq!(page.sessions.iter().map(key).collect::<Vec<_>>(), made);
    assert_eq!(page.next, None);
    let oldest = id(&made[29].1);
    let lease = store.claim(&oldest, &claim(LONG).forced()).await.expect("it is forced");
    assert_eq!(store.list(&ListFilter::default(), None, 1).await.expect("a list").sessions[0].id.as_str(), made[0].1);
    store.commit(&lease, Change::all(&kept(1000))).await.expect("the lease is good");
    assert_eq!(store.list(&ListFilter::default(), None, 1).await.expect("a list").sessions[0].id, oldest);
}

pub(super) async fn a_filter_shows_one_working_directory(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    for (number, cwd) in ["/a", "/a/b", "/A", "/a", "/a/", "/a b", "/a"].iter().enumerate() {
        let mut kept = kept(number as i64);
        kept.cwd = cwd.into();
        store.create(&id(&format!("s{number}")), &kept, &claim(LONG)).await.expect("a new session is kept");
    }
    let mut read = Vec::new();
    let (filter, mut after) = (ListFilter::cwd(Some("/a".into())), None);
    loop {
        let page = store.list(&filter, after.as_ref(), 2).await.expect("a list");
        read.extend(page.sessions.iter().map(|listed| listed.id.as_str().to_owned()));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(read, ["s6", "s4", "s3", "s0"]);
    let same = ListFilter::cwd(Some("/a/".into()));
    assert_eq!(store.list(&same, None, 10).await.expect("a list").sessions.len(), 4, "the same folder");
    let none = ListFilter::cwd(Some("/elsewhere".into()));
    assert!(store.list(&none, None, 10).await.expect("a list").sessions.is_empty());
}

pub(super) async fn a_list_in_pages_shows_each_session_once(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let made = made(&store, 40).await;
    for most in [1, 3, 39, 40, 41] {
        let (mut read, mut after) = (Vec::new(), None::<Cursor>);
        loop {
            let page = store.list(&ListFilter::default(), after.as_ref(), most).await.expect("a list");
            assert!(!page.sessions.is_empty(), "there is a next page only if it has a session");
            assert!(page.sessions.len() <= most);
            read.extend(page.sessions.iter().map(key));
            // As a client gives it back.
            let Some(next) = page.next else { break };
            after = Some(next.to_string().parse().expect("a cursor survives as a text"));
        }
        assert_eq!(read, made, "in pages of {most}");
    }
}

pub(super) async fn a_list_stays_true_while_sessions_come_and_go(open: &impl AsyncFn() -> Store) {
    let (store, other) = (open().await, open().await);
    let mut untouched: BTreeSet<(i64, String)> = made(&store, 90).await.into_iter().collect();
    let (mut random, mut seen, mut after) = (Random::new(11), Vec::new(), None::<Cursor>);
    for round in 0_i64.. {
        assert!(round < 1000, "the list has no end");
        let page = store.list(&ListFilter::default(), after.as_ref(), 7).await.expect("a list");
        seen.extend(page.sessions.iter().map(key));
        // Some sessions come, some are deleted, some move to the begin. Also the one at the cursor.
        let at_cursor = page.sessions.last().map(key).expect("there is a next page only if it has a session");
        let deleted = match round % 3 {
            0 => at_cursor,
            _ => untouched.iter().nth(random.below(untouched.len() as u64) as usize).cloned().expect("some are left"),
        };
        other.delete(&id(&deleted.1)).await.expect("it is deleted");
        untouched.remove(&deleted);
        let moved =
            untouched.iter().nth(random.below(untouched.len() as u64) as usize).cloned().expect("some are left");
        let lease = other.claim(&id(&moved.1), &claim(LONG).forced()).await.expect("it is forced");
        other.commit(&lease, Change::all(&kept(1000 + round))).await.expect("the lease is good");
        untouched.remove(&moved);
        for time in [0, 15, 2000] {
            let new = id(&format!("new {round} {time}"));
            other.create(&new, &kept(time), &claim(LONG)).await.expect("a new session is kept");
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let ids: BTreeSet<&String> = seen.iter().map(|(_, id)| id).collect();
    assert_eq!(ids.len(), seen.len(), "no session is shown twice");
    assert!(seen.is_sorted_by(|one, next| one > next), "in one order");
    let missing: Vec<_> = untouched.iter().filter(|one| !ids.contains(&one.1)).collect();
    assert!(missing.is_empty(), "these were there all the time, and are not shown: {missing:?}");
}
