//! The begin and the end of connections, and what a request must have.

use std::{sync::Arc, time::Duration};

use acp_http::{HttpOptions, ServeHttp};
use acp_runtime::prelude::*;
use reqwest::{Method, header};
use serde_json::json;

use crate::{
    agent::{Server, soon, until},
    client::{CONNECTION, Client, SESSION, initialize},
};

#[tokio::test]
async fn initialize_is_answered_at_once_with_the_id_of_the_connection() {
    let server = Server::new(HttpOptions::new()).await;
    for client in [Client::new(&server), Client::http2(&server)] {
        let answer = client.post(&initialize()).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/json");
        assert!(answer.headers()[CONNECTION].len() >= 32);
        let answer: serde_json::Value = answer.json().await.unwrap();
        assert_eq!(answer["id"], "first");
        assert_eq!(answer["result"]["protocolVersion"], 1);
        let resumable = &answer["result"]["agentCapabilities"]["transport"]["resumable"];
        assert_eq!(*resumable, json!({ "retentionMessages": 4096, "retentionSeconds": 120 }));
    }
    assert_eq!(server.endpoint.connections(), 2);
}

#[tokio::test]
async fn a_connection_begins_with_initialize_only() {
    let server = Server::new(HttpOptions::new()).await;
    let client = Client::new(&server);
    let message =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "session/new", "params": { "cwd": "/", "mcpServers": [] } });
    assert_eq!(client.post(&message).await.status(), 400);
    let notification = json!({ "jsonrpc": "2.0", "method": "initialize", "params": { "protocolVersion": 1 } });
    assert_eq!(client.post(&notification).await.status(), 400);
    assert_eq!(client.open(None, None).await.status(), 400);
    assert_eq!(client.request(Method::DELETE).send().await.unwrap().status(), 400);
    let stranger = client.clone().with(CONNECTION, "0123456789abcdef0123456789abcdef");
    assert_eq!(stranger.post(&message).await.status(), 404);
    assert_eq!(stranger.open(None, None).await.status(), 404);
    assert_eq!(stranger.request(Method::DELETE).send().await.unwrap().status(), 404);
    assert_eq!(client.clone().with(CONNECTION, "../../etc").post(&message).await.status(), 404);
    assert_eq!(server.endpoint.connections(), 0, "a refused request leaves nothing");
}

#[tokio::test]
async fn an_initialize_that_fails_leaves_no_connection() {
    let server = Server::new(HttpOptions::new()).await;
    let client = Client::new(&server);
    let wrong = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "new" } });
    let answer: serde_json::Value = client.post(&wrong).await.json().await.unwrap();
    assert_eq!(answer["error"]["code"], -32602);
    until("the end of the connection", || server.endpoint.connections() == 0).await;
}

#[tokio::test]
async fn a_message_has_the_form_that_the_transport_asks_for() {
    let server = Server::new(HttpOptions::new().message_bytes(2000)).await;
    let (client, mut events, _) = Client::new(&server).connect().await;
    let plain = client.request(Method::POST).header("content-type", "text/plain").body("{}").send().await.unwrap();
    assert_eq!(plain.status(), 415);
    let charset = "application/json; charset=utf-8";
    let note = json!({ "jsonrpc": "2.0", "method": "_x/note", "params": {} }).to_string();
    let json = client.request(Method::POST).header("content-type", charset).body(note).send().await.unwrap();
    assert_eq!(json.status(), 202);
    assert_eq!(client.request(Method::POST).body("{}").send().await.unwrap().status(), 415);
    assert_eq!(client.body("[{}]").await.status(), 501);
    for wrong in ["", "{", "5", r#"{"id":1,"id":2,"method":"m"}"#] {
        assert_eq!(client.body(wrong).await.status(), 400, "{wrong}");
    }
    assert_eq!(client.body("x".repeat(2001)).await.status(), 413);
    let streamed = futures_util::stream::iter((0..40).map(|_| Ok::<_, std::io::Error>("y".repeat(100))));
    assert_eq!(client.body(reqwest::Body::wrap_stream(streamed)).await.status(), 413, "a body without a length");
    let accept = client.request(Method::GET).header("accept", "application/json").send().await.unwrap();
    assert_eq!(accept.status(), 406);
    let accept = client.request(Method::GET).header("accept", "text/event-stream;q=0.5, */*").send().await.unwrap();
    assert_eq!(accept.status(), 409, "this would be a second reader");
    let put = client.request(Method::PUT).send().await.unwrap();
    assert_eq!((put.status().as_u16(), put.headers()["allow"].to_str().unwrap()), (405, "GET, POST, DELETE"));
    // The connection serves on.
    client.new_session(&mut events).await;
}

#[tokio::test]
async fn the_header_of_the_session_is_that_of_the_params() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, _events, id) = Client::new(&server).connect().await;
    let prompt = json!({ "sessionId": id, "prompt": [{ "type": "text", "text": "hello" }] });
    let missing = client.call(2, "session/prompt", prompt.clone()).await;
    assert_eq!(missing.status(), 400);
    assert!(missing.text().await.unwrap().contains("Acp-Session-Id"));
    let other = client.clone().with(SESSION, "other");
    assert_eq!(other.call(2, "session/prompt", prompt.clone()).await.status(), 400);
    // The id of a request that was refused is free.
    assert_eq!(client.clone().with(SESSION, &id).call(2, "session/prompt", prompt).await.status(), 202);
}

