//! A tape in a file: one JSON object a line.

use std::{borrow::Cow, io, time::Duration};

use serde::{Deserialize, Serialize};

use super::{Entry, Party};
use crate::in_order::{Parts, in_order, threads};

/// The bytes from which threads are worth their start.
const WORTH: usize = 1 << 20;
/// The bytes of a short line. Most are longer.
const SHORT: usize = 256;
/// The bytes that a thread reads at once, and the rest of the line in which they end.
const PIECE: usize = 1 << 17;

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
    #[derive(Default)]
    struct Read {
        entries: Vec<Entry>,
        lines: usize,
        wrong: Option<(usize, String)>,
    }
    let threads = if text.len() < WORTH { 1 } else { threads() };
    let read = in_order(threads, Pieces(text), Read::default(), |piece, turn| {
        let Piece { count, entries, wrong, .. } = Piece::read(piece);
        let entries: Vec<_> = entries.into_iter().map(Line::into_entry).collect();
        turn.take(|read| {
            read.entries.extend(entries);
            read.wrong = read.wrong.take().or(wrong.map(|(line, why)| (read.lines + line, why)));
            read.lines += count;
        });
    });
    match read.wrong {
        Some((line, why)) => {
            Err(io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is no line of a tape: {why}")))
        }
        None => Ok(read.entries),
    }
}

/// A text in pieces of whole lines.
struct Pieces<'t>(&'t str);

impl<'t> Parts for Pieces<'t> {
    type Part = &'t str;

    fn next(&mut self, part: &mut &'t str) -> bool {
        let rest = self.0.as_bytes().get(PIECE..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == b'\n').map_or(self.0.len(), |end| PIECE + end + 1);
        (*part, self.0) = self.0.split_at(end);
        !part.is_empty()
    }
}

/// What a piece of a file has.
#[derive(Default)]
pub(crate) struct Piece<'t> {
    pub(crate) count: usize,
    pub(crate) entries: Vec<Line<'t>>,
    /// The lines without an entry. The first line is 1.
    pub(crate) empty: Vec<usize>,
    /// The first wrong line, and why it is wrong. Nothing is read behind it.
    pub(crate) wrong: Option<(usize, String)>,
}

impl<'t> Piece<'t> {
    pub(crate) fn read(text: &'t str) -> Self {
        let mut piece = Self { entries: Vec::with_capacity(text.len() / SHORT), ..Self::default() };
        for line in text.lines() {
            piece.count += 1;
            if line.trim().is_empty() {
                piece.empty.push(piece.count);
                continue;
            }
            match Line::read(line) {
                Ok(entry) => piece.entries.push(entry),
                Err(why) => {
                    piece.wrong = Some((piece.count, why));
                    break;
                }
            }
        }
        piece
    }
}

/// An entry in a file.
pub(crate) struct Line<'t> {
    pub(crate) from: Party,
    pub(crate) at: Duration,
    /// `None` if the sender closed its side.
    pub(crate) text: Option<Cow<'t, str>>,
}

impl<'t> Line<'t> {
    /// Reads a line. The error says what is wrong with it.
    fn read(line: &'t str) -> Result<Self, String> {
        let Kept { dir, ms, line } = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let (from, end) = match &*dir {
            ">" => (Party::Client, "EOF"),
            "<" => (Party::Agent, "EXIT"),
            other => return Err(format!("`dir` is `{other}`, not `>` or `<`")),
        };
        Ok(Self { from, at: Duration::from_millis(ms), text: Some(line).filter(|line| line != end) })
    }

    fn into_entry(self) -> Entry {
        let Self { from, at, text } = self;
        Entry { from, at, line: text.map(|text| text.into_owned().into_bytes()) }
    }
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
    use super::{PIECE, Pieces, WORTH};
    use crate::{Party, Tape, in_order::Parts as _};

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
        assert!(text.len() > WORTH);
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
    fn pieces_are_whole_lines() {
        let long = "é".repeat(PIECE);
        for text in ["", "\n", "a", "a\nb\n", &long, &format!("{long}\n{long}"), &"some line\n\n".repeat(PIECE / 4)] {
            let (mut pieces, mut piece, mut all) = (Pieces(text), "", String::new());
            while pieces.next(&mut piece) {
                all.push_str(piece);
                assert!(piece.ends_with('\n') || all.len() == text.len());
            }
            assert!(all == text);
        }
    }
}
