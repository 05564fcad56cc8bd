//! A tape in a file: one JSON object a line.

use std::{borrow::Cow, io, thread, time::Duration};

use serde::{Deserialize, Serialize};

use super::{Entry, Party};

/// The bytes from which threads are worth their start.
const WORTH: usize = 1 << 20;
/// More threads than this find too little to do.
const THREADS: usize = 8;

#[derive(Serialize, Deserialize)]
struct Kept<'a> {
    #[serde(borrow)] // without this, serde copies
    dir: Cow<'a, str>,
    ms: u64,
    #[serde(borrow)]
    line: Cow<'a, str>,
}

/// Reads all entries. No line depends on another, so several threads share a long text.
pub(super) fn read(text: &str) -> io::Result<Vec<Entry>> {
    let threads =
        if text.len() < WORTH { 1 } else { thread::available_parallelism().map_or(1, usize::from).min(THREADS) };
    let parts = split(text, threads);
    let read: Vec<_> = thread::scope(|scope| {
        let others: Vec<_> = parts[1..].iter().map(|part| scope.spawn(move || part_of(part))).collect();
        let first = part_of(parts[0]);
        let others =
            others.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        std::iter::once(first).chain(others).collect()
    });
    let mut entries = Vec::new();
    for (number, read) in read.into_iter().enumerate() {
        let read = read.map_err(|Wrong { line, why }| {
            let before: usize = parts[..number].iter().map(|part| part.lines().count()).sum();
            let line = before + line;
            io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is no line of a tape: {why}"))
        })?;
        if entries.is_empty() {
            entries = read;
        } else {
            entries.extend(read);
        }
    }
    Ok(entries)
}

/// The text in parts of whole lines, about as long as each other.
fn split(mut text: &str, count: usize) -> Vec<&str> {
    let length = text.len() / count;
    let mut parts = Vec::new();
    while parts.len() + 1 < count {
        let Some(end) = text.as_bytes().get(length..).and_then(|rest| rest.iter().position(|byte| *byte == b'\n'))
        else {
            break;
        };
        let (part, rest) = text.split_at(length + end + 1);
        parts.push(part);
        text = rest;
    }
    parts.push(text);
    parts
}

/// What is wrong with a line of a part. The first has the number 1.
struct Wrong {
    line: usize,
    why: String,
}

fn part_of(text: &str) -> Result<Vec<Entry>, Wrong> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| entry(line).map_err(|why| Wrong { line: number + 1, why })).collect()
}

fn entry(line: &str) -> Result<Entry, String> {
    let Kept { dir, ms, line } = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let (from, end) = match &*dir {
        ">" => (Party::Client, "EOF"),
        "<" => (Party::Agent, "EXIT"),
        other => return Err(format!("`dir` is `{other}`, not `>` or `<`")),
    };
    let line = (line != end).then(|| line.into_owned().into_bytes());
    Ok(Entry { from, at: Duration::from_millis(ms), line })
}

pub(super) fn write(entries: &[Entry]) -> String {
    let mut text = String::new();
    for Entry { from, at, line } in entries {
        let (dir, end) = match from {
            Party::Client => (">", "EOF"),
            Party::Agent => ("<", "EXIT"),
        };
        let line = line.as_deref().map_or(Cow::Borrowed(end), String::from_utf8_lossy);
        let kept = Kept { dir: dir.into(), ms: u64::try_from(at.as_millis()).unwrap_or(u64::MAX), line };
        text.push_str(&serde_json::to_string(&kept).expect("strings and a number are JSON"));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::{Party, Tape};

    #[test]
    fn a_file_that_is_no_tape_is_told_by_its_line() {
        let error =
            Tape::from_jsonl("{\"dir\":\">\",\"ms\":1,\"line\":\"EOF\"}\n{\"dir\":\"?\",\"ms\":1,\"line\":\"\"}");
        let error = error.unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains('?'), "{error}");
    }

    #[test]
    fn a_long_file_is_read_as_a_short_one() {
        let mut tape = Tape::new();
        for number in 0..20_000 {
            tape.say(Party::Agent, format!("{{\"number\":{number},\"text\":\"{}\"}}", "é".repeat(30)));
        }
        tape.hang_up(Party::Client);
        let text = tape.to_jsonl();
        assert!(text.len() > super::WORTH);
        assert_eq!(Tape::from_jsonl(&text).unwrap(), tape);
        // A wrong line, in whatever part it stands.
        let lines: Vec<_> = text.lines().collect();
        for at in [0, 1, 7_000, 19_999] {
            let mut lines = lines.clone();
            lines[at] = "{}";
            let error = Tape::from_jsonl(&lines.join("\n")).unwrap_err().to_string();
            assert!(error.starts_with(&format!("line {} is no line", at + 1)), "{error}");
        }
    }

    #[test]
    fn parts_are_whole_lines() {
        for text in ["", "\n", "a", "a\n", "a\nbb\nccc\n", "a\n\n\nb", "aaaaaaaaaaaaaaaa\nb\nc"] {
            for count in 1..6 {
                let parts = super::split(text, count);
                assert_eq!(parts.concat(), text);
                assert!(parts[..parts.len() - 1].iter().all(|part| part.ends_with('\n')), "{parts:?}");
            }
        }
    }
}
