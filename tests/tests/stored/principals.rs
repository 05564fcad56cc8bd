//! Whose sessions a connection may know of: those of its principal.

use std::time::Duration;

use acp_runtime::{
    agent::Host,
    prelude::*,
    store::{Claim, Kept, ListFilter, MemoryStore, Owner, SessionStore},
    transport::{Context, Principal},
};
use acp_tests::peer::{Peer, Refusal, all_capabilities, prompt};
use serde_json::{Value, json};

use super::{
    agent::{Keeper, opening, set, told},
    store::{Mode, Store},
};

/// A client of the host. `None`: its connection has no principal.
async fn client(host: &Host<Keeper>, principal: Option<&str>) -> Peer {
    let mut peer = Peer::serve_by(host, context(principal));
    peer.initialize(all_capabilities()).await;
    peer
}

fn context(principal: Option<&str>) -> Context {
    match principal {
        Some(name) => Context::new().with(Principal::new(name)),
        None => Context::new(),
    }
}

fn host(store: &Store) -> Host<Keeper> {
    Host::new(Keeper::on(store))
}

/// What a client may ask about a session.
fn questions(id: &str) -> [(&'static str, Value); 6] {
    [
        ("session/load", opening(id)),
        ("session/resume", opening(id)),
        ("session/prompt", prompt(id, "Let me in")),
        ("session/set_config_option", set(id, "smart")),
        ("session/close", json!({ "sessionId": id })),
        ("session/delete", json!({ "sessionId": id })),
    ]
}

/// The answers to all questions, without the session's id.
async fn answers(peer: &mut Peer, id: &str) -> Vec<(&'static str, Result<String, Refusal>)> {
    let mut answers = Vec::new();
    for (method, params) in questions(id) {
        let answer = peer.call(method, params).await;
        answers.push((
            method,
            answer.map(|result| result.to_string()).map_err(|refusal| {
                let data = refusal.data.map(|data| data.to_string().replace(id, "<id>").into());
                Refusal { message: refusal.message.replace(id, "<id>"), data, ..refusal }
            }),
        ));
    }
    answers
}

/// The sessions that a client lists.
async fn listed(peer: &mut Peer) -> Vec<String> {
    let list = peer.call("session/list", json!({})).await.expect("a list");
    let ids = list["sessions"].as_array().expect("sessions").iter().map(|one| one["sessionId"].as_str());
    let mut ids: Vec<String> = ids.map(|id| id.expect("an id").to_owned()).collect();
    ids.sort();
    ids
}

async fn is_free(store: &MemoryStore, id: &str) -> bool {
    let claim = Claim::new(&Owner::new(), Duration::from_secs(60));
    match store.claim(&id.into(), &claim).await {
        Ok(lease) => store.release(&lease).await.is_ok(),
        Err(_) => false,
    }
}

#[tokio::test]
async fn a_session_of_another_principal_is_answered_as_one_that_is_not_there() {
    for (owner, others) in
        [(Some("ann"), [Some("bob"), Some("Ann"), None]), (None, [Some("bob"), Some(""), Some("ann")])]
    {
        let store = Store::default();
        let mut peer = client(&host(&store), owner).await;
        let id = peer.new_session().await;
        assert_eq!(told(&mut peer, &id, "Hello").await, "You said Hello");
        peer.call("session/close", json!({ "sessionId": id })).await.expect("closed");
        let (kept, said) = (store.kept(&id).await, store.said(&id).await);
        assert_eq!(kept.principal.as_deref(), owner);
        for other in others {
            // A host of another process, and the same host.
            for mut peer in [client(&host(&store), other).await, client(&host(&store), other).await] {
                let unknown = answers(&mut peer, "no-such-session").await;
                assert_eq!(answers(&mut peer, &id).await, unknown, "{other:?} asks for a session of {owner:?}");
                for (method, answer) in &unknown[..5] {
                    let refusal = answer.as_ref().expect_err("nobody knows it");
                    assert_eq!(refusal.code, -32002, "{method}: {refusal:?}");
                }
                assert_eq!(listed(&mut peer).await, [""; 0]);
            }
        }
        assert_eq!((store.kept(&id).await, store.said(&id).await), (kept, said), "nothing of it has changed");
        assert!(is_free(&store.sessions, &id).await, "nothing is claimed");

        // Its own principal continues it, by another host.
        let mut again = client(&host(&store), owner).await;
        assert_eq!(listed(&mut again).await, [&*id]);
        again.call("session/load", opening(&id)).await.expect("it is there");
        again.updates();
        assert_eq!(told(&mut again, &id, "history").await, "Hello|history");
        again.call("session/delete", json!({ "sessionId": id })).await.expect("it is deleted");
        assert_eq!(listed(&mut again).await, [""; 0]);
    }
}

#[tokio::test]
async fn the_turn_of_an_active_session_goes_on_when_another_principal_asks_for_it() {
    let store = Store::default();
    let host = host(&store);
    let mut ann = client(&host, Some("ann")).await;
    let id = ann.new_session().await;
    let running = ann.prompt(&id, "wait").await;
    ann.update().await;
    for other in [Some("bob"), None] {
        let mut peer = client(&host, other).await;
        for (method, params) in questions(&id) {
            let refusal = peer.call(method, params).await.expect_err("it is not there");
            assert_eq!(refusal.code, -32002, "{method}: {refusal:?}");
        }
        peer.cancel(&id).await;
        peer.settled().await;
    }
    assert_eq!(ann.settled().await, [], "the turn goes on");
    ann.cancel(&id).await;
    assert_eq!(ann.stop_reason(running).await, "cancelled");
    assert_eq!(told(&mut ann, &id, "history").await, "wait|history");
}

#[tokio::test]
async fn a_list_shows_the_own_sessions_page_by_page() {
    let store = Store::default();
    let host = host(&store);
    let principals = [Some("ann"), Some("bob"), None];
    // More than a page has.
    let owner = Owner::new();
    for number in 0..180 {
        let mut kept = Kept::new("/");
        kept.title = Some("A session that was used".to_owned());
        kept.principal = principals[number % 3].map(str::to_owned);
        let (id, claim) = (format!("s{number:03}").into(), Claim::new(&owner, Duration::from_secs(60)));
        store.sessions.create(&id, &kept, &claim).await.expect("it is new");
    }
    let mut cursors = Vec::new();
    for (first, principal) in principals.into_iter().enumerate() {
        let mut peer = client(&host, principal).await;
        let page = peer.call("session/list", json!({})).await.expect("a page");
        let cursor = page["nextCursor"].clone();
        let rest = peer.call("session/list", json!({ "cursor": cursor })).await.expect("the other page");
        assert!(rest["nextCursor"].is_null(), "it is the last page: {rest}");
        let both = [&page, &rest].into_iter().flat_map(|page| page["sessions"].as_array().expect("sessions"));
        let mut ids: Vec<&str> = both.map(|one| one["sessionId"].as_str().expect("an id")).collect();
        ids.sort();
        let expected: Vec<String> = (first..180).step_by(3).map(|number| format!("s{number:03}")).collect();
        assert_eq!(ids, expected, "{principal:?}");
        cursors.push(cursor);
    }
    // A cursor of somebody else leads to nobody else's sessions.
    let mut bob = client(&host, Some("bob")).await;
    for cursor in cursors {
        let page = bob.call("session/list", json!({ "cursor": cursor })).await.expect("a page");
        for one in page["sessions"].as_array().expect("sessions") {
            let number: usize = one["sessionId"].as_str().expect("an id")[1..].parse().expect("a number");
            assert_eq!(number % 3, 1, "it is a session of bob");
        }
    }
    let all = store.sessions.list(&ListFilter::default(), None, 1000).await.expect("a list");
    assert_eq!(all.sessions.len(), 60);
}

#[tokio::test]
async fn a_damaged_session_is_deleted_by_its_own_principal_alone() {
    let store = Store::default();
    let host = host(&store);
    let mut ann = client(&host, Some("ann")).await;
    let id = ann.new_session().await;
    ann.call("session/close", json!({ "sessionId": id })).await.expect("closed");
    store.set(Mode::Damaged);
    let mut bob = client(&host, Some("bob")).await;
    bob.call("session/delete", json!({ "sessionId": id })).await.expect("nothing is deleted");
    store.kept(&id).await;
    ann.call("session/delete", json!({ "sessionId": id })).await.expect("deleted");
    assert!(store.sessions.read(&id.as_str().into()).await.is_err(), "it is gone");
}

/// The host has the session still, for another client.
#[tokio::test]
async fn a_session_whose_client_has_gone_is_deleted_by_its_own_principal_alone() {
    let store = Store::default();
    let host = host(&store);
    let mut ann = client(&host, Some("ann")).await;
    let id = ann.new_session().await;
    assert_eq!(told(&mut ann, &id, "Hello").await, "You said Hello");
    ann.hang_up().await;
    let named = json!({ "sessionId": id });
    let mut bob = client(&host, Some("bob")).await;
    assert_eq!(bob.call("session/delete", named.clone()).await.expect_err("it is not there").code, -32002);
    let mut again = client(&host, Some("ann")).await;
    assert_eq!(again.call("session/close", named.clone()).await.expect_err("it is not open").code, -32002);
    again.call("session/delete", named).await.expect("deleted");
    assert!(store.sessions.read(&id.as_str().into()).await.is_err(), "it is gone");
    assert_eq!(listed(&mut again).await, [""; 0]);
}

/// Prompts open sessions.
#[acp_agent(session = (), store = store, on_demand)]
#[derive(Clone)]
struct Opener {
    store: std::sync::Arc<Store>,
}

#[acp_agent]
impl Opener {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("It is open.").await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_prompt_opens_no_session_of_another_principal() {
    let store = Store::default();
    let agent = || Opener { store: std::sync::Arc::new(store.clone()) };
    let mut ann = Peer::serve_by(&Host::new(agent()), context(Some("ann")));
    ann.initialize(all_capabilities()).await;
    let id = ann.new_session().await;
    ann.turn(&id, "Hello").await;
    ann.call("session/close", json!({ "sessionId": id })).await.expect("closed");

    let host = Host::new(agent());
    for other in [Some("bob"), None] {
        let mut peer = Peer::serve_by(&host, context(other));
        peer.initialize(all_capabilities()).await;
        let mut refusals = Vec::new();
        for session in [&*id, "no-such-session"] {
            let refusal = peer.call("session/prompt", prompt(session, "Hello")).await.expect_err("it is not there");
            assert_eq!(refusal.code, -32002);
            refusals.push(format!("{refusal:?}").replace(session, "<id>"));
        }
        assert_eq!(refusals[0], refusals[1]);
    }
    assert!(is_free(&store.sessions, &id).await, "nothing is claimed");
    let mut again = Peer::serve_by(&host, context(Some("ann")));
    again.initialize(all_capabilities()).await;
    assert_eq!(again.turn(&id, "Hello again").await, "end_turn");
}
