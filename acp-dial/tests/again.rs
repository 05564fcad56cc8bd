//! A server that does not know the connection any more: another connection takes its place, and the client goes on.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use acp_client::{End, ErrorKind, http::Backoff, values::ListSessionsRequest};
use acp_http::HttpOptions;
use acp_runtime::store::{MemoryStore, SessionStore};
use axum::{
    http::{Method, StatusCode},
    response::IntoResponse,
};
use serde_json::{Value, json};

use crate::{
    agent::{Server, Way, connect, counted, said, session, soon, until},
    proxy::Proxy,
    stage::{Stage, chunk},
};

fn quick() -> Backoff {
    Backoff::new().first(Duration::from_millis(10)).longest(Duration::from_millis(200)).attempts(50)
}

/// Two servers with the same sessions, and a proxy to the first one.
async fn two() -> (Server, Server, Proxy) {
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let first = Server::on(store.clone(), HttpOptions::new()).await;
    let second = Server::on(store, HttpOptions::new()).await;
    let proxy = Proxy::to(first.port()).await;
    (first, second, proxy)
}

#[tokio::test]
async fn the_sessions_of_a_server_that_ends_go_on_at_another_one_and_the_client_hears_nothing_of_it() {
    for way in Way::ALL {
        let (first, second, proxy) = two().await;
        let connection = connect(way.to(&proxy.url).backoff(quick())).await;
        let (one, other) = (session(&connection).await, session(&connection).await);
        assert_eq!(said(&one, "hello").await, "you said hello", "{way:?}");
        // Its answer comes before the end of the server.
        let turn = one.prompt("slowly 300").await.unwrap();
        until("the turn runs", || first.endpoint.stats().messages_sent > 20).await;
        let draining = first.endpoint.clone();
        let draining = tokio::spawn(async move { draining.drain(Duration::from_secs(20)).await });
        proxy.leads_to(second.port());
        let (said_meanwhile, ()) = tokio::join!(
            async {
                let (mut turn, mut said) = (turn, String::new());
                while let Some(text) = soon("the next text", turn.text()).await.unwrap() {
                    said.push_str(&text);
                }
                said
            },
            async { draining.await.unwrap() }
        );
        assert_eq!(said_meanwhile, counted(300), "{way:?}");
        for session in [&one, &other, &one] {
            assert_eq!(said(session, "hello").await, "you said hello", "{way:?}");
        }
        assert_eq!((first.endpoint.connections(), second.endpoint.connections()), (0, 1), "{way:?}");
        soon("the close", one.close()).await.unwrap();
        let mut listed = connection.list_sessions(ListSessionsRequest::new()).unwrap();
        assert!(soon("a list", listed.next()).await.unwrap().is_some(), "{way:?}");
        soon("the end", connection.close()).await.unwrap();
        until("the server has no connection any more", || second.endpoint.connections() == 0).await;
    }
}

/// The agent ends in the middle of a turn, and the client has not heard the end.
#[tokio::test]
async fn a_turn_that_was_interrupted_fails_and_its_session_goes_on() {
    for way in Way::ALL {
        let (first, second, proxy) = two().await;
        let connection = connect(way.to(&proxy.url).backoff(quick())).await;
        let (one, other) = (session(&connection).await, session(&connection).await);
        let mut turn = one.prompt("wait").await.unwrap();
        assert_eq!(soon("a text", turn.text()).await.unwrap().as_deref(), Some("waiting"));
        proxy.down();
        soon("the end of the server", first.endpoint.drain(Duration::ZERO)).await;
        assert_eq!(first.cancelled(), 1, "{way:?}");
        proxy.leads_to(second.port());
        proxy.up();
        let failed = soon("the failure", turn.finish()).await.unwrap_err();
        assert!(matches!(failed.kind(), ErrorKind::InDoubt { .. }), "{way:?}: {failed}");
        let text = failed.to_string();
        assert!(text.contains("a load shows what was kept") && !text.contains("connect again"), "{way:?}: {text}");
        for session in [&one, &other] {
            assert_eq!(said(session, "hello").await, "you said hello", "{way:?}");
        }
    }
}

