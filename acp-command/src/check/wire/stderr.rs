//! What an agent, or a client, writes to stderr. Its last lines tell why a process has ended.

use std::{
    collections::VecDeque,
    io::{self, Write as _},
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    io::AsyncReadExt as _,
    process::ChildStderr,
    task::JoinHandle,
    time::{Duration, timeout},
};

use crate::screen::visible;

/// So many bytes are kept.
const KEPT: usize = 8 * 1024;
/// So many lines are told, each up to this number of characters.
const LINES: usize = 6;
const LENGTH: usize = 200;
/// How long what a process has written before its end may take. Another process may have its stderr open still.
const LATE: Duration = Duration::from_millis(300);

pub(in crate::check) struct Stderr {
    kept: Arc<Mutex<VecDeque<u8>>>,
    task: JoinHandle<()>,
}

impl Stderr {
    /// Reads it, so that the process can always write, and shows it to people if they want to see it.
    pub(in crate::check) fn read(mut from: ChildStderr, shows: bool) -> Self {
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let to = kept.clone();
        let task = tokio::spawn(async move {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = from.read(&mut bytes).await {
                if shows {
                    // If our own stderr is closed, nobody wants it.
                    let _ = io::stderr().lock().write_all(&bytes[..count]);
                }
                let mut kept = to.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&bytes[..count]);
                let many = kept.len().saturating_sub(KEPT);
                kept.drain(..many);
            }
        });
        Self { kept, task }
    }

    /// The last lines, without what could control a terminal.
    pub(in crate::check) async fn last_lines(&mut self) -> Vec<String> {
        if !self.task.is_finished() {
            let _ = timeout(LATE, &mut self.task).await;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        lines(kept.make_contiguous())
    }
}

impl Drop for Stderr {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let all: Vec<_> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let short = |line: &&str| {
        let line = visible(&line.replace('\t', "    "));
        match line.char_indices().nth(LENGTH) {
            Some((end, _)) => format!("{}..", &line[..end]),
            None => line,
        }
    };
    all[all.len().saturating_sub(LINES)..].iter().map(short).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_short_and_control_nothing() {
        let text = (0..9).map(|number| format!("line {number}\r\n\n")).collect::<String>();
        let text = format!("{text}\u{1b}[31mred\u{1b}[0m\n{}", "x".repeat(300));
        let lines = lines(text.as_bytes());
        assert_eq!(lines[..4], ["line 5", "line 6", "line 7", "line 8"]);
        assert_eq!(lines[4], r"\u{1b}[31mred\u{1b}[0m");
        assert_eq!((lines.len(), lines[5].len()), (LINES, LENGTH + 2));
    }
}
