//! Promises that only real processes can break: they are killed with `kill -9`, and take a session from one another.
//!
//! The processes are the test's own program again: each runs an ignored test that plays a part. `ACP_STORE_ROUNDS` sets
//! the number of kills and takeovers.
//!
//! ```no_run
//! use std::{process::Command, sync::Arc};
//!
//! use acp_store::SessionStore;
//! use acp_store_suite::processes;
//! # use acp_store::MemoryStore;
//!
//! /// Opens the store that all processes share.
//! async fn open() -> Arc<dyn SessionStore> {
//!     # /*
//!     ..
//!     # */
//!     # Arc::new(MemoryStore::new())
//! }
//!
//! // #[tokio::test] #[ignore = "a part of the other tests"]
//! async fn child() {
//!     processes::play(open).await;
//! }
//!
//! // #[tokio::test]
//! async fn a_killed_process_loses_nothing() {
//!     // `child` is the path of the test above. Set variables here, if `open` needs some.
//!     processes::survives_kills(open, |_| processes::child("child")).await;
//! }
//! ```

mod kills;
mod play;
mod takeovers;

use std::{
    env,
    hash::{BuildHasher as _, RandomState},
    io::{BufRead as _, BufReader, Lines},
    process::{Child, ChildStdout, Command, Stdio},
};

pub use self::{kills::survives_kills, play::play, takeovers::survives_takeovers};
use super::*;

/// The variable that names the part of a child.
const PART: &str = "ACP_STORE_PART";

/// This program again, with the ignored test of this path.
///
/// # Panics
///
/// The system does not know the path of this program.
pub fn child(test: &str) -> Command {
    let mut command = Command::new(env::current_exe().expect("the system knows the path of this program"));
    command.args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"]).stdin(Stdio::null());
    command
}

/// The child makes a session and ten commits. Before each commit is made, it has printed that the one before is kept:
/// ``child: kept 1 .``, and so on. This is for tests that watch its system calls.
pub fn with_ten_commits(mut child: Command) -> Command {
    child.env(PART, "commits");
    child
}

/// A child with its part, and the lines that it prints.
struct Part {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Part {
    fn start(part: &str, mut command: Command) -> Self {
        let mut child = command.env(PART, part).stdout(Stdio::piped()).spawn().expect("this program starts again");
        let lines = BufReader::new(child.stdout.take().expect("it is a pipe")).lines();
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

fn number(word: &str) -> u64 {
    word.parse().unwrap_or_else(|_| panic!("`{word}` is no number"))
}

/// Others in each run.
fn random() -> Random {
    Random::new(RandomState::new().hash_one(0))
}
