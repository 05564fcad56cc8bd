//! WebSockets: one connection each, with text frames.

use std::time::Duration;

use acp_http::HttpOptions;
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::{
    agent::{Server, soon, until},
    socket::open,
};

#[tokio::test]
async fn a_websocket_is_a_whole_connection() {
    let server = Server::new(HttpOptions::new()).await;
    let mut socket = open(&server, &[]).await.unwrap();
    let id = socket.session().await;
    socket.prompt(2, &id, "count 5000").await;
    let (said, answer) = socket.until_answer(2).await;
    assert!(said.split_terminator(';').map(|number| number.parse::<u64>().unwrap()).eq(0..5000));
    assert_eq!(answer["result"]["stopReason"], "end_turn");
    // Binary frames mean nothing.
    socket.frames.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    socket.prompt(3, &id, "hello").await;
    assert_eq!(socket.until_answer(3).await.0, "Hello nobody");
}

#[tokio::test]
async fn pages_of_others_open_no_websocket() {
    let server = Server::new(HttpOptions::new()).await;
    assert_eq!(open(&server, &[("origin", "https://evil.example")]).await.err(), Some(403));
    assert_eq!(open(&server, &[("host", "evil.example")]).await.err(), Some(421));
    assert_eq!(open(&server, &[("acp-connection-id", "1")]).await.err(), Some(404));
    until("nothing is left", || server.endpoint.connections() == 0).await;
}

#[tokio::test]
async fn a_lost_websocket_cancels_its_turns_when_nobody_comes_back() {
    let server = Server::new(HttpOptions::new().detached_timeout(Duration::from_millis(500))).await;
    let mut socket = open(&server, &[]).await.unwrap();
    let id = socket.session().await;
    socket.prompt(2, &id, "wait").await;
    socket.next().await;
    // It is closed as it should be, and that is no cancel.
    socket.frames.close(None).await.unwrap();
    drop(socket);
    until("the end of the reader", || server.endpoint.stats().readers == 0).await;
    assert_eq!((server.counts.cancelled(), server.endpoint.connections()), (0, 1), "not at once");
    until("the end", || server.endpoint.connections() == 0).await;
    assert_eq!(server.counts.cancelled(), 1);
}

#[tokio::test]
async fn a_server_that_ends_waits_for_the_answers_of_a_websocket() {
    let server = Server::new(HttpOptions::new()).await;
    let mut socket = open(&server, &[]).await.unwrap();
    let id = socket.session().await;
    socket.prompt(2, &id, "count 20000").await;
    socket.next().await;
    let endpoint = server.endpoint.clone();
    let draining = tokio::spawn(async move { endpoint.drain(Duration::from_secs(20)).await });
    let (_, answer) = socket.until_answer(2).await;
    assert_eq!(answer["result"]["stopReason"], "end_turn");
    let closed = soon("the last frame", socket.frames.next()).await.unwrap().unwrap();
    let Message::Close(Some(closed)) = closed else { panic!("{closed:?}") };
    assert_eq!(u16::from(closed.code), 1001);
    soon("the end", draining).await.unwrap();
}

#[tokio::test]
async fn a_websocket_that_does_not_answer_is_closed() {
    let options = HttpOptions::new()
        .keepalive(Duration::from_millis(50))
        .stall_timeout(Duration::from_millis(100))
        .detached_timeout(Duration::from_millis(100));
    let server = Server::new(options).await;
    // A socket that nobody polls answers no ping.
    let socket = open(&server, &[]).await.unwrap();
    until("the end", || server.endpoint.connections() == 0).await;
    drop(socket);
    let mut socket = open(&server, &[]).await.unwrap();
    let reading = tokio::spawn(async move { socket.next().await });
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(server.endpoint.connections(), 1, "this one answers");
    reading.abort();
}

#[tokio::test]
async fn a_message_that_is_too_long_ends_the_websocket() {
    let server = Server::new(HttpOptions::new().message_bytes(1000)).await;
    let mut socket = open(&server, &[]).await.unwrap();
    socket.send(json!({ "x": "y".repeat(2000) })).await;
    assert_eq!(socket.next().await, None);
}
