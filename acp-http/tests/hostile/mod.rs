//! Requests that no honest client sends: each is refused, and what others have goes on. `http2` and `frames` have those of HTTP/2 and of
//! WebSockets, `slow` those that never end, `fuzz` random ones.

mod frames;
mod fuzz;
mod http2;
mod slow;

use acp_http::HttpOptions;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    agent::{Server, soon},
    client::{CONNECTION, Client, Events, SESSION},
};

/// A message that leaves a trace if somebody serves it: it begins a session.
fn message() -> String {
    json!({ "jsonrpc": "2.0", "id": 5, "method": "session/new", "params": { "cwd": "/", "mcpServers": [] } })
        .to_string()
}

async fn tcp(server: &Server) -> TcpStream {
    let address = server.url.strip_prefix("http://").unwrap().strip_suffix("/acp").unwrap();
    TcpStream::connect(address).await.unwrap()
}

/// Somebody whose connection goes on, whatever others send.
struct Bystander(Client, Events);

impl Bystander {
    async fn new(server: &Server) -> Self {
        Self::with(Client::new(server)).await
    }

    async fn with(client: Client) -> Self {
        let (client, events, _) = client.connect().await;
        Self(client, events)
    }

    async fn goes_on(&mut self) {
        self.0.new_session(&mut self.1).await;
    }
}

/// Sends bytes, and returns the statuses of all answers until the server hangs up.
async fn answers(server: &Server, bytes: &[u8]) -> Vec<u16> {
    let mut stream = tcp(server).await;
    // The server may hang up before it has read all.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ = soon("the end of the answers", stream.read_to_end(&mut answer)).await;
    let text = String::from_utf8_lossy(&answer);
    text.split("HTTP/1.1 ").skip(1).filter_map(|answer| answer.get(..3)?.parse().ok()).collect()
}

/// A request with these lines behind the first ones, and this body.
fn request(lines: &str, body: &str) -> Vec<u8> {
    let head = "Host: localhost\r\nContent-Type: application/json\r\nConnection: close";
    format!("POST /acp HTTP/1.1\r\n{head}\r\n{lines}\r\n\r\n{body}").into_bytes()
}

fn with_length(lines: &str, body: &str) -> Vec<u8> {
    request(&format!("{lines}\r\nContent-Length: {}", body.len()), body)
}

