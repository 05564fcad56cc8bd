//! The test mutates bytes of valid traffic, cuts them at any place, and sends them to the agent. They reach the
//! framing, the envelopes and the dispatch. Each version of the protocol has its own traffic.
//!
//! The test runs for a few seconds. `ACP_FUZZ_SECONDS=3600 cargo test -p acp-tests --test fuzz -- --nocapture` runs
//! longer, and prints the number of inputs. `ACP_FUZZ_SEED` repeats a run. For any input, nothing may panic, the next
//! valid request gets its answer, each line of the agent is a message, and no error repeats content of the input.

mod agent;
mod mutate;
mod traffic;
mod version_2;

use std::{
    sync::{
        LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use acp_runtime::{
    agent::Serve,
    transport::{
        Limits,
        memory::{self, MemoryStream},
    },
};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, ReadHalf, WriteHalf};

use mutate::Random;
use traffic::{Corpus, VERSION_1};
use version_2::VERSION_2;

/// The number of panics in this process, without the panic of a failing test.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// A message of the agent. Its id is raw JSON, because an id that no type can hold, such as `1e999`, must come back
/// unchanged.
#[derive(Debug, Deserialize)]
struct Message {
    jsonrpc: String,
    id: Option<Box<RawValue>>,
    method: Option<String>,
    #[serde(rename = "params")]
    _params: Option<Box<RawValue>>,
    #[serde(default, deserialize_with = "present")]
    result: Option<Box<RawValue>>,
    error: Option<Value>,
}

/// Reads a result that is null as present.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(deserializer).map(Some)
}

impl Message {
    fn read(line: &str) -> Self {
        let message: Self = serde_json::from_str(line).unwrap_or_else(|error| panic!("no message ({error}): {line}"));
        assert_eq!(message.jsonrpc, "2.0");
        let outcomes = usize::from(message.result.is_some()) + usize::from(message.error.is_some());
        assert_eq!(outcomes, usize::from(message.method.is_none()), "{line}");
        message
    }

    fn answers(&self, id: &str) -> bool {
        self.method.is_none() && self.id.as_ref().is_some_and(|this| this.get() == id)
    }
}

struct Connection {
    reader: BufReader<ReadHalf<MemoryStream>>,
    writer: WriteHalf<MemoryStream>,
    probes: u64,
}

impl Connection {
    /// Opens a connection. Half of the connections have a short limit for lines, so that lines over the limit also
    /// occur.
    async fn open(corpus: &Corpus, random: &mut Random) -> Self {
        let (ours, theirs) = memory::pair();
        let limit = if random.below(2) == 0 { 400 } else { 1 << 20 };
        tokio::spawn(agent::Target::with_default_options().serve(theirs, Limits::new().line_bytes(limit)));
        let (reader, writer) = tokio::io::split(ours.into_stream());
        let mut connection = Self { reader: BufReader::new(reader), writer, probes: 0 };
        connection.exchange(corpus.opening.as_bytes(), &["0".to_owned(), "1".to_owned()], random).await;
        connection
    }

    /// Sends bytes in pieces of any size, and then a request that the agent must answer. Returns the messages up to
    /// this answer and the answers to `awaited`.
    async fn exchange(&mut self, bytes: &[u8], awaited: &[String], random: &mut Random) -> Vec<Message> {
        self.probes += 1;
        let id = format!("\"probe-{}\"", self.probes);
        let probe = format!("\n{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"_fuzz.dev/probe\"}}\n");
        let bytes = [bytes, probe.as_bytes()].concat();
        let Self { reader, writer, .. } = self;
        let write = async {
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(random.piece().min(rest.len()));
                writer.write_all(piece).await.expect("the agent reads");
                if random.below(4) == 0 {
                    tokio::task::yield_now().await;
                }
                rest = after;
            }
        };
        let read = async {
            let mut messages = Vec::new();
            let mut missing: Vec<&String> = awaited.iter().chain([&id]).collect();
            let mut line = String::new();
            loop {
                line.clear();
                let count = reader.read_line(&mut line).await.expect("UTF-8");
                assert_ne!(count, 0, "the agent has hung up");
                let message = Message::read(&line);
                missing.retain(|id| !message.answers(id));
                messages.push(message);
                if missing.is_empty() {
                    return messages;
                }
            }
        };
        let both = async { tokio::join!(read, write).0 };
        tokio::time::timeout(Duration::from_secs(20), both).await.expect("every request is answered")
    }
}

fn check(messages: &[Message], batch: &traffic::Batch) {
    for error in messages.iter().filter_map(|message| message.error.as_ref()) {
        assert!(error["code"].is_i64() && error["message"].is_string(), "{error}");
        assert!(!error.to_string().contains(traffic::MARK), "an error quotes what was sent: {error}");
    }
    for id in &batch.answers {
        let answers = messages.iter().filter(|message| message.answers(id));
        assert_eq!(answers.count(), 1, "answers to {id} in {messages:?}");
    }
    assert_eq!(PANICS.load(Ordering::SeqCst), 0, "something panicked");
}

async fn fuzz(corpus: &Corpus, seed: u64, time: Duration) -> u64 {
    let mut random = Random::new(seed);
    let (started, mut inputs) = (Instant::now(), 0);
    while started.elapsed() < time {
        let mut connection = Connection::open(corpus, &mut random).await;
        for _ in 0..400 {
            let batch = traffic::Batch::new(corpus.messages, &mut random, inputs);
            let messages = connection.exchange(&batch.bytes, &batch.answers, &mut random).await;
            check(&messages, &batch);
            inputs += 1;
        }
    }
    inputs
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

/// The seed of all tests. The first use counts panics from there on.
static SEED: LazyLock<u64> = LazyLock::new(|| {
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.as_nanos() as u64);
    let seed = setting("ACP_FUZZ_SEED").unwrap_or_else(clock);
    let silent = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        eprintln!("ACP_FUZZ_SEED={seed}");
        silent(info);
    }));
    seed
});

#[expect(clippy::print_stdout, reason = "a longer run by hand tells what it did")]
async fn never_breaks(version: &str, corpus: &Corpus) {
    let time = Duration::from_secs(setting("ACP_FUZZ_SECONDS").unwrap_or(3));
    let inputs = fuzz(corpus, *SEED, time).await;
    println!("{version}: {inputs} inputs in {} s, seed {}", time.as_secs(), *SEED);
    assert!(inputs > 100, "{inputs} inputs are too few to mean anything");
}

#[tokio::test]
async fn mutated_traffic_never_breaks_the_connection() {
    never_breaks("version 1", &VERSION_1).await;
}

#[tokio::test]
async fn mutated_traffic_of_version_2_never_breaks_the_connection() {
    never_breaks("version 2", &VERSION_2).await;
}
