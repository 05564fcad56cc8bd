//! Finds the processes that an agent has left behind. Each agent gets a unique mark in its environment, and its
//! children inherit the mark.

use std::{
    fs, process,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use tokio::{process::Command, time::sleep};

const NAME: &str = "ACP_TESTS_AGENT";

/// The mark of one agent and of all processes that it starts.
pub(crate) struct Mark(String);

impl Mark {
    /// Puts a new mark on a command that is not started yet.
    pub(crate) fn put_on(command: &mut Command) -> Self {
        static LAST: AtomicUsize = AtomicUsize::new(0);
        let word = format!("{}-{}", process::id(), LAST.fetch_add(1, Ordering::Relaxed));
        command.env(NAME, &word);
        Self(format!("{NAME}={word}"))
    }

    /// The command lines of the marked processes that are alive. On other systems than Linux the list is empty.
    pub(crate) fn alive(&self) -> Vec<String> {
        let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
        let is_marked = |environ: &[u8]| environ.split(|byte| *byte == 0).any(|entry| entry == self.0.as_bytes());
        processes
            .flatten()
            .map(|process| process.path())
            .filter(|path| fs::read(path.join("environ")).is_ok_and(|environ| is_marked(&environ)))
            .map(|path| fs::read_to_string(path.join("cmdline")).unwrap_or_default().replace('\0', " "))
            .collect()
    }

    /// Fails if marked processes are still alive after the time `within`.
    pub(crate) async fn is_gone(&self, within: Duration) {
        let step = Duration::from_millis(20);
        let mut left = within;
        while !self.alive().is_empty() {
            assert!(!left.is_zero(), "these are left of the agent: {:?}", self.alive());
            sleep(step).await;
            left = left.saturating_sub(step);
        }
    }
}
