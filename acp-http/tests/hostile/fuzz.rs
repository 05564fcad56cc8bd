//! Random bytes, made from requests that are valid. `ACP_FUZZ_SECONDS=3600 cargo test -p acp-http --test main -- hostile::fuzz --nocapture`
//! runs for an hour and prints the number of inputs; `ACP_FUZZ_SEED` repeats a run. For any input, nothing panics, and others go on.

use std::{
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use acp_http::HttpOptions;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Bystander, http2, message, tcp};
use crate::{
    agent::Server,
    client::{CONNECTION, Client, SESSION, initialize},
};

fn setting<T: FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// Numbers that look random, and are the same for a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap()
    }

    fn mutate(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = corpus[self.below(corpus.len())].clone();
        for _ in 0..=self.below(6) {
            let (at, other) = (self.below(bytes.len()), &corpus[self.below(corpus.len())]);
            let end = (at + self.below(20)).min(bytes.len());
            match self.below(8) {
                0 if !bytes.is_empty() => bytes[at] ^= 1 << self.below(8),
                1 => bytes.insert(at, self.next().to_le_bytes()[0]),
                2 => drop(bytes.drain(at..end)),
                3 => bytes.truncate(at),
                4 => {
                    let piece = bytes[at..end].to_vec();
                    bytes.splice(at..at, piece);
                }
                5 => {
                    let from = self.below(other.len());
                    bytes.truncate(at);
                    bytes.extend_from_slice(&other[from..]);
                }
                6 => {
                    const WORDS: [&[u8]; 8] = [
                        b"\r\n",
                        b"\r\n\r\n",
                        b": ",
                        b"0\r\n\r\n",
                        b"\0",
                        b"Transfer-Encoding: chunked\r\n",
                        b"Content-Length: 0\r\n",
                        b"99999999999999999999",
                    ];
                    bytes.splice(at..at, WORDS[self.below(WORDS.len())].iter().copied());
                }
                _ => bytes.extend_from_slice(other),
            }
        }
        bytes
    }
}

fn corpus(connection: &str, session: &str) -> Vec<Vec<u8>> {
    let request = |method: &str, lines: &str, body: &str| {
        let head = format!("{method} /acp HTTP/1.1\r\nHost: localhost\r\n{lines}");
        format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    };
    let json = "Content-Type: application/json\r\n";
    let named = format!("{CONNECTION}: {connection}\r\n");
    let of_session = format!("{named}{SESSION}: {session}\r\n");
    let prompt = json!({ "sessionId": session, "prompt": [{ "type": "text", "text": "count 3" }] });
    let prompt = json!({ "jsonrpc": "2.0", "id": 77, "method": "session/prompt", "params": prompt }).to_string();
    let events = "Accept: text/event-stream\r\n";
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let mut socket = format!("GET /acp HTTP/1.1\r\nHost: localhost\r\n{upgrade}\r\n").into_bytes();
    let hello = initialize().to_string();
    socket.extend_from_slice(&[0x81, 0x80 | 126, 0, u8::try_from(hello.len()).unwrap(), 0, 0, 0, 0]);
    socket.extend_from_slice(hello.as_bytes());
    let back = format!("GET /acp HTTP/1.1\r\nHost: localhost\r\n{named}{upgrade}\r\n").into_bytes();
    vec![
        request("POST", json, &hello),
        request("POST", &format!("{json}{named}"), &message()),
        request("POST", &format!("{json}{of_session}"), &prompt),
        request("GET", &format!("{events}{of_session}"), ""),
        request("GET", &format!("{events}{of_session}Last-Event-ID: 1-1\r\n"), ""),
        request("GET", events, ""),
        request("DELETE", "", ""),
        socket,
        back,
        http2::whole(connection),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_bytes_break_nothing() {
    let time = Duration::from_secs(setting("ACP_FUZZ_SECONDS").unwrap_or(1));
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    let seed = setting("ACP_FUZZ_SEED").unwrap_or(u64::try_from(clock % u128::from(u64::MAX)).unwrap() | 1);
    let panics = Arc::new(AtomicUsize::new(0));
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new({
        let panics = panics.clone();
        move |info| {
            // A test that fails panics in its own file.
            if info.location().is_some_and(|at| !at.file().contains("tests/")) {
                panics.fetch_add(1, Ordering::SeqCst);
            }
            hook(info);
        }
    }));
    let short = Duration::from_millis(500);
    let options = HttpOptions::new().head_timeout(short).body_timeout(short).detached_timeout(short);
    let server = Server::new(options.message_bytes(100_000)).await;
    // Over HTTP/1.1, the server ends what is idle for so short a time, perhaps while a request is on its way.
    let mut other = Bystander::with(Client::http2(&server)).await;
    let (victim, _events, session) = Client::new(&server).connect().await;
    let corpus = corpus(victim.headers[CONNECTION].to_str().unwrap(), &session);
    let (mut random, begin, mut inputs) = (Random(seed), Instant::now(), 0u64);
    while begin.elapsed() < time {
        let bytes = random.mutate(&corpus);
        let is_read = random.below(4) == 0;
        let mut stream = tcp(&server).await;
        let _ = stream.write_all(&bytes).await;
        if is_read {
            let _ = tokio::time::timeout(Duration::from_millis(3), stream.read(&mut [0; 4096])).await;
        }
        inputs += 1;
        if inputs % 100 == 0 {
            other.goes_on().await;
        }
    }
    other.goes_on().await;
    println!("{inputs} inputs in {} s, seed {seed}, {:?}", time.as_secs(), server.endpoint.stats());
    assert_eq!(panics.load(Ordering::SeqCst), 0, "something panicked, seed {seed}");
    assert!(inputs > 50, "{inputs} inputs are too few to mean anything");
}
