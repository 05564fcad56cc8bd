//! Lists of sessions that would never end.

use acp_client::{ConnectOptions, ErrorKind, values::ListSessionsRequest};
use serde_json::{Value, json};

use super::{Agent, Plain, connect, soon};

/// Answers each page by its number.
async fn serve(agent: &mut Agent, page: impl Fn(usize) -> Value) {
    for number in 0..1000 {
        agent.answer(page(number)).await;
    }
}

async fn listed(page: impl Fn(usize) -> Value) -> (Vec<String>, String) {
    let (connection, mut agent) = connect(Plain, ConnectOptions::new()).await;
    let mut sessions = connection.list_sessions(ListSessionsRequest::new()).unwrap();
    let list = async {
        let mut ids = Vec::new();
        let error = loop {
            match sessions.next().await {
                Ok(Some(session)) => ids.push(session.session_id.to_string()),
                Ok(None) => break "none".to_owned(),
                Err(error) => {
                    assert!(matches!(error.kind(), ErrorKind::Unreadable { .. }), "{error}");
                    break error.to_string();
                }
            }
        };
        assert!(sessions.next().await.unwrap().is_none(), "the list is over");
        (ids, error)
    };
    tokio::select! {
        listed = soon(list) => listed,
        () = serve(&mut agent, page) => panic!("the list goes on"),
    }
}

fn session(id: &str) -> Value {
    json!({"sessionId": id, "cwd": "/tmp"})
}

#[tokio::test(start_paused = true)]
async fn a_list_ends_when_a_cursor_comes_again() {
    let (ids, error) = listed(|page| {
        let id = ["one", "two", "three"].get(page).map(|id| session(id));
        let (sessions, cursors) = (id.into_iter().collect::<Vec<_>>(), ["a", "b"]);
        json!({"sessions": sessions, "nextCursor": cursors[page % 2]})
    })
    .await;
    assert_eq!(ids, ["one", "two", "three"], "what came with the cursor counts");
    assert!(error.contains("`a`"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_list_ends_after_many_empty_pages() {
    let (ids, error) = listed(|page| json!({"sessions": [], "nextCursor": format!("{page}")})).await;
    assert!(ids.is_empty());
    assert!(error.contains("empty"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_list_may_have_some_empty_pages() {
    let (ids, error) = listed(|page| match page {
        30 => json!({"sessions": [session("late")]}),
        page => json!({"sessions": [], "nextCursor": format!("{page}")}),
    })
    .await;
    assert_eq!((ids, &*error), (vec!["late".to_owned()], "none"));
}
