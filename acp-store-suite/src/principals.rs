//! Promises about the principals of sessions.

use super::*;
use acp_store::{Cursor, ListFilter};

/// Names that are easily mixed up.
const NAMES: [Option<&str>; 9] =
    [None, Some(""), Some("ann"), Some("Ann"), Some("ann "), Some("an%"), Some("NULL"), Some("é"), Some("e\u{301}")];

async fn made(store: &Store, session: &str, principal: Option<&str>, micros: i64) -> Lease {
    let mut kept = kept(micros);
    kept.principal = principal.map(str::to_owned);
    store.create(&id(session), &kept, &claim(LONG)).await.expect("a new session is kept")
}

fn of(principal: Option<&str>) -> ListFilter {
    ListFilter::default().principal(principal.map(str::to_owned))
}

/// The ids of a list that is read in pages.
async fn listed(store: &Store, filter: &ListFilter, mut after: Option<Cursor>, most: usize) -> Vec<String> {
    let mut read = Vec::new();
    loop {
        let page = store.list(filter, after.as_ref(), most).await.expect("a list");
        assert!(page.next.is_none() || page.sessions.len() == most, "only the last page is not full");
        read.extend(page.sessions.iter().map(|listed| listed.id.as_str().to_owned()));
        after = page.next;
        if after.is_none() {
            return read;
        }
    }
}

pub(super) async fn a_session_keeps_the_principal_that_it_was_created_with(open: &impl AsyncFn() -> Store) {
    let long = "x".repeat(5000);
    let names: Vec<Option<&str>> = NAMES.into_iter().chain([Some(&*long)]).collect();
    let store = open().await;
    for (number, name) in names.iter().enumerate() {
        let lease = made(&store, &format!("s{number}"), *name, 1).await;
        // All that a commit can change, of a session with another principal.
        let mut other = kept(2);
        other.principal = Some("bob".to_owned());
        store.commit(&lease, Change::all(&other)).await.expect("the lease is good");
        store.release(&lease).await.expect("the lease is good");
    }
    drop(store);
    let later = open().await;
    for (number, name) in names.iter().enumerate() {
        let session = format!("s{number}");
        let lease = later.claim(&id(&session), &claim(LONG)).await.expect("it is free");
        later.commit(&lease, Change::said(&[message(1, "said")])).await.expect("the lease is good");
        let kept = later.read(&id(&session)).await.expect("it is there");
        assert_eq!(kept.principal.as_deref(), *name);
        assert_eq!(kept.updated, Timestamp::from_micros(2), "the commit was kept");
    }
}

pub(super) async fn a_list_shows_the_sessions_of_one_principal(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    for (number, name) in NAMES.into_iter().enumerate() {
        made(&store, &format!("s{number}"), name, number as i64).await;
        let mut elsewhere = kept(100 + number as i64);
        (elsewhere.cwd, elsewhere.principal) = ("/elsewhere".into(), name.map(str::to_owned));
        store.create(&id(&format!("t{number}")), &elsewhere, &claim(LONG)).await.expect("a new session is kept");
    }
    for (number, name) in NAMES.into_iter().enumerate() {
        let (here, elsewhere) = (format!("s{number}"), format!("t{number}"));
        assert_eq!(listed(&store, &of(name), None, 10).await, [elsewhere.clone(), here.clone()], "{name:?}");
        for (cwd, expected) in [("/home/me/project", &[here][..]), ("/elsewhere", &[elsewhere]), ("/no/where", &[])] {
            let filter = ListFilter::cwd(Some(cwd.into())).principal(name.map(str::to_owned));
            assert_eq!(listed(&store, &filter, None, 10).await, expected, "{name:?} in {cwd}");
        }
    }
    assert_eq!(listed(&store, &of(Some("nobody")), None, 10).await, [""; 0]);
}

pub(super) async fn pages_of_one_principal_have_no_session_of_another(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let names = [None, Some("ann"), Some("bob")];
    let mut random = Random::new(5);
    let mut all = Vec::new();
    for number in 0..60 {
        let (name, time) = (names[random.below(3) as usize], random.below(20) as i64);
        let session = format!("s{number:02}");
        made(&store, &session, name, time).await;
        all.push((time, session, name));
    }
    all.sort();
    all.reverse();
    let ids = |name: Option<&str>, from: usize| -> Vec<String> {
        all[from..].iter().filter(|(_, _, its)| *its == name).map(|(_, session, _)| session.clone()).collect()
    };
    for name in names {
        for most in [1, 2, 7, 60] {
            assert_eq!(listed(&store, &of(name), None, most).await, ids(name, 0), "{name:?} in pages of {most}");
        }
        // A cursor that another principal has got is a place, and no way to the other's sessions.
        for place in [0, 20, 59] {
            let (time, session, _) = &all[place];
            let cursor = Cursor::new(Timestamp::from_micros(*time), id(session));
            assert_eq!(
                listed(&store, &of(name), Some(cursor), 3).await,
                ids(name, place + 1),
                "{name:?} behind {place}"
            );
        }
    }
}
