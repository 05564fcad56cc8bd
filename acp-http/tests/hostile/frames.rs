//! Frames of WebSockets that no honest client sends.

use std::time::Duration;

use acp_http::HttpOptions;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{Bystander, answers, tcp};
use crate::agent::{Server, soon, until};

fn upgrade(lines: &str) -> String {
    let head = "GET /acp HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket";
    format!("{head}\r\n{lines}\r\n\r\n")
}

fn whole() -> String {
    upgrade("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
}

/// A frame with a mask of zeros.
fn frame(first: u8, text: &[u8]) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap().to_be_bytes();
    [&[first, 0x80 | 126][..], &length, &[0; 4], text].concat()
}

async fn opened(server: &Server) -> TcpStream {
    let mut stream = tcp(server).await;
    stream.write_all(whole().as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(soon("the upgrade", stream.read_u8()).await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101"));
    stream
}

#[tokio::test]
async fn frames_that_are_none_end_the_websocket_and_nothing_else() {
    let server = Server::new(HttpOptions::new()).await;
    let mut other = Bystander::new(&server).await;
    for (what, lines) in [
        ("no key", "Sec-WebSocket-Version: 13"),
        ("an old version", "Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
        ("no version", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
    ] {
        // The server would wait for the next request of this connection of TCP.
        let request = upgrade(lines).replace("Connection: Upgrade", "Connection: Upgrade, close");
        let answers = answers(&server, request.as_bytes()).await;
        assert!(answers.iter().all(|status| (400..500).contains(status)), "{what}: {answers:?}");
    }
    let whole = whole();
    let long_ping = [&b"\x89\xfe\x01\x00\x00\x00\x00\x00"[..], &[0; 256]].concat();
    for (what, frame) in [
        ("a frame without a mask", &b"\x81\x02{}"[..]),
        ("a reserved kind of frame", b"\x83\x80\x00\x00\x00\x00"),
        ("reserved bits", b"\xf1\x80\x00\x00\x00\x00"),
        ("a length beyond all bounds", b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00"),
        ("a piece of nothing", b"\x80\x80\x00\x00\x00\x00"),
        ("a text that is no UTF-8", b"\x81\x82\x00\x00\x00\x00\xff\xfe"),
        ("a long ping", &long_ping),
        ("a ping in pieces", b"\x09\x80\x00\x00\x00\x00"),
        ("a text within the pieces of another", b"\x01\x81\x00\x00\x00\x00{\x81\x81\x00\x00\x00\x00}"),
        ("an end of one byte", b"\x88\x81\x00\x00\x00\x00x"),
        ("an end with a code that is reserved", b"\x88\x82\x00\x00\x00\x00\x03\xed"),
        (
            "a length in more bytes than it needs, and no end",
            b"\x81\xff\x00\x00\x00\x00\xff\xff\xff\xff\x00\x00\x00\x00",
        ),
    ] {
        let bytes = [whole.as_bytes(), frame].concat();
        assert_eq!(answers(&server, &bytes).await, [101], "{what}");
    }
    other.goes_on().await;
}

#[tokio::test]
async fn a_message_in_pieces_without_end_is_given_up() {
    let server = Server::new(HttpOptions::new().message_bytes(100_000)).await;
    let mut other = Bystander::new(&server).await;
    let mut stream = opened(&server).await;
    stream.write_all(&frame(0x01, &[b' '; 1000])).await.unwrap();
    let mut pieces = 0;
    // The server hangs up when the pieces are too long together.
    while stream.write_all(&frame(0x00, &[b' '; 1000])).await.is_ok() {
        pieces += 1;
        assert!(pieces < 100_000, "nothing stops it");
        tokio::task::yield_now().await;
    }
    other.goes_on().await;
    // Small pieces have no end, either: each adds some bytes, or is refused.
    let mut stream = opened(&server).await;
    stream.write_all(&frame(0x01, b" ")).await.unwrap();
    let small: Vec<u8> = std::iter::repeat_n(frame(0x00, b"    "), 1000).flatten().collect();
    while stream.write_all(&small).await.is_ok() {}
    other.goes_on().await;
}

#[tokio::test]
async fn pings_and_frames_that_mean_nothing_hold_up_nobody() {
    let server = Server::new(HttpOptions::new()).await;
    let mut other = Bystander::new(&server).await;
    let mut stream = opened(&server).await;
    let flood: Vec<u8> = (0..20_000)
        .flat_map(|_| *b"\x89\x80\x00\x00\x00\x00\x82\x81\x00\x00\x00\x00x\x8a\x80\x00\x00\x00\x00")
        .collect();
    // The client reads no pong. The server keeps none of them back for it without a bound.
    let _ = tokio::time::timeout(Duration::from_millis(500), stream.write_all(&flood)).await;
    other.goes_on().await;
    drop(stream);
    other.goes_on().await;
}

#[tokio::test]
async fn a_websocket_that_begins_and_says_nothing_ends() {
    let options = HttpOptions::new()
        .keepalive(Duration::from_millis(50))
        .stall_timeout(Duration::from_millis(100))
        .detached_timeout(Duration::from_millis(100));
    let server = Server::new(options).await;
    let mut streams = Vec::new();
    for _ in 0..20 {
        streams.push(opened(&server).await);
    }
    until("the end of those who say nothing", || server.endpoint.connections() == 0).await;
    Bystander::new(&server).await.goes_on().await;
}
