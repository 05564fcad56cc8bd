//! A recording that is judged while it is read, so that a long one takes no more memory than a short one.

mod blocks;

use std::{error, fmt, io};

use self::blocks::{Block, Blocks};
use super::{Departures, Review, connection::Judge};
use crate::{
    in_order::{in_order, threads},
    tape::{Line, Piece},
    value::Value,
};

/// A recording that was judged.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replayed {
    /// The findings, and what was weighed for each rule.
    pub review: Review,
    /// The number of the recording's entries.
    pub entries: usize,
    /// The lines without an entry.
    empty: Vec<usize>,
}

impl Replayed {
    /// The line of the recording where an entry stands. The first line is 1, and the first entry is 0, as in
    /// [`Finding`](super::Finding). Empty lines have no entry.
    pub fn line(&self, entry: usize) -> usize {
        let mut line = entry + 1;
        for empty in &self.empty {
            if *empty > line {
                break;
            }
            line += 1;
        }
        line
    }
}

/// Why a recording could not be judged.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplayError {
    /// It could not be read, or it is not UTF-8.
    Read(io::Error),
    /// A line is none of a recording.
    #[non_exhaustive]
    Line {
        /// The number of the line; the first one is 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Line { line, why } => write!(f, "line {line} is no line of a tape: {why}"),
        }
    }
}

impl error::Error for ReplayError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        if let Self::Read(error) = self { Some(error) } else { None }
    }
}

/// Judges a recording while it is read: its form is that of [`Tape::from_jsonl`](crate::Tape::from_jsonl). The findings are those of
/// [`review`](super::review).
///
/// # Errors
///
/// The recording cannot be read, or a line is none of a recording.
///
/// ```
/// use acp_judge::{Departures, replay};
///
/// let recording = "{\"dir\":\"<\",\"ms\":3,\"line\":\"Starting up..\"}\n";
/// let replayed = replay(recording.as_bytes(), &Departures::new())?;
/// assert_eq!(replayed.review.findings[0].rule.id, "message-lines");
/// assert_eq!(replayed.line(0), 1);
/// # Ok::<(), acp_judge::ReplayError>(())
/// ```
pub fn replay(recording: impl io::Read + Send, departures: &Departures) -> Result<Replayed, ReplayError> {
    let judging = Judging { judge: Judge::new(departures.clone()), lines: 0, empty: Vec::new(), error: None };
    let judging = in_order(threads(), Blocks::new(recording), judging, |block: &mut Block, turn| match block.text() {
        Ok(text) => {
            let piece = Piece::read(text);
            let messages: Vec<_> = piece.entries.iter().map(message).collect();
            turn.take(|judging| judging.judge(&piece, messages));
        }
        Err(error) => turn.take(|judging| judging.error = Some(ReplayError::Read(error))),
    });
    let Judging { judge, empty, error, .. } = judging;
    match error {
        Some(error) => Err(error),
        None => Ok(Replayed { entries: judge.count, review: judge.end(), empty }),
    }
}

fn message<'l>(entry: &'l Line<'_>) -> Option<Value<'l>> {
    serde_json::from_str(entry.text.as_deref()?).ok()
}

/// What the blocks before have come to.
struct Judging {
    judge: Judge,
    lines: usize,
    empty: Vec<usize>,
    /// Behind a wrong line, nothing is judged.
    error: Option<ReplayError>,
}

impl Judging {
    fn judge(&mut self, piece: &Piece<'_>, messages: Vec<Option<Value<'_>>>) {
        if self.error.is_some() {
            return;
        }
        for (Line { from, at, text }, message) in piece.entries.iter().zip(messages) {
            self.judge.entry(*from, *at, text.as_deref().map(str::as_bytes), message);
        }
        self.empty.extend(piece.empty.iter().map(|empty| self.lines + empty));
        if let Some((line, why)) = &piece.wrong {
            self.error = Some(ReplayError::Line { line: self.lines + line, why: why.clone() });
        }
        self.lines += piece.count;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Party, Tape, review};

    /// A recording of several blocks, with a finding here and there.
    fn recording() -> String {
        let mut tape = Tape::new();
        for number in 0..4_000 {
            let text = "\"é\"\n".repeat(20);
            let update = serde_json::json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": text } });
            let params = serde_json::json!({ "sessionId": format!("s{}", number / 1_000), "update": update });
            let message = serde_json::json!({ "jsonrpc": "2.0", "method": "session/update", "params": params });
            tape.say(Party::Agent, message.to_string());
            if number % 1_000 == 999 {
                tape.say(Party::Client, format!("no JSON, {number}"));
                tape.pass(Duration::from_secs(1));
            }
        }
        tape.hang_up(Party::Client);
        tape.to_jsonl()
    }

    fn replayed(text: &str) -> Replayed {
        replay(text.as_bytes(), &Departures::new()).unwrap()
    }

    #[test]
    fn a_recording_is_judged_as_the_tape_that_it_is() {
        let text = recording();
        assert!(text.len() > 1 << 19);
        let tape = Tape::from_jsonl(&text).unwrap();
        let (ours, theirs) = (replayed(&text), review(&tape, &Departures::new()));
        assert!(theirs.findings.len() > 5, "{:?}", theirs.findings);
        assert_eq!(ours.review.findings, theirs.findings);
        assert_eq!(ours.entries, tape.entries().len());
        for rule in crate::RULES {
            let of = |review: &Review| [Party::Client, Party::Agent].map(|by| review.occasions(rule, by));
            assert_eq!(of(&ours.review), of(&theirs), "{}", rule.id);
        }
    }

    #[test]
    fn an_entry_is_told_by_its_line_although_some_are_empty() {
        let text = recording();
        let lines: Vec<_> = text.lines().collect();
        let mut spread = String::from("\n");
        for (number, line) in lines.iter().enumerate() {
            spread.push_str(line);
            spread.push_str(if number % 7 == 0 { "\r\n \n" } else { "\n" });
        }
        let (one, other) = (replayed(&text), replayed(&spread));
        assert_eq!(one.review.findings, other.review.findings);
        let spread: Vec<_> = spread.lines().collect();
        for (entry, line) in lines.iter().enumerate() {
            assert_eq!(one.line(entry), entry + 1);
            assert_eq!(spread[other.line(entry) - 1], *line);
        }
    }

    #[test]
    fn what_is_no_recording_is_told_by_its_line() {
        let text = recording();
        let lines: Vec<_> = text.lines().collect();
        for at in [0, 1, 2_000, lines.len() - 1] {
            let mut lines = lines.clone();
            lines[at] = "{}";
            lines.push("[]");
            let text = lines.join("\n");
            let ours = replay(text.as_bytes(), &Departures::new()).unwrap_err();
            assert_eq!(ours.to_string(), Tape::from_jsonl(&text).unwrap_err().to_string());
            // As if it was read before.
            let ours = replay(&*[text.as_bytes(), b"\n\xff"].concat(), &Departures::new()).unwrap_err();
            assert!(matches!(&ours, ReplayError::Read(error) if error.to_string().contains("UTF-8")), "{ours}");
        }
        assert_eq!(replayed("\n \n").entries, 0);
    }
}
