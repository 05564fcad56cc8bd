//! What servers refuse, and what people read of it.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use acp_client::{
    Endpoint,
    http::{Backoff, Http},
};
use acp_http::HttpOptions;
use axum::{
    Router,
    extract::Request,
    http::{Method, StatusCode, header},
    middleware::{self, Next},
    response::IntoResponse,
};
use serde_json::{Value, json};

use crate::{
    agent::{Server, Way, connect, said, serve, session, soon},
    stage::{Stage, usual},
};

fn quick() -> Backoff {
    Backoff::new().first(Duration::from_millis(5)).attempts(3)
}

/// The error of a connection that does not come about.
async fn refused(http: Http) -> String {
    soon("the refusal", Endpoint::over(http).connect()).await.unwrap_err().to_string()
}

#[tokio::test]
async fn a_refusal_says_what_to_do() {
    for (status, help) in [
        (401, "log in"),
        (403, "this login may not"),
        (404, "check the URL"),
        (405, "check the URL"),
        (421, "does not answer under this name"),
        (307, "leads to another place"),
        (500, "so the server says"),
    ] {
        let answer = move || {
            let headers = [(header::LOCATION, "http://127.0.0.1:1/elsewhere")];
            (StatusCode::from_u16(status).unwrap(), headers, "so the server says").into_response()
        };
        let stage = Stage::new(Value::Null, move |_, _, _| Some(answer())).await;
        for way in Way::ALL {
            if way == Way::Http2 {
                continue;
            }
            let told = refused(way.to(&stage.url).bearer("secret-token")).await;
            let status = status.to_string();
            assert!(told.contains(&status) && told.contains(help) && told.contains("so the server says"), "{told}");
            assert!(!told.contains("secret-token"), "{told}");
        }
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told_at_once() {
    for way in Way::ALL {
        let told = refused(way.to("http://127.0.0.1:1/acp")).await;
        assert!(told.contains("cannot be reached"), "{told}");
    }
}

#[tokio::test]
async fn a_server_that_asks_to_wait_is_asked_again_within_a_bound() {
    for way in [Way::Http1, Way::WebSocket] {
        let server = Server::new(HttpOptions::new()).await;
        for (refusals, comes) in [(2, true), (100, false)] {
            let count = AtomicUsize::new(0);
            let endpoint = server.endpoint.clone();
            let app = Router::new().route_service("/acp", endpoint).layer(middleware::from_fn({
                let count = Arc::new(count);
                move |request: Request, next: Next| {
                    let count = count.clone();
                    async move {
                        if count.fetch_add(1, Ordering::SeqCst) < refusals {
                            let headers = [(header::RETRY_AFTER, "0")];
                            return (StatusCode::SERVICE_UNAVAILABLE, headers, "later").into_response();
                        }
                        next.run(request).await
                    }
                }
            }));
            let url = serve(app).await;
            let http = way.to(&url).backoff(quick());
            if comes {
                let connection = connect(http).await;
                assert_eq!(said(&session(&connection).await, "hello").await, "you said hello");
            } else {
                let told = refused(http).await;
                assert!(told.contains("503") && told.contains("later"), "{told}");
            }
        }
    }
}

/// A balancer finds the process of a connection by a cookie; a login is in each request, and never in its URL.
#[tokio::test]
async fn each_request_has_the_cookies_and_the_login() {
    let server = Server::new(HttpOptions::new()).await;
    for way in Way::ALL {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let shared = seen.clone();
        let app = Router::new().route_service("/acp", server.endpoint.clone()).layer(middleware::from_fn(
            move |request: Request, next: Next| {
                let seen = shared.clone();
                async move {
                    let headers = request.headers();
                    if headers.get("authorization").is_none_or(|token| token != "Bearer secret-token") {
                        return StatusCode::UNAUTHORIZED.into_response();
                    }
                    assert!(!request.uri().to_string().contains("secret"));
                    let has_cookie = headers.get("cookie").is_some_and(|cookie| cookie == "process=a");
                    seen.lock().unwrap().push((request.method().clone(), has_cookie));
                    let mut response = next.run(request).await;
                    response.headers_mut().append("set-cookie", "process=a; Path=/; HttpOnly".parse().unwrap());
                    response
                }
            },
        ));
        let url = serve(app).await;
        assert!(refused(way.to(&url)).await.contains("log in"));
        let connection = connect(way.to(&url).bearer("secret-token")).await;
        assert_eq!(said(&session(&connection).await, "hello").await, "you said hello");
        soon("the end", connection.close()).await.unwrap();
        let seen = seen.lock().unwrap();
        assert!(!seen[0].1 && seen[1..].iter().all(|(_, has_cookie)| *has_cookie), "{way:?}: {seen:?}");
        assert_eq!(seen.last().unwrap().0, Method::DELETE);
    }
}

#[tokio::test]
async fn a_message_that_is_refused_fails_alone() {
    let mut stage = Stage::new(Value::Null, |_, _, message| {
        (message["method"] == "_x/long").then(|| (StatusCode::PAYLOAD_TOO_LARGE, "at most 10 bytes").into_response())
    })
    .await;
    let connection = connect(Way::Http1.to(&stage.url)).await;
    let failed = soon("the failure", connection.ext_request::<Value>("_x/long", &json!({}))).await.unwrap_err();
    let told = failed.to_string();
    assert!(
        told.contains("413") && told.contains("longer than the server takes") && told.contains("at most 10"),
        "{told}"
    );
    let params = json!({});
    let (answer, ()) = tokio::join!(connection.ext_request::<Value>("_x/short", &params), async {
        let asked = stage.asked("_x/short", None).await;
        stage.answer("", &asked, json!({ "is": "fine" }));
    });
    assert_eq!(answer.unwrap(), json!({ "is": "fine" }));
}

#[tokio::test]
async fn a_server_that_does_not_know_the_connection_any_more_ends_it_if_no_other_is_wanted() {
    for status in [401, 404, 410] {
        let stage = Stage::new(Value::Null, move |_, _, message| {
            (message["method"] == "_x/any").then(|| StatusCode::from_u16(status).unwrap().into_response())
        })
        .await;
        let http = Way::Http1.to(&stage.url).begin_again(status == 401);
        let connection = connect(http).await;
        let failed = soon("the failure", connection.ext_request::<Value>("_x/any", &json!({}))).await.unwrap_err();
        assert!(failed.to_string().contains(&status.to_string()), "{failed}");
        assert!(soon("the end", connection.closed()).await.to_string().contains(&status.to_string()));
    }
}

#[tokio::test]
async fn a_server_of_something_else_is_told_apart() {
    let stage = Stage::new(Value::Null, |method, _, message| {
        (method == Method::POST).then(|| {
            let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "protocolVersion": 1 } });
            ([("content-type", "application/json")], answer.to_string()).into_response()
        })
    })
    .await;
    let told = refused(Way::Http1.to(&stage.url)).await;
    assert!(told.contains("Acp-Connection-Id"), "{told}");
    let stage =
        Stage::new(Value::Null, |method, _, _| (method == Method::GET).then(|| "no events".into_response())).await;
    let connection = connect(Way::Http1.to(&stage.url)).await;
    let end = soon("the end", connection.closed()).await.to_string();
    assert!(end.contains("text/event-stream"), "{end}");
}

#[tokio::test]
async fn a_session_whose_id_is_no_header_is_refused_by_itself() {
    let stage = Stage::new(Value::Null, usual).await;
    let connection = connect(Way::Http1.to(&stage.url)).await;
    let loading = soon("the begin", connection.load_session("s\u{fc}", "/")).await.unwrap();
    let failed = soon("the failure", loading.finish()).await.unwrap_err();
    assert!(failed.to_string().contains("cannot be sent as a header"), "{failed}");
}
