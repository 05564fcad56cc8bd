//! The costs of the store: commits, replays, lists, memory. No test asserts these figures.
//!
//! Run `cargo bench -p acp-store-sqlite`. The file is in `TMPDIR`: let this be a folder on a real disk. Each commit is
//! one turn: the user's message, an answer of 2,000 bytes, a tool call, and the data of the session.

#![expect(clippy::print_stdout, reason = "it prints a table")]

use std::{
    error::Error,
    fs::{self, File, OpenOptions},
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    time::{Duration, Instant},
};

use acp_runtime::{
    store::{Claim, Cursor, Entry, Kept, KeptState, ListFilter, Owner, SessionStore, Timestamp},
    values::{ContentChunk, SessionId, SessionUpdate, ToolCall},
};
use acp_store_sqlite::{Durability, SqliteStore};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

const COMMITS: usize = 500;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result {
    let folder = tempfile::tempdir()?;
    println!("| | least | median | p99 | |\n|---|--:|--:|--:|---|");
    let row = |what: &str, mut times: Vec<Duration>, goal: &str| {
        times.sort();
        let (least, median, p99) = (times[0], times[times.len() / 2], times[times.len() * 99 / 100]);
        println!("| {what} | {:.3} ms | {:.3} ms | {:.3} ms | {goal} |", ms(least), ms(median), ms(p99));
        least
    };
    // The bare cost of the disk, in turns with the store: the disk of a virtual machine has moods.
    let durable = store(&folder.path().join("durable.db"), Durability::Durable).await?;
    let fast = store(&folder.path().join("fast.db"), Durability::Fast).await?;
    let mut file = OpenOptions::new().create(true).append(true).open(folder.path().join("bare"))?;
    let (mut synced, mut committed, mut quick) = (Vec::new(), Vec::new(), Vec::new());
    let (mut a, mut b) = (Session::new(&durable).await?, Session::new(&fast).await?);
    for _ in 0..COMMITS {
        synced.push(bare(&mut file)?);
        committed.push(a.turn(2000).await?);
        quick.push(b.turn(2000).await?);
    }
    row("16 KiB written and synced, without a store", synced, "");
    row("a turn, `Durable`", committed, "at most the line above and 0.5 ms");
    row("a turn, `Fast`", quick, "at most 1 ms");

    let mut least = Vec::new();
    for entries in [16_500, 33_000] {
        let mut session = Session::new(&fast).await?;
        let mut json = Vec::new();
        for _ in 0..entries / 3 {
            session.turn(300).await?;
        }
        // In turns, and the first time does not count: it fills caches.
        let (mut firsts, mut wholes, mut files, mut most) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for run in 0..12 {
            let before = resident()?;
            let (begin, mut first, mut read, mut peak) = (Instant::now(), None, 0_u64, before);
            loop {
                let page = fast.replay(session.lease.session(), read, 256).await?;
                let Some(last) = page.last() else { break };
                first.get_or_insert(begin.elapsed());
                read = last.seq;
                peak = peak.max(resident()?);
                if run == 0 {
                    json.extend(page.iter().map(|entry| entry.to_json()).collect::<std::result::Result<Vec<_>, _>>()?);
                }
            }
            if run == 0 {
                fs::write(folder.path().join("session.json"), format!("[{}]", json.join(",")))?;
                json = Vec::new();
                continue;
            }
            wholes.push(begin.elapsed());
            firsts.push(first.unwrap_or_default());
            most = most.max(peak - before);
            let begin = Instant::now();
            let all: Vec<SessionUpdate> =
                serde_json::from_str(&fs::read_to_string(folder.path().join("session.json"))?)?;
            files.push(begin.elapsed());
            assert_eq!(all.len() as u64, read);
        }
        least.push(row(&format!("a replay of {entries} entries ({most} KiB of memory more)"), wholes, ""));
        row("its first page", firsts, "at most 20 ms");
        row("the same entries from one file of JSON, until the first", files, "");
    }
    let factor = least[1].as_secs_f64() / least[0].as_secs_f64();
    println!("| double the entries | {factor:.2} times the least time | | | at most 2.1 |");

    let list = store(&folder.path().join("list.db"), Durability::Fast).await?;
    let claim = Claim::new(&Owner::new(), Duration::from_secs(3600));
    for number in 0..10_000_i64 {
        let mut kept = Kept::new("/home/me/project");
        kept.updated = Timestamp::from_micros(number * 7919 % 10_000);
        list.create(&format!("s{number}").into(), &kept, &claim).await?;
    }
    let (mut pages, mut after, mut number) = (Vec::new(), None::<Cursor>, 0);
    loop {
        let begin = Instant::now();
        let page = list.list(&ListFilter::default(), after.as_ref(), 50).await?;
        pages.push(begin.elapsed());
        number += page.sessions.len();
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    row(&format!("a page of 50 of {number} sessions"), pages, "");
    let mut opens = Vec::new();
    for _ in 0..20 {
        let begin = Instant::now();
        let again = store(&folder.path().join("list.db"), Durability::Fast).await?;
        again.read(&"s1".into()).await?;
        opens.push(begin.elapsed());
    }
    row("opening the file, and the first read", opens, "");
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

async fn store(path: &Path, durability: Durability) -> Result<SqliteStore> {
    Ok(SqliteStore::options().durability(durability).open(path).await?)
}

/// A write of about the size of a commit.
fn bare(file: &mut File) -> Result<Duration> {
    let begin = Instant::now();
    file.write_all(&[7; 16 << 10])?;
    file.sync_data()?;
    Ok(begin.elapsed())
}

/// A session, and the turns in it.
struct Session<'a> {
    store: &'a SqliteStore,
    lease: acp_runtime::store::Lease,
    kept: Kept,
    next: u64,
}

impl<'a> Session<'a> {
    async fn new(store: &'a SqliteStore) -> Result<Self> {
        let mut kept = Kept::new("/home/me/project");
        kept.title = Some("Mend the test that fails".to_owned());
        kept.options.insert("model".into(), "fast".into());
        kept.options.insert("brave".into(), true.into());
        kept.state = Some(KeptState::new(1, &["a note"; 10])?);
        let id = SessionId::from(format!("s{:?}", Instant::now()));
        let lease = store.create(&id, &kept, &Claim::new(&Owner::new(), Duration::from_secs(60))).await?;
        Ok(Self { store, lease, kept, next: 1 })
    }

    async fn turn(&mut self, bytes: usize) -> Result<Duration> {
        let said = [
            SessionUpdate::UserMessageChunk(ContentChunk::new("Mend it.".into())),
            SessionUpdate::ToolCall(ToolCall::new("call_1".to_owned(), "Edit src/lib.rs")),
            SessionUpdate::AgentMessageChunk(ContentChunk::new("x".repeat(bytes).into())),
        ];
        let said: Vec<Entry> = (self.next..).zip(said).map(|(seq, update)| Entry::new(seq, update)).collect();
        self.next += said.len() as u64;
        self.kept.updated = Timestamp::now();
        let begin = Instant::now();
        self.store.commit(&self.lease, &self.kept, &said).await?;
        Ok(begin.elapsed())
    }
}

/// The memory of this process in KiB; 0 if the system does not report it.
fn resident() -> Result<u64> {
    let Ok(status) = fs::File::open("/proc/self/status") else { return Ok(0) };
    for line in BufReader::new(status).lines() {
        if let Some(size) = line?.strip_prefix("VmRSS:") {
            return Ok(size.trim().trim_end_matches(" kB").parse()?);
        }
    }
    Ok(0)
}
