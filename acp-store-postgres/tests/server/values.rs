//! Values that PostgreSQL does not keep, or would sort in another order.

use super::*;

fn invalid<T: std::fmt::Debug>(result: Result<T, StoreError>, subject: &str) {
    match result {
        Err(error @ StoreError::Invalid { .. }) => assert!(error.to_string().contains(subject), "{error}"),
        other => panic!("expected the error `Invalid`, got {other:?}"),
    }
}

#[tokio::test]
async fn a_text_with_a_nul_is_refused_by_its_name_and_changes_nothing() {
    let Some(server) = Server::shared() else { return };
    let store = open(server, &schema()).await;
    let lease = said(&store, "s", 1).await;
    let nul = id("nul\0");
    invalid(store.create(&nul, &kept(1), &claim()).await, "the id of the session");
    let mut titled = kept(2);
    titled.title = Some("a\0b".to_owned());
    let mut placed = kept(2);
    placed.cwd = "/a\0b".into();
    let mut wide = kept(2);
    wide.additional_directories = vec!["/a\0b".into()];
    for (kept, subject) in [(titled, "the title"), (placed, "the path `/a\0b`"), (wide, "the path `/a\0b`")] {
        invalid(store.create(&id("new"), &kept, &claim()).await, subject);
        invalid(store.commit(&lease, Change::all(&kept).and_said(&[message(2, "two")])).await, subject);
    }
    let named = message(2, "two").message_id(MessageId::from("m\0"));
    invalid(store.commit(&lease, Change::all(&kept(2)).and_said(&[named])).await, "the message id of entry 2");
    let raw = Entry::new(2, Said::Unknown("\0".to_owned()));
    invalid(store.commit(&lease, Change::all(&kept(2)).and_said(&[raw])).await, "entry 2");
    // Nothing has such an id or path.
    let none =
        |result: Result<(), StoreError>| assert!(matches!(result, Err(StoreError::NotFound { .. })), "{result:?}");
    let other = Lease::new(&nul, 1, 0, Duration::from_secs(1));
    none(store.claim(&nul, &claim()).await.map(|_| ()));
    none(store.renew(&other).await);
    none(store.commit(&other, Change::all(&kept(2))).await);
    none(store.replay(&nul, 0, 1).await.map(|_| ()));
    store.release(&other).await.unwrap();
    assert!(!store.delete(&nul).await.unwrap());
    let filter = ListFilter::cwd(Some("/a\0b".into()));
    assert!(store.list(&filter, None, 10).await.unwrap().sessions.is_empty());

    assert_eq!(store.read(&id("s")).await.unwrap(), kept(1));
    assert_eq!(store.list(&ListFilter::default(), None, 10).await.unwrap().sessions.len(), 1);
    store.commit(&lease, Change::all(&kept(2)).and_said(&[message(2, "a message may have one: \0")])).await.unwrap();
}

#[tokio::test]
async fn long_ids_and_paths_are_kept_or_refused() {
    let Some(server) = Server::shared() else { return };
    let store = open(server, &schema()).await;
    let mut far = kept(1);
    far.cwd = format!("/{}", noise(20_000).replace('/', "-")).into();
    let long = id(&noise(2500));
    store.create(&long, &far, &claim()).await.unwrap();
    let page = store.list(&ListFilter::cwd(far.cwd.clone()), None, 10).await.unwrap();
    assert_eq!((&page.sessions[0].id, &page.sessions[0].cwd), (&long, &far.cwd));
    invalid(store.create(&id(&noise(2501)), &kept(1), &claim()).await, "2501 bytes");
    // Nobody has asked the server.
    assert!(matches!(store.read(&id(&noise(1_000_000))).await, Err(StoreError::NotFound { .. })));
}

#[tokio::test]
async fn sessions_of_one_time_are_in_the_order_of_their_bytes() {
    let Some(server) = Server::shared() else { return };
    let store = open(server, &schema()).await;
    // In the order of people, `a` is before `B`, and `_` before both.
    let ids = ["", " ", "B", "_", "a", "b", "é", "👩"];
    for one in ["a", "é", "B", "", "_", "👩", " ", "b"] {
        store.create(&id(one), &kept(1), &claim()).await.unwrap();
    }
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = store.list(&ListFilter::default(), after.as_ref(), 3).await.unwrap();
        found.extend(page.sessions.iter().map(|listed| listed.id.as_str().to_owned()));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    found.reverse();
    assert_eq!(found, ids);
}

#[tokio::test]
async fn a_lease_may_be_for_ever() {
    let Some(server) = Server::shared() else { return };
    let store = open(server, &schema()).await;
    let ever = Claim::new(&Owner::new(), Duration::MAX);
    let lease = store.create(&id("s"), &kept(1), &ever).await.unwrap();
    store.renew(&lease).await.unwrap();
    store.commit(&lease, Change::all(&kept(2))).await.unwrap();
    store.release(&lease).await.unwrap();
    let lease = store.claim(&id("s"), &ever).await.unwrap();
    assert!(matches!(store.claim(&id("s"), &claim()).await, Err(StoreError::Held { .. })));
    store.commit(&lease, Change::all(&kept(2))).await.unwrap();
}
