//! Frames of HTTP/2 that no honest client sends. The answer is a refusal, a reset of the stream, or the end of the connection of TCP.

use acp_http::HttpOptions;
use reqwest::header::HeaderValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Bystander, message, tcp};
use crate::{
    agent::{Server, soon},
    client::{CONNECTION, Client, SESSION},
};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const PUSH: u8 = 5;
const PING: u8 = 6;
const GO_AWAY: u8 = 7;
const WINDOW: u8 = 8;
const CONTINUATION: u8 = 9;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// Header lines as literals, without compression.
fn lines(lines: &[(&str, &str)]) -> Vec<u8> {
    let text = |text: &str| [&[u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
    lines.iter().flat_map(|(name, value)| [vec![0], text(name), text(value)].concat()).collect()
}

const POST: [(&str, &str); 5] = [
    (":method", "POST"),
    (":scheme", "http"),
    (":authority", "localhost"),
    (":path", "/acp"),
    ("content-type", "application/json"),
];

/// The first line, with others behind it.
fn post(others: &[(&str, &str)]) -> Vec<u8> {
    lines(&[&POST[..], others].concat())
}

/// A whole request, from the first byte of the connection of TCP on.
pub(super) fn whole(connection: &str) -> Vec<u8> {
    let head = frame(HEADERS, END_HEADERS, 1, &post(&[(CONNECTION, connection)]));
    [PREFACE, &frame(SETTINGS, 0, 0, &[]), &head, &frame(DATA, END_STREAM, 1, message().as_bytes())].concat()
}

/// What the server says to these frames.
#[derive(Debug, Default)]
struct Said {
    /// Streams that were answered with a status of 200 or more, and less than 300.
    served: Vec<u32>,
    refused: Vec<u32>,
    reset: Vec<u32>,
    has_ended: bool,
}

impl Said {
    fn is_something(&self) -> bool {
        self.has_ended || !(self.served.is_empty() && self.refused.is_empty() && self.reset.is_empty())
    }

    fn has_ended(&self) -> bool {
        self.has_ended
    }
}

/// Reads until enough is said.
async fn said(server: &Server, frames: &[u8], is_enough: fn(&Said) -> bool) -> Said {
    let mut tcp = tcp(server).await;
    let begin = [PREFACE, &frame(SETTINGS, 0, 0, &[])].concat();
    let _ = tcp.write_all(&begin).await;
    let _ = tcp.write_all(frames).await;
    let mut said = Said::default();
    while !is_enough(&said) {
        let mut head = [0; 9];
        if soon("a frame", tcp.read_exact(&mut head)).await.is_err() {
            said.has_ended = true;
            break;
        }
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        let mut payload = vec![0; length as usize];
        said.has_ended = tcp.read_exact(&mut payload).await.is_err() || head[3] == GO_AWAY;
        match head[3] {
            HEADERS if is_served(&payload) => said.served.push(stream),
            HEADERS => said.refused.push(stream),
            RESET => said.reset.push(stream),
            _ => {}
        }
    }
    said
}

/// Whether a head begins with a status of 200 to 299: from the table, or as a literal.
fn is_served(head: &[u8]) -> bool {
    match head {
        [0x88..=0x8a, ..] => true,
        [0x08 | 0x48, length, first, ..] => {
            let is_compressed = length & 0x80 != 0;
            if is_compressed { first >> 3 == 0b00010 } else { *first == b'2' }
        }
        _ => false,
    }
}

#[tokio::test]
async fn frames_that_are_none_are_refused_and_hold_up_nobody() {
    let server = Server::new(HttpOptions::new()).await;
    let mut other = Bystander::new(&server).await;
    let connection = other.0.headers[CONNECTION].to_str().unwrap().to_owned();
    let connection = (CONNECTION, &*connection);
    let body = message();
    let length = body.len().to_string();
    let whole = |others: &[(&str, &str)], body: &str| {
        let head = post(&[&[connection], others].concat());
        [frame(HEADERS, END_HEADERS, 1, &head), frame(DATA, END_STREAM, 1, body.as_bytes())].concat()
    };
    let open = frame(HEADERS, END_HEADERS, 1, &post(&[connection]));
    let behind = |frames: &[u8]| [&open, frames].concat();
    let without = |name: &str| {
        let kept: Vec<_> = POST.into_iter().filter(|(of, _)| *of != name).chain([connection]).collect();
        [frame(HEADERS, END_HEADERS, 1, &lines(&kept)), frame(DATA, END_STREAM, 1, body.as_bytes())].concat()
    };
    let cases = [
        ("a header of HTTP/1.1", whole(&[("connection", "keep-alive")], &body)),
        ("an encoding of HTTP/1.1", whole(&[("transfer-encoding", "chunked")], &body)),
        ("a name in capitals", whole(&[("X-A", "1")], &body)),
        ("a name with a space", whole(&[("x a", "1")], &body)),
        ("a line end in a value", whole(&[("x-a", "1\r\nhost: evil.example")], &body)),
        ("a part of the address behind other lines", whole(&[(":path", "/other")], &body)),
        ("an unknown part of the address", whole(&[(":port", "80")], &body)),
        ("no method", without(":method")),
        ("no path", without(":path")),
        ("no scheme", without(":scheme")),
        ("another host in the head", whole(&[("host", "evil.example")], &body)),
        ("a body that is longer than it says", whole(&[("content-length", "3")], &body)),
        ("a body that is shorter than it says", whole(&[("content-length", "99999")], &body)),
        ("two lengths", whole(&[("content-length", "3"), ("content-length", &length)], &body)),
        ("two connections", whole(&[connection], &body)),
        ("two sessions", whole(&[(SESSION, "a"), (SESSION, "b")], &body)),
        ("a body of no stream", frame(DATA, 0, 0, b"{}")),
        ("a body before its head", frame(DATA, END_STREAM, 1, b"{}")),
        ("a stream of the server", frame(HEADERS, END_HEADERS, 2, &post(&[connection]))),
        ("a head of no stream", frame(HEADERS, END_HEADERS, 0, &post(&[connection]))),
        ("the rest of no head", frame(CONTINUATION, END_HEADERS, 1, &post(&[connection]))),
        ("another frame within a head", [frame(HEADERS, 0, 1, &post(&[])), frame(DATA, 0, 1, b"{}")].concat()),
        ("a promise of the client", behind(&frame(PUSH, END_HEADERS, 1, b"\0\0\0\x02"))),
        ("a window beyond all bounds", behind(&frame(WINDOW, 0, 0, &[0x7f, 0xff, 0xff, 0xff]))),
        ("a window of nothing", behind(&frame(WINDOW, 0, 0, &[0; 4]))),
        ("settings of a wrong length", frame(SETTINGS, 0, 0, &[0; 5])),
        ("a setting that is too large", frame(SETTINGS, 0, 0, b"\0\x04\xff\xff\xff\xff")),
        ("a ping of a wrong length", frame(PING, 0, 0, b"short")),
        ("a frame that is too long", frame(DATA, 0, 1, &vec![b' '; 20_000])),
        ("padding that is longer than its frame", behind(&frame(DATA, 8, 1, &[200, b'{', b'}']))),
        ("a table that is too large", frame(HEADERS, END_HEADERS, 1, &[0x3f, 0xff, 0xff, 0xff, 0xff, 0x0f])),
        ("a line that no table has", frame(HEADERS, END_HEADERS, 1, &[0xff, 0xff, 0x7f])),
    ];
    let sound = said(&server, &whole(&[], &body), Said::is_something).await;
    assert_eq!((sound.served, sound.has_ended), (vec![1], false), "the others differ from this one in one thing");
    // The answer to the session that it has begun.
    assert_eq!(other.1.next().await["id"], 5);
    for (what, frames) in cases {
        let said = said(&server, &frames, Said::is_something).await;
        assert!(said.served.is_empty(), "{what}: {said:?}");
        other.goes_on().await;
    }
}

#[tokio::test]
async fn streams_that_are_reset_at_once_end_the_connection_of_tcp() {
    let server = Server::new(HttpOptions::new()).await;
    let mut other = Bystander::new(&server).await;
    let frames: Vec<u8> = (0..5000u32)
        .flat_map(|number| {
            let stream = 2 * number + 1;
            [frame(HEADERS, END_HEADERS, stream, &post(&[])), frame(RESET, 0, stream, &[0, 0, 0, 8])].concat()
        })
        .collect();
    let said = said(&server, &frames, Said::has_ended).await;
    assert!(said.has_ended, "{said:?}");
    other.goes_on().await;
}

#[tokio::test]
async fn a_head_without_end_is_given_up() {
    let server = Server::new(HttpOptions::new()).await;
    let mut other = Bystander::new(&server).await;
    let more = frame(CONTINUATION, 0, 1, &lines(&[("x-a", &*"y".repeat(120))].repeat(100)));
    let frames = [frame(HEADERS, 0, 1, &post(&[])), more.repeat(500)].concat();
    let said = said(&server, &frames, Said::has_ended).await;
    assert!(said.has_ended && said.served.is_empty(), "{said:?}");
    other.goes_on().await;
}

#[tokio::test]
async fn headers_that_are_too_many_are_refused() {
    let server = Server::new(HttpOptions::new()).await;
    let mut other = Bystander::new(&server).await;
    let client = Client::http2(&server);
    let mut request = client.request(reqwest::Method::POST).header("content-type", "application/json").body(message());
    for number in 0..400 {
        request = request.header(format!("x-{number}"), "y".repeat(100));
    }
    // The answer is 431, or a reset of the stream.
    let answer = soon("the answer", request.send()).await;
    assert!(answer.as_ref().is_err() || answer.as_ref().is_ok_and(|answer| answer.status() == 431), "{answer:?}");
    other.goes_on().await;
    // Other streams of the client go on.
    client.connect().await;
}

#[tokio::test]
async fn an_id_that_stands_twice_is_none() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, mut events, session) = Client::http2(&server).connect().await;
    for (name, value) in [(CONNECTION, client.headers[CONNECTION].to_str().unwrap()), (SESSION, &session)] {
        let mut twice = client.clone().with(SESSION, &session);
        twice.headers.append(name, HeaderValue::from_str(value).unwrap());
        let params = serde_json::json!({ "sessionId": session, "prompt": [] });
        assert_eq!(twice.call(9, "session/prompt", params).await.status(), 400, "{name}");
    }
    client.new_session(&mut events).await;
}
