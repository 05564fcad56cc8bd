//! Bounds: of connections, of streams, of ids, of time. And the end of a server.

use std::time::Duration;

use acp_http::HttpOptions;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    agent::{Server, soon, until},
    client::{Client, SESSION, initialize, text},
};

#[tokio::test]
async fn connections_are_bounded() {
    let server = Server::new(HttpOptions::new().max_connections(2)).await;
    let first = Client::new(&server).initialized().await;
    Client::new(&server).initialized().await;
    let refused = Client::new(&server).post(&initialize()).await;
    assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().unwrap()), (503, "5"));
    first.request(reqwest::Method::DELETE).send().await.unwrap();
    until("room", || server.endpoint.connections() == 1).await;
    Client::new(&server).initialized().await;
}

#[tokio::test]
async fn the_streams_of_a_connection_are_bounded_and_idle_ones_give_way() {
    let server = Server::new(HttpOptions::new().max_session_streams(2)).await;
    let (client, mut events, first) = Client::http2(&server).connect().await;
    let second = client.new_session(&mut events).await;
    let (one, _two) = (client.events(Some(&first)).await, client.events(Some(&second)).await);
    assert_eq!(client.open(Some("third"), None).await.status(), 429);
    drop(one);
    let third = async {
        while client.open(Some("third"), None).await.status() != 200 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("the place of a stream that nobody reads", third).await;
}

#[tokio::test]
async fn ids_are_bounded() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, ..) = Client::new(&server).connect().await;
    let long = "x".repeat(1025);
    assert_eq!(client.open(Some(&long), None).await.status(), 400);
    let request =
        json!({ "jsonrpc": "2.0", "id": long, "method": "session/new", "params": { "cwd": "/", "mcpServers": [] } });
    assert_eq!(client.post(&request).await.status(), 400);
    assert_eq!(
        client.clone().with(SESSION, &long).call(3, "session/prompt", json!({ "sessionId": long })).await.status(),
        400
    );
}

#[tokio::test]
async fn a_body_that_does_not_arrive_is_given_up() {
    let server = Server::new(HttpOptions::new().body_timeout(Duration::from_millis(100))).await;
    let address = server.url.strip_prefix("http://").unwrap().strip_suffix("/acp").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head =
        "POST /acp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 12];
    soon("the answer", stream.read_exact(&mut answer)).await.unwrap();
    assert_eq!(answer, b"HTTP/1.1 408");
}

#[tokio::test]
async fn a_head_that_does_not_arrive_is_given_up() {
    let server = Server::new(HttpOptions::new().head_timeout(Duration::from_millis(100))).await;
    let address = server.url.strip_prefix("http://").unwrap().strip_suffix("/acp").unwrap();
    for head in ["", "P", "PRI * HTTP/2.0", "POST /acp HTTP/1.1\r\nHost: localhost\r\nX-Slow: "] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = soon("the end", stream.read_to_end(&mut answer)).await;
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"), "{head}: {answer:?}");
    }
}

#[tokio::test]
async fn a_silent_stream_gets_a_comment_now_and_then() {
    let server = Server::new(HttpOptions::new().keepalive(Duration::from_millis(50))).await;
    let client = Client::new(&server).initialized().await;
    let mut response = client.open(None, None).await;
    let first = soon("the first id", response.chunk()).await.unwrap().unwrap();
    assert!(first.starts_with(b"id: "));
    for _ in 0..3 {
        let piece = soon("a comment", response.chunk()).await.unwrap().unwrap();
        assert_eq!(&*piece, b":\n\n");
    }
}

#[tokio::test]
async fn a_server_that_ends_waits_for_answers_and_cancels_what_takes_too_long() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, mut events, id) = Client::http2(&server).connect().await;
    let mut session = client.events(Some(&id)).await;
    client.prompt(7, &id, "wait").await;
    session.next().await;
    let (idle, mut idle_events, _) = Client::http2(&server).connect().await;
    let endpoint = server.endpoint.clone();
    let draining = tokio::spawn(async move { endpoint.drain(Duration::from_millis(300)).await });
    assert_eq!(soon("the end of the idle one", idle_events.read()).await, None);
    assert_eq!(idle.open(None, None).await.status(), 404);
    let refused = Client::new(&server).post(&initialize()).await;
    assert_eq!((refused.status().as_u16(), refused.headers().contains_key("retry-after")), (503, true));
    let (_, answer) = session.until_answer(7).await;
    assert_eq!(answer["result"]["stopReason"], "cancelled", "the turn was cancelled, and its answer left");
    assert_eq!(soon("the end of the stream", events.read()).await, None);
    soon("the end", draining).await.unwrap();
}

/// A turn of version 2 goes on behind the answer to its prompt.
#[tokio::test]
async fn a_server_that_ends_waits_for_the_turns_of_version_2() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, _events, id) = Client::http2(&server).connect_in(2).await;
    let mut session = client.events(Some(&id)).await;
    client.prompt(7, &id, "count 5000").await;
    while text(&session.next().await).is_empty() {}
    let endpoint = server.endpoint.clone();
    let draining = tokio::spawn(async move { endpoint.drain(Duration::from_secs(20)).await });
    let reason = loop {
        let update = session.next().await["params"]["update"].clone();
        if update["state"] == "idle" {
            break update["stopReason"].clone();
        }
    };
    assert_eq!(reason, "end_turn");
    soon("the end", draining).await.unwrap();
    assert_eq!(soon("the end of the stream", session.read()).await, None);
}