#[tokio::test]
async fn an_id_stands_for_one_open_request() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, _events, id) = Client::new(&server).connect().await;
    let mut session = client.events(Some(&id)).await;
    client.prompt(7, &id, "wait").await;
    assert_eq!(session.next().await["method"], "session/update");
    let again = client.call(7, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
    assert_eq!(again.status(), 409);
    let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": id } });
    assert_eq!(client.clone().with(SESSION, &id).post(&cancel).await.status(), 202);
    let (_, answer) = session.until_answer(7).await;
    assert_eq!(answer["result"]["stopReason"], "cancelled");
    client.prompt(7, &id, "hello").await;
    assert_eq!(session.until_answer(7).await.0, "Hello nobody");
}

#[tokio::test]
async fn delete_ends_the_connection_with_its_turns_and_streams() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, mut events, id) = Client::new(&server).connect().await;
    let mut session = client.events(Some(&id)).await;
    client.prompt(7, &id, "wait").await;
    session.next().await;
    assert_eq!(client.request(Method::DELETE).send().await.unwrap().status(), 202);
    assert_eq!(soon("the end", events.read()).await, None);
    until("the end of the turn", || server.counts.cancelled() == 1).await;
    until("the end of the connection", || server.endpoint.connections() == 0).await;
    assert_eq!(client.open(None, None).await.status(), 404);
}

#[tokio::test]
async fn a_connection_that_nobody_reads_ends_after_a_time() {
    let options = HttpOptions::new().detached_timeout(Duration::from_millis(200));
    let server = Server::new(options).await;
    let (client, events, id) = Client::new(&server).connect().await;
    client.prompt(7, &id, "wait").await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!((server.endpoint.connections(), server.counts.cancelled()), (1, 0), "somebody reads");
    drop(events);
    until("the end of the connection", || server.endpoint.connections() == 0).await;
    assert_eq!(server.counts.cancelled(), 1);
}

/// An agent whose `initialize` takes longer than anybody waits.
#[acp_agent]
#[derive(Clone)]
struct Slow;

#[acp_agent]
impl Slow {
    async fn initialize(&self, _: InitializeRequest) -> Initialized {
        std::future::pending().await
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[tokio::test]
async fn an_initialize_that_nobody_waits_for_any_more_leaves_no_connection() {
    let server = Server::of(Slow.serve_http("127.0.0.1:0").bind().await.unwrap(), Arc::default());
    for client in [Client::new(&server), Client::http2(&server)] {
        let waiting = tokio::spawn(async move { client.post(&initialize()).await });
        until("the connection", || server.endpoint.connections() == 1).await;
        waiting.abort();
        until("the end of the connection", || server.endpoint.connections() == 0).await;
    }
}

#[tokio::test]
async fn a_page_of_a_listed_origin_may_read_the_id_of_its_connection() {
    let server = Server::new(HttpOptions::new().origin("https://editor.example.com")).await;
    let answer = Client::new(&server).with("origin", "https://editor.example.com").post(&initialize()).await;
    assert_eq!(answer.headers()["access-control-expose-headers"], CONNECTION);
    // The rest of CORS is a layer of the author's.
    assert!(!answer.headers().contains_key("access-control-allow-origin"));
    let answer = Client::new(&server).post(&initialize()).await;
    assert!(!answer.headers().contains_key("access-control-expose-headers"));
}

#[tokio::test]
async fn what_the_endpoint_does_is_counted() {
    let server = Server::new(HttpOptions::new().detached_timeout(Duration::from_millis(200))).await;
    let (client, events, id) = Client::new(&server).connect().await;
    let mut session = client.events(Some(&id)).await;
    let before = server.endpoint.stats();
    assert_eq!((before.connections, before.begun, before.readers), (1, 1, 2));
    assert_eq!((before.messages_received, before.messages_sent, before.refused), (2, 2, 0));
    client.prompt(7, &id, "count 10").await;
    session.until_answer(7).await;
    let after = server.endpoint.stats();
    assert_eq!((after.messages_received, after.messages_sent), (3, 13));
    assert!(after.bytes_received > before.bytes_received + 50 && after.bytes_sent > before.bytes_sent + 500);
    assert_eq!(client.open(Some(&id), Some("x")).await.status(), 409);
    assert_eq!(client.open(Some(&id), Some(&session.last)).await.status(), 200);
    let end = server.endpoint.stats();
    assert_eq!((end.refused, end.not_resumed, end.resumed), (1, 1, 1));
    drop((session, events));
    until("the end of the connection", || server.endpoint.connections() == 0).await;
    let end = server.endpoint.stats();
    assert_eq!((end.connections, end.begun, end.readers, end.abandoned), (0, 1, 0, 1));
}