#[tokio::test]
async fn heads_that_could_be_read_in_two_ways_are_refused() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, mut events, _) = Client::new(&server).connect().await;
    let id = client.headers[CONNECTION].to_str().unwrap();
    let connection = format!("{CONNECTION}: {id}");
    let body = message();
    let length = body.len();
    let chunked = format!("{length:x}\r\n{body}\r\n0\r\n\r\n");
    let hidden = format!(
        "0\r\n\r\nPOST /acp HTTP/1.1\r\nHost: localhost\r\n{connection}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    let cases = [
        ("two lengths", request(&format!("{connection}\r\nContent-Length: 3\r\nContent-Length: {length}"), &body)),
        ("a list of lengths", request(&format!("{connection}\r\nContent-Length: 3, {length}"), &body)),
        ("a negative length", request(&format!("{connection}\r\nContent-Length: -1"), &body)),
        ("a length with a sign", request(&format!("{connection}\r\nContent-Length: +{length}"), &body)),
        ("a length in hexadecimal", request(&format!("{connection}\r\nContent-Length: 0x{length:x}"), &body)),
        ("a length beyond all numbers", request(&format!("{connection}\r\nContent-Length: 99999999999999999999999"), &body)),
        ("an unknown encoding", request(&format!("{connection}\r\nTransfer-Encoding: xchunked"), &chunked)),
        ("an encoding behind chunks", request(&format!("{connection}\r\nTransfer-Encoding: chunked, identity"), &chunked)),
        ("a space before the colon", request(&format!("{connection}\r\nContent-Length : {length}"), &body)),
        ("a folded line", request(&format!("{connection}\r\nX-A: 1\r\n folded\r\nContent-Length: {length}"), &body)),
        ("a null in a value", request(&format!("{connection}\r\nX-A: \0\r\nContent-Length: {length}"), &body)),
        ("a carriage return alone", request(&format!("{connection}\r\nX-A: 1\rX-B: 2\r\nContent-Length: {length}"), &body)),
        ("a name with a space", request(&format!("{connection}\r\nX A: 1\r\nContent-Length: {length}"), &body)),
        ("a chunk without a size", request(&format!("{connection}\r\nTransfer-Encoding: chunked"), "x\r\n\r\n")),
        ("a chunk with a sign", request(&format!("{connection}\r\nTransfer-Encoding: chunked"), &format!("-{chunked}"))),
        ("a chunk beyond all numbers", request(&format!("{connection}\r\nTransfer-Encoding: chunked"), "fffffffffffffffff\r\n")),
        ("two hosts", with_length(&format!("{connection}\r\nHost: localhost"), &body)),
        ("two connections", with_length(&format!("{connection}\r\n{connection}"), &body)),
        ("two sessions", with_length(&format!("{connection}\r\n{SESSION}: a\r\n{SESSION}: a"), &body)),
        ("no version", b"POST /acp\r\n\r\n".to_vec()),
        ("a version of the future", b"POST /acp HTTP/3.0\r\nHost: localhost\r\n\r\n".to_vec()),
        ("no HTTP", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello, this is TLS, for example\r\n\r\n".to_vec()),
        ("an address of another host", format!("POST http://evil.example/acp HTTP/1.1\r\nHost: localhost\r\n{connection}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()),
    ];
    for (what, bytes) in cases {
        let answers = answers(&server, &bytes).await;
        assert!(answers.len() <= 1 && answers.iter().all(|status| (400..500).contains(status)), "{what}: {answers:?}");
    }
    // Chunks are the body where both are given: the hidden request is none. The connection of TCP ends, or was refused.
    let both =
        request(&format!("{connection}\r\nContent-Length: {}\r\nTransfer-Encoding: chunked", hidden.len()), &hidden);
    let answers = answers(&server, &both).await;
    assert!(answers.len() <= 1 && answers != [202], "{answers:?}");
    // None of them has begun a session: the next answer is that of this request.
    client.new_session(&mut events).await;
}

#[tokio::test]
async fn what_is_too_large_is_refused() {
    let server = Server::new(HttpOptions::new()).await;
    let body = message();
    let many: String = (0..2000).map(|number| format!("X-{number}: 1\r\n")).collect();
    for (what, bytes) in [
        ("a long line", with_length(&format!("X-Long: {}", "x".repeat(2_000_000)), &body)),
        ("many lines", with_length(many.trim_end(), &body)),
        (
            "a long address",
            format!("GET /acp?{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(2_000_000)).into_bytes(),
        ),
        ("a length that is too long", request("Content-Length: 999999999999", &body)),
    ] {
        let answers = answers(&server, &bytes).await;
        assert!(answers.iter().all(|status| [400, 404, 413, 414, 431].contains(status)), "{what}: {answers:?}");
    }
    let client = Client::new(&server).initialized().await;
    let deep =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{}{}}}"#, "[".repeat(200_000), "]".repeat(200_000));
    assert!([202, 400].contains(&client.body(deep).await.status().as_u16()));
    assert_eq!(client.body(vec![b'{', b'"', 0xff, 0xfe, b'"', b':', b'1', b'}']).await.status(), 400);
}

#[tokio::test]
async fn what_is_anothers_stays_the_others() {
    let server = Server::new(HttpOptions::new()).await;
    let (ann, mut events, id) = Client::new(&server).connect().await;
    let mut session = ann.events(Some(&id)).await;
    ann.prompt(7, &id, "wait").await;
    session.next().await;
    let (bob, mut of_bob, _) = Client::new(&server).connect().await;
    // Bob knows the id of the session. It is not his: he reads nothing of it, and cannot cancel, prompt or close it.
    let mut spying = bob.events(Some(&id)).await;
    let bob_at = bob.clone().with(SESSION, &id);
    let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": id } });
    assert_eq!(bob_at.post(&cancel).await.status(), 202);
    let prompt = json!([{ "type": "text", "text": "hello" }]);
    bob_at.call(3, "session/prompt", json!({ "sessionId": id, "prompt": prompt })).await;
    assert_eq!(spying.until_answer(3).await.1["error"]["code"], -32002);
    bob_at.call(4, "session/close", json!({ "sessionId": id })).await;
    let refused = spying.until_answer(4).await.1;
    assert!(refused.get("error").is_some(), "{refused}");
    assert_eq!(server.counts.cancelled(), 0);
    // Places of her streams open nothing for him.
    for place in [&events.last, &session.last] {
        assert_eq!(bob.open(Some(&id), Some(place)).await.status(), 409);
        assert_eq!(bob.open(None, Some(place)).await.status(), 409);
    }
    bob.new_session(&mut of_bob).await;
    ann.new_session(&mut events).await;
}

#[tokio::test]
async fn paths_and_methods_that_mean_nothing_are_refused() {
    let server = Server::new(HttpOptions::new()).await;
    for path in ["/", "/acp/", "//acp", "/acp/../acp", "/%61cp/", "/acp/x", "*"] {
        let answers =
            answers(&server, format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").as_bytes())
                .await;
        assert!(answers.iter().all(|status| [400, 404].contains(status)), "{path}: {answers:?}");
    }
    for method in ["TRACE", "OPTIONS", "PATCH", "HEAD", "PUT", "BREW", "CONNECT", "get"] {
        let request = format!("{method} /acp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let answers = answers(&server, request.as_bytes()).await;
        assert!(answers.iter().all(|status| [400, 404, 405, 406, 426].contains(status)), "{method}: {answers:?}");
    }
    for host in [
        "localhost@evil.example",
        "evil.example@localhost",
        "localhost:abc",
        "localhost:80:80",
        "[::1",
        "\u{e9}",
        "localhost, evil.example",
    ] {
        let answers =
            answers(&server, format!("DELETE /acp HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes())
                .await;
        assert!(answers.iter().all(|status| [400, 421].contains(status)), "{host}: {answers:?}");
    }
}

#[tokio::test]
async fn a_secret_in_an_address_opens_nothing() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "0123456789abcdef\n").unwrap();
    let worker = crate::agent::Worker::default();
    let counts = worker.0.clone();
    let server =
        acp_http::ServeHttp::serve_http(worker, "127.0.0.1:0").bearer_token_file(file.path()).bind().await.unwrap();
    let server = Server::of(server, counts);
    for query in ["access_token=0123456789abcdef", "token=0123456789abcdef", "authorization=Bearer%200123456789abcdef"]
    {
        let body = crate::client::initialize().to_string();
        let request = format!(
            "POST /acp?{query} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        assert_eq!(answers(&server, request.as_bytes()).await, [401], "{query}");
    }
    assert_eq!(server.endpoint.connections(), 0);
}