#[tokio::test]
async fn a_connection_ends_with_its_server_if_no_other_is_wanted() {
    for way in Way::ALL {
        let (first, second, proxy) = two().await;
        let connection = connect(way.to(&proxy.url).backoff(quick()).begin_again(false)).await;
        let session = session(&connection).await;
        proxy.leads_to(second.port());
        soon("the end of the server", first.endpoint.drain(Duration::ZERO)).await;
        let End::Broken(why) = soon("the end", connection.closed()).await else { panic!("it says why") };
        assert!(why.contains("404") && why.contains("load the sessions"), "{way:?}: {why}");
        assert!(session.prompt("hello").await.is_err(), "{way:?}");
    }
}

/// A server that begins connections, and says 404 to these messages; after so many times it takes them.
async fn forgetful(method: &'static str, times: usize) -> (Stage, Arc<AtomicUsize>) {
    let begun = Arc::new(AtomicUsize::new(0));
    let (count, refused) = (begun.clone(), AtomicUsize::new(0));
    let stage = Stage::new(json!({ "resumable": {} }), move |http, _, message| {
        if message["method"] == "initialize" {
            count.fetch_add(1, Ordering::SeqCst);
        }
        let is_forgotten = *http == Method::POST && message["method"] == method;
        (is_forgotten && refused.fetch_add(1, Ordering::SeqCst) < times).then(|| StatusCode::NOT_FOUND.into_response())
    });
    (stage.await, begun)
}

#[tokio::test]
async fn a_request_that_was_refused_is_sent_again_behind_the_resume_of_its_session() {
    let (mut stage, begun) = forgetful("session/prompt", 1).await;
    let connection = connect(Way::Http1.to(&stage.url).backoff(quick())).await;
    let opening = async {
        let asked = stage.asked("session/new", None).await;
        stage.answer("", &asked, json!({ "sessionId": "s" }));
    };
    let (session, ()) = tokio::join!(session(&connection), opening);
    let mut turn = session.prompt("hello").await.unwrap();
    let resumed = stage.asked("session/resume", Some("s")).await;
    stage.answer("s", &resumed, json!({}));
    let prompted = stage.asked("session/prompt", Some("s")).await;
    stage.say("s", &chunk("s", "hello again"));
    stage.answer("s", &prompted, json!({ "stopReason": "end_turn" }));
    assert_eq!(soon("a text", turn.text()).await.unwrap().as_deref(), Some("hello again"));
    soon("the end", turn.finish()).await.unwrap();
    assert_eq!(begun.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_session_that_is_not_there_any_more_is_refused_when_it_is_used() {
    let (mut stage, _) = forgetful("session/prompt", 1).await;
    let connection = connect(Way::Http1.to(&stage.url).backoff(quick())).await;
    let opening = async {
        let asked = stage.asked("session/new", None).await;
        stage.answer("", &asked, json!({ "sessionId": "s" }));
    };
    let (session, ()) = tokio::join!(session(&connection), opening);
    let turn = session.prompt("hello").await.unwrap();
    let refuse =
        |asked: &Value| json!({ "jsonrpc": "2.0", "id": asked, "error": { "code": -32002, "message": "gone" } });
    let resumed = stage.asked("session/resume", Some("s")).await;
    stage.say("s", &refuse(&resumed));
    let prompted = stage.asked("session/prompt", Some("s")).await;
    stage.say("", &refuse(&prompted));
    let refused = soon("the end", turn.finish()).await.unwrap_err();
    assert_eq!(refused.refusal().map(|refusal| refusal.code()), Some(-32002), "{refused}");
}

#[tokio::test]
async fn a_server_that_forgets_each_connection_is_given_up() {
    let (stage, begun) = forgetful("_x/any", usize::MAX).await;
    let connection = connect(Way::Http1.to(&stage.url).backoff(quick().attempts(4))).await;
    let failed = soon("the failure", connection.ext_request::<Value>("_x/any", &json!({}))).await.unwrap_err();
    assert!(failed.to_string().contains("404"), "{failed}");
    assert!(soon("the end", connection.closed()).await.to_string().contains("404"));
    assert_eq!(begun.load(Ordering::SeqCst), 5);
}
