//! Promises about the data of a session.

use serde_json::json;

use super::*;
use acp_store::{KeptOption, KeptState, ListFilter};

/// A session with all that can be kept.
pub(super) fn rich() -> Kept {
    let mut kept = kept(1_700_000_000_123_456);
    kept.cwd = "/home/me/projét ✓".into();
    kept.additional_directories = vec!["/srv/z".into(), "/srv/a b".into(), "/srv/\"quoted\"".into()];
    kept.principal = Some("späte 'Person' \"@\" example.com".to_owned());
    kept.title = Some("A title with 'quotes', \"more\", \\, % _ and 👩‍💻\nin two lines".to_owned());
    kept.created = Timestamp::from_micros(-5);
    kept.options.insert("brave".into(), true.into());
    kept.options.insert("timid".into(), false.into());
    kept.options.insert("model".into(), "fast".into());
    kept.options.insert("späte 'Option'".into(), KeptOption::Unknown(json!({ "a": [1, null, "\u{0}"] })));
    kept.permissions.insert("tool/write_file".to_owned(), true);
    kept.permissions.insert("späte \"Entscheidung\"\u{0}".to_owned(), false);
    kept.unended = Some(3);
    kept.state = Some(KeptState::new(u32::MAX, &json!({ "notes": ["é", "\u{0}", 1.5, null] })).expect("it is JSON"));
    kept
}

pub(super) async fn a_session_is_kept_as_it_was_given(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    store.create(&id("rich"), &rich(), &claim(LONG)).await.expect("a new session is kept");
    assert_eq!(store.read(&id("rich")).await.expect("it is there"), rich());
    let mut bare = kept(0);
    bare.created = Timestamp::from_micros(0);
    store.create(&id("bare"), &bare, &claim(LONG)).await.expect("a new session is kept");
    assert_eq!(store.read(&id("bare")).await.expect("it is there"), bare);
    let page = store.list(&ListFilter::default().principal(rich().principal), None, 10).await.expect("a list");
    let [listed] = &*page.sessions else { panic!("the principal has one session: {page:?}") };
    assert_eq!((&listed.id, &listed.cwd, &listed.title), (&id("rich"), &rich().cwd, &rich().title));
    assert_eq!(listed.additional_directories, rich().additional_directories);
    assert_eq!((listed.created, listed.updated), (rich().created, rich().updated));
}

pub(super) async fn an_id_names_one_session(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    store.commit(&lease, Change::all(&kept(2)).and_said(&[message(1, "said")])).await.expect("the lease is good");
    let mut other = kept(9);
    other.title = Some("another".to_owned());
    let again = store.create(&id("s"), &other, &claim(LONG).forced()).await;
    refused(again, |error| matches!(error, StoreError::Exists { .. }), "the error `Exists`");
    assert_eq!(store.read(&id("s")).await.expect("it is there"), kept(2), "the first one is as it was");
    assert_eq!(all(&store, &id("s"), 10).await, [message(1, "said")]);
    store.commit(&lease, Change::all(&kept(3))).await.expect("its lease is good");
}

pub(super) async fn what_is_not_there_is_not_found(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = Lease::new(&id("nothing"), 1, 0, LONG);
    not_found(store.read(&id("nothing")).await);
    not_found(store.replay(&id("nothing"), 0, 10).await);
    not_found(store.claim(&id("nothing"), &claim(LONG)).await);
    not_found(store.renew(&lease).await);
    not_found(store.commit(&lease, Change::all(&kept(1))).await);
    not_found(store.commit(&lease, Change::all(&kept(1)).and_said(&[message(1, "said")])).await);
    store.release(&lease).await.expect("there is nothing to release");
    assert!(!store.delete(&id("nothing")).await.expect("there is nothing to delete"));
    not_found(store.read(&id("nul\u{0}")).await);
    assert!(store.list(&ListFilter::default(), None, 10).await.expect("a list").sessions.is_empty());
}

