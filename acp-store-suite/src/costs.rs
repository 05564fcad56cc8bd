//! The costs of a store, for its bench: rows of a table, which no test asserts.
//!
//! A turn is one commit: the user's message, an answer, a tool call, and the data of the session.

use std::{
    fs, io,
    path::Path,
    time::{Duration, Instant},
};

use super::*;
use acp_schema::v1::ToolCall;
use acp_store::{Cursor, KeptState, ListFilter};

/// The head of the table.
pub fn head() {
    report("| | least | median | p99 | |\n|---|--:|--:|--:|---|");
}

/// A row: what was measured, and how long it took each time. Returns the least time.
///
/// # Panics
///
/// Nothing was measured.
pub fn row(what: &str, mut times: Vec<Duration>, goal: &str) -> Duration {
    times.sort();
    let (least, median, p99) = (times[0], times[times.len() / 2], times[times.len() * 99 / 100]);
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    report(&format!("| {what} | {:.3} ms | {:.3} ms | {:.3} ms | {goal} |", ms(least), ms(median), ms(p99)));
    least
}

/// So many turns of 2,000 bytes in each of these stores, one after another: the name of a row, the store, the goal. Before each
/// round, `bare` does the same without a store, for the first row: the disk of a virtual machine has moods.
///
/// # Panics
///
/// A store or `bare` fails.
pub async fn turns(
    number: usize,
    bare: (&str, impl FnMut() -> io::Result<()>),
    stores: &[(&str, &dyn SessionStore, &str)],
) {
    let (what, mut work) = bare;
    let mut sessions = Vec::new();
    for (_, store, _) in stores {
        sessions.push((Session::new(*store).await, Vec::new()));
    }
    let mut bare = Vec::new();
    for _ in 0..number {
        let begin = Instant::now();
        work().expect("it can be done without a store");
        bare.push(begin.elapsed());
        for (session, times) in &mut sessions {
            times.push(session.turn(2000).await);
        }
    }
    row(what, bare, "");
    for ((what, _, goal), (_, times)) in stores.iter().zip(sessions) {
        row(what, times, goal);
    }
}

/// Replays of sessions with so many entries, and beside them the same entries from one file of JSON in `folder`.
///
/// # Panics
///
/// The store fails, or a file cannot be written.
pub async fn replays(store: &dyn SessionStore, folder: &Path, sizes: &[usize]) {
    let (mut least, file) = (Vec::new(), folder.join("session.json"));
    for entries in sizes {
        let mut session = Session::new(store).await;
        for _ in 0..entries / 3 {
            session.turn(300).await;
        }
        // In turns, and the first time does not count: it fills caches.
        let (mut firsts, mut wholes, mut files, mut most) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for run in 0..12 {
            let (before, mut json) = (resident(), Vec::new());
            let (begin, mut first, mut read, mut peak) = (Instant::now(), None, 0, before);
            loop {
                let page = store.replay(session.lease.session(), read, 256).await.expect("it is there");
                let Some(last) = page.last() else { break };
                first.get_or_insert(begin.elapsed());
                read = last.seq;
                peak = peak.max(resident());
                if run == 0 {
                    json.extend(page.iter().map(|entry| entry.to_json().expect("it was kept")));
                }
            }
            if run == 0 {
                fs::write(&file, format!("[{}]", json.join(","))).expect("the folder can be written");
                continue;
            }
            wholes.push(begin.elapsed());
            firsts.push(first.unwrap_or_default());
            most = most.max(peak - before);
            let begin = Instant::now();
            let text = fs::read_to_string(&file).expect("it was written");
            let all: Vec<SessionUpdate> = serde_json::from_str(&text).expect("it is a list of updates");
            files.push(begin.elapsed());
            assert_eq!(all.len() as u64, read);
        }
        least.push(row(&format!("a replay of {entries} entries ({most} KiB of memory more)"), wholes, ""));
        row("its first page", firsts, "at most 20 ms");
        row("the same entries from one file of JSON, until the first", files, "");
    }
    for times in least.windows(2) {
        let factor = times[1].as_secs_f64() / times[0].as_secs_f64();
        report(&format!("| double the entries | {factor:.2} times the least time | | | at most 2.1 |"));
    }
}

/// A list of 10,000 sessions in pages of 50, in a store that has none yet.
///
/// # Panics
///
/// The store fails.
pub async fn pages(store: &dyn SessionStore) {
    for number in 0..10_000_i64 {
        let kept = kept(number * 7919 % 10_000);
        store.create(&id(&format!("s{number}")), &kept, &claim(LONG)).await.expect("a new session is kept");
    }
    let (mut pages, mut after, mut number) = (Vec::new(), None::<Cursor>, 0);
    loop {
        let begin = Instant::now();
        let page = store.list(&ListFilter::default(), after.as_ref(), 50).await.expect("a list");
        pages.push(begin.elapsed());
        number += page.sessions.len();
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    row(&format!("a page of 50 of {number} sessions"), pages, "");
}

/// Opening the store, and the first read. The store has the sessions of [`pages`].
///
/// # Panics
///
/// The store fails.
pub async fn opens(open: impl AsyncFn() -> Arc<dyn SessionStore>) {
    let mut opens = Vec::new();
    for _ in 0..20 {
        let begin = Instant::now();
        open().await.read(&id("s1")).await.expect("it is there");
        opens.push(begin.elapsed());
    }
    row("opening the store, and the first read", opens, "");
}

/// A session, and the turns in it.
struct Session<'a> {
    store: &'a dyn SessionStore,
    lease: Lease,
    kept: Kept,
    next: u64,
}

impl<'a> Session<'a> {
    async fn new(store: &'a dyn SessionStore) -> Self {
        let mut kept = Kept::new("/home/me/project");
        kept.title = Some("Mend the test that fails".to_owned());
        kept.options.insert("model".into(), "fast".into());
        kept.options.insert("brave".into(), true.into());
        kept.state = Some(KeptState::new(1, &["a note"; 10]).expect("it has a JSON form"));
        let id = id(&format!("s{:?}", Instant::now()));
        let lease = store.create(&id, &kept, &claim(LONG)).await.expect("a new session is kept");
        Self { store, lease, kept, next: 1 }
    }

    async fn turn(&mut self, bytes: usize) -> Duration {
        let said = [
            SessionUpdate::UserMessageChunk(ContentChunk::new("Mend it.".into())),
            SessionUpdate::ToolCall(ToolCall::new("call_1".to_owned(), "Edit src/lib.rs")),
            SessionUpdate::AgentMessageChunk(ContentChunk::new("x".repeat(bytes).into())),
        ];
        let said: Vec<Entry> = (self.next..).zip(said).map(|(seq, update)| Entry::new(seq, update)).collect();
        self.next += said.len() as u64;
        self.kept.updated = Timestamp::now();
        let begin = Instant::now();
        self.store.commit(&self.lease, Change::all(&self.kept).and_said(&said)).await.expect("the lease is good");
        begin.elapsed()
    }
}

/// The memory of this process in KiB; 0 if the system does not report it.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    size.and_then(|size| size.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
