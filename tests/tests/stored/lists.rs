//! The list of stored sessions, and their end.

use std::{collections::HashSet, sync::Arc};

use acp_runtime::{agent::MethodName, prelude::*};
use acp_tests::peer::{Peer, all_capabilities, prompt};
use serde_json::{Value, json};

use super::{
    agent::{connect, opening, session},
    store::Store,
};

#[tokio::test]
async fn sessions_are_listed_in_pages_with_titles_and_times() {
    let store = Store::default();
    let mut peer = connect(&store).await;
    let mut made = HashSet::new();
    for number in 0..120 {
        let cwd = if number % 2 == 0 { "/even" } else { "/odd" };
        let new = peer.call("session/new", json!({ "cwd": cwd, "mcpServers": [] })).await.expect("begun");
        made.insert(new["sessionId"].as_str().expect("an id").to_owned());
    }
    let some = made.iter().next().expect("there are some").clone();
    peer.turn(&some, "Six times seven").await;
    let (mut seen, mut cursor, mut pages) = (Vec::new(), Value::Null, Vec::new());
    loop {
        let mut params = json!({});
        if !cursor.is_null() {
            params["cursor"] = cursor;
        }
        let mut page = peer.call("session/list", params).await.expect("listed");
        cursor = page["nextCursor"].take();
        let Value::Array(sessions) = page["sessions"].take() else { panic!("a list") };
        pages.push(sessions.len());
        seen.extend(sessions);
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(pages, [50, 50, 20]);
    let ids: HashSet<_> = seen.iter().map(|one| one["sessionId"].as_str().expect("an id").to_owned()).collect();
    assert_eq!(ids, made, "each once");
    assert_eq!(seen[0]["sessionId"], *some, "the one with the latest change comes first");
    assert_eq!(seen[0]["title"], "Six times seven");
    assert!(seen[0]["updatedAt"].as_str().is_some_and(|time| time.ends_with('Z')));
    let odd = peer.call("session/list", json!({ "cwd": "/odd" })).await.expect("listed");
    let odd = odd["sessions"].as_array().expect("a list");
    assert!(odd.len() == 50 && odd.iter().all(|one| one["cwd"] == "/odd"));
    let refused = peer.call("session/list", json!({ "cursor": "another agent's" })).await.expect_err("no cursor");
    assert_eq!(refused.code, -32602);
}

#[tokio::test]
async fn a_session_is_deleted_whether_it_is_active_or_not_and_once_more() {
    let (mut peer, store, id) = session().await;
    let running = peer.prompt(&id, "wait").await;
    peer.update().await;
    let named = json!({ "sessionId": id });
    peer.call("session/delete", named.clone()).await.expect("deleted");
    assert_eq!(peer.stop_reason(running).await, "cancelled");
    let refused = peer.call("session/prompt", prompt(&id, "more")).await.expect_err("it is over");
    assert_eq!(refused.code, -32002);
    peer.call("session/load", opening(&id)).await.expect_err("nothing is left");
    peer.call("session/delete", named).await.expect("a session that is not there is deleted");
    let other = peer.new_session().await;
    peer.call("session/close", json!({ "sessionId": other })).await.expect("closed");
    peer.call("session/delete", json!({ "sessionId": other })).await.expect("deleted");
    assert_eq!(peer.call("session/list", json!({})).await.expect("listed")["sessions"], json!([]));
    drop(store);
}

#[tokio::test]
async fn a_store_implies_the_methods_of_stored_sessions() {
    let mut peer = Peer::serve(super::agent::Keeper::on(&Store::default()));
    let answer = peer.initialize(all_capabilities()).await;
    let capabilities = &answer["agentCapabilities"];
    assert_eq!(capabilities["loadSession"], true);
    for method in ["list", "resume", "close", "delete"] {
        assert!(capabilities["sessionCapabilities"][method].is_object(), "{method}: {capabilities}");
    }
    let refused = peer.call("*restore_session", opening("s")).await.expect_err("no client calls it");
    assert_eq!(refused.code, -32601);
}

/// An agent of an account, with further methods, and a part in the end of sessions.
#[acp_agent(store = store, needs_auth, auth(agent(id = "key", name = "API key")))]
#[derive(Clone)]
struct Account {
    store: Arc<Store>,
}

#[acp_agent]
impl Account {
    async fn authenticate(&self) {}

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn delete_session(&self, id: &SessionId) -> Result<()> {
        if id.as_str() == "precious" { Err(Error::invalid_request("it stays")) } else { Ok(()) }
    }

    #[fallback]
    async fn other(&self, name: MethodName) -> String {
        format!("no {}", &*name)
    }
}

#[tokio::test]
async fn stored_sessions_are_for_clients_that_have_authenticated() {
    let store = Store::default();
    let mut peer = Peer::serve(Account { store: Arc::new(store.clone()) });
    peer.initialize(all_capabilities()).await;
    for (method, params) in [
        ("session/load", opening("s")),
        ("session/resume", opening("s")),
        ("session/list", json!({})),
        ("session/delete", json!({ "sessionId": "s" })),
    ] {
        assert_eq!(peer.call(method, params).await.expect_err("the gate is shut").code, -32000, "{method}");
    }
    peer.call("authenticate", json!({ "methodId": "key" })).await.expect("authenticated");
    assert_eq!(peer.call("session/list", json!({})).await.expect("listed")["sessions"], json!([]));
    let unknown = peer.call("session/load", opening("s")).await.expect_err("no such session");
    assert_eq!(unknown.code, -32002, "the fallback does not get it");
    let refused = peer.call("session/delete", json!({ "sessionId": "precious" })).await.expect_err("the agent's no");
    assert_eq!(refused.message, "it stays");
}
