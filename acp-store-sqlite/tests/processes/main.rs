//! Real processes on one file: killed at random moments, taking sessions from one another, and watched at their system
//! calls.
//!
//! The processes are this test's own program again: each runs the test [`child::child`] with a part in its environment.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod child;
#[cfg(target_os = "linux")] // elsewhere, a session need not open before the process is reaped
mod kills;
#[cfg(target_os = "linux")]
mod syncs;
mod takeovers;

use std::{
    env,
    io::{BufRead as _, BufReader, Lines},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use acp_runtime::{
    store::{Claim, Entry, Kept, Owner, Said, SessionStore, StoreError},
    values::{ContentBlock, ContentChunk, SessionId, SessionUpdate},
};
use acp_store_sqlite::{Durability, SqliteStore};

/// A child with its part, and the lines that it prints.
struct Part {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Part {
    fn command(part: &str, file: &Path, durability: Durability) -> Command {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "child::child", "--ignored", "--nocapture", "--test-threads=1"]);
        command.env("ACP_STORE_PART", part).env("ACP_STORE_FILE", file);
        command.env("ACP_STORE_DURABLE", if durability == Durability::Durable { "1" } else { "0" });
        command
    }

    fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// The next line of the part itself, as words. Lines of the test's harness have other first words.
    fn line(&mut self) -> Option<Vec<String>> {
        loop {
            // A process that is killed may leave half a line.
            let line = self.lines.next()?.ok()?;
            if let Some(said) = line.strip_prefix("child: ").and_then(|said| said.strip_suffix(" .")) {
                return Some(said.split(' ').map(str::to_owned).collect());
            }
        }
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn open(file: &Path, durability: Durability) -> SqliteStore {
    SqliteStore::options().durability(durability).open(file).await.unwrap()
}

fn session() -> SessionId {
    "s".into()
}

fn message(seq: u64, text: impl Into<String>) -> Entry {
    Entry::new(seq, SessionUpdate::AgentMessageChunk(ContentChunk::new(text.into().into())))
}

fn text(entry: &Entry) -> String {
    match &entry.said {
        Said::Known(update) => match &**update {
            SessionUpdate::AgentMessageChunk(ContentChunk { content: ContentBlock::Text(text), .. }) => {
                text.text.clone()
            }
            other => panic!("{other:?} is no message"),
        },
        Said::Unknown(json) => panic!("{json} is no message"),
    }
}

/// A claim that living holders refuse, for longer than any test takes.
fn polite() -> Claim {
    Claim::new(&Owner::new(), Duration::from_secs(3600))
}

fn rounds(few: usize) -> usize {
    env::var("ACP_STORE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(few)
}

/// Numbers that look random, others in each run.
fn random() -> impl FnMut(u64) -> u64 {
    use std::hash::{BuildHasher as _, RandomState};

    let (state, mut number) = (RandomState::new(), 0_u64);
    move |bound| {
        number += 1;
        state.hash_one(number) % bound
    }
}
