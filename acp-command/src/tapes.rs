//! Recordings in files: a tape of the judge, and the line of the file where each entry stands.

use std::{fs, path::Path};

use acp_judge::Tape;

use crate::exit::Failure;

/// A recording that was read.
pub(crate) struct Recording {
    pub(crate) tape: Tape,
    /// The number of the line of each entry.
    lines: Vec<usize>,
}

impl Recording {
    /// The line of the file where an entry of the tape stands.
    pub(crate) fn line(&self, entry: usize) -> usize {
        self.lines.get(entry).copied().unwrap_or(entry + 1)
    }
}

/// Reads a recording, such as `acp record` writes.
pub(crate) fn read(path: &Path) -> Result<Recording, Failure> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("the recording {shown} cannot be read: {error}")))?;
    let tape = Tape::from_jsonl(&text).map_err(|error| {
        Failure::usage(format!(
            "{shown} is no recording: {error}\nhelp: `acp record` writes recordings, one JSON object a line"
        ))
    })?;
    if tape.entries().is_empty() {
        return Err(Failure::usage(format!("the recording {shown} is empty")));
    }
    // The reader of tapes leaves empty lines out.
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(|(number, _)| number + 1);
    Ok(Recording { tape, lines: lines.collect() })
}