pub(super) async fn an_id_is_any_text(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let long = "x".repeat(2000);
    // The last two are shown alike, and are other texts.
    let ids =
        ["s", "S", " s", "s ", "", "../s", "/", "a:b", "'; --", "%", "_", "?1", "你好", "👩‍💻", &long, "é", "e\u{301}"];
    let shown = |one: &str| match one.len() {
        2000 => "an id of 2000 bytes".to_owned(),
        _ => format!("the id `{one}`"),
    };
    for (number, one) in ids.iter().enumerate() {
        let mut kept = kept(number as i64);
        kept.title = Some(format!("number {number}"));
        store.create(&id(one), &kept, &claim(LONG)).await.unwrap_or_else(|error| panic!("{}: {error}", shown(one)));
    }
    for (number, one) in ids.iter().enumerate() {
        let kept = store.read(&id(one)).await.unwrap_or_else(|error| panic!("{}: {error}", shown(one)));
        assert_eq!(kept.title, Some(format!("number {number}")), "{} is a session of its own", shown(one));
    }
    let page = store.list(&ListFilter::default(), None, 100).await.expect("a list");
    let listed: Vec<&str> = page.sessions.iter().rev().map(|listed| listed.id.as_str()).collect();
    assert_eq!(listed, ids);
}

pub(super) async fn handles_of_one_storage_show_the_same(open: &impl AsyncFn() -> Store) {
    let (one, other) = (open().await, open().await);
    let lease = opened(&one, "s").await;
    one.commit(&lease, Change::all(&kept(5)).and_said(&[message(1, "said")])).await.expect("the lease is good");
    assert_eq!(other.read(&id("s")).await.expect("it is there"), kept(5));
    assert_eq!(all(&other, &id("s"), 10).await, [message(1, "said")]);
    assert_eq!(other.list(&ListFilter::default(), None, 10).await.expect("a list").sessions.len(), 1);
    one.release(&lease).await.expect("the lease is good");
    let lease = other.claim(&id("s"), &claim(LONG)).await.expect("it is free");
    assert_eq!(lease.last_seq(), 1, "it goes on where the first one ended");
    other.commit(&lease, Change::all(&kept(6)).and_said(&[message(2, "continued")])).await.expect("the lease is good");
    drop(other);
    let later = open().await;
    assert_eq!(all(&later, &id("s"), 10).await, [message(1, "said"), message(2, "continued")]);
    assert_eq!(one.read(&id("s")).await.expect("it is there"), kept(6));
}

pub(super) async fn what_is_deleted_is_gone(open: &impl AsyncFn() -> Store) {
    let (store, other) = (open().await, open().await);
    let lease = opened(&store, "s").await;
    let neighbour = opened(&store, "t").await;
    store
        .commit(&lease, Change::all(&kept(2)).and_said(&[message(1, "said"), message(2, "more")]))
        .await
        .expect("the lease is good");
    store
        .commit(&neighbour, Change::all(&kept(2)).and_said(&[message(1, "of the other")]))
        .await
        .expect("the lease is good");
    assert!(other.delete(&id("s")).await.expect("it is deleted, whoever holds it"));
    assert!(!other.delete(&id("s")).await.expect("once"));
    not_found(store.read(&id("s")).await);
    not_found(store.replay(&id("s"), 0, 10).await);
    not_found(store.claim(&id("s"), &claim(LONG)).await);
    not_found(store.renew(&lease).await);
    not_found(store.commit(&lease, Change::all(&kept(3)).and_said(&[message(3, "too late")])).await);
    store.release(&lease).await.expect("there is nothing to release");
    assert_eq!(store.list(&ListFilter::default(), None, 10).await.expect("a list").sessions.len(), 1);
    assert_eq!(all(&store, &id("t"), 10).await.len(), 1, "its neighbour is as it was");

    // A session with the same id is another one.
    let again = opened(&store, "s").await;
    assert_eq!(again.last_seq(), 0);
    lost(store.commit(&lease, Change::all(&kept(3)).and_said(&[message(1, "too late")])).await);
    lost(store.renew(&lease).await);
    store.release(&lease).await.expect("there is nothing to release");
    held(store.claim(&id("s"), &claim(LONG)).await);
    assert!(all(&store, &id("s"), 10).await.is_empty(), "nothing of the first one is left");
}
