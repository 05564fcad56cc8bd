//! Clients that begin and do not go on, or do not read.

use std::time::Duration;

use acp_http::HttpOptions;
use acp_runtime::transport::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Bystander, tcp};
use crate::{
    agent::{Server, soon, until},
    client::{CONNECTION, Client, SESSION},
};

/// Sends a byte now and then, until the server hangs up.
async fn drips(server: &Server, begin: &str, drop: &[u8]) {
    let mut stream = tcp(server).await;
    stream.write_all(begin.as_bytes()).await.unwrap();
    let (mut read, mut write) = stream.split();
    let dripping = async {
        while write.write_all(drop).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let mut answer = Vec::new();
    tokio::select! {
        () = dripping => {}
        _ = soon("the end", read.read_to_end(&mut answer)) => {}
    }
    let text = String::from_utf8_lossy(&answer);
    assert!(text.is_empty() || text.starts_with("HTTP/1.1 4"), "{text}");
}

#[tokio::test]
async fn requests_that_come_byte_by_byte_are_given_up() {
    let timeout = Duration::from_millis(200);
    let server = Server::new(HttpOptions::new().head_timeout(timeout).body_timeout(timeout)).await;
    let mut other = Bystander::new(&server).await;
    let head = "POST /acp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n";
    let length = format!("{head}Content-Length: 100000\r\n\r\n");
    let chunks = format!("{head}Transfer-Encoding: chunked\r\n\r\n");
    for (begin, drop) in
        [("", &b"x"[..]), ("GET /", b"x"), (head, b"X-A: 1\r\n"), (&length, b" "), (&chunks, b"1\r\n \r\n")]
    {
        drips(&server, begin, drop).await;
        other.goes_on().await;
    }
}

#[tokio::test]
async fn connections_of_tcp_that_say_nothing_hold_up_nobody() {
    let server = Server::new(HttpOptions::new().head_timeout(Duration::from_millis(300))).await;
    let mut idle = Vec::new();
    for _ in 0..200 {
        idle.push(tcp(&server).await);
    }
    Bystander::new(&server).await.goes_on().await;
    for mut stream in idle {
        let _ = soon("the end", stream.read_to_end(&mut Vec::new())).await;
    }
}

const READERS: u64 = 10;

#[tokio::test]
async fn readers_that_take_nothing_are_let_go_and_slow_no_other() {
    let options = HttpOptions::new()
        .stall_timeout(Duration::from_millis(300))
        .serve(Limits::new().unsent_soft_bytes(100_000).unsent_hard_bytes(200_000));
    let server = Server::new(options).await;
    let mut lost = Vec::new();
    for number in 0..READERS {
        let (own, events, session) = Client::new(&server).connect().await;
        let mut stream = tcp(&server).await;
        let connection = own.headers[CONNECTION].to_str().unwrap();
        let head = format!(
            "GET /acp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n{CONNECTION}: {connection}\r\n{SESSION}: {session}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        own.prompt(number, &session, "flood").await;
        lost.push((events, stream));
    }
    // Their turns wait, and nobody else does.
    let (free, mut events, session) = Client::new(&server).connect().await;
    let mut stream = free.events(Some(&session)).await;
    for round in 100..110 {
        free.prompt(round, &session, "count 100").await;
        assert_eq!(stream.until_answer(round).await.0.split_terminator(';').count(), 100);
    }
    until("the end of all that take nothing", || server.endpoint.stats().stalled == READERS).await;
    free.new_session(&mut events).await;
}
