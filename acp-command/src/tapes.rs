//! Recordings in files.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use acp_judge::{Departures, ReplayError, Replayed, Tape, replay};

use crate::exit::Failure;

/// Reads a recording, such as `acp record` writes.
pub(crate) fn read(path: &Path) -> Result<Tape, Failure> {
    let text = fs::read_to_string(path).map_err(|error| unread(path, &error))?;
    let tape = Tape::from_jsonl(&text).map_err(|error| wrong(path, &error))?;
    if tape.entries().is_empty() {
        return Err(empty(path));
    }
    Ok(tape)
}

/// Judges a recording while it is read.
pub(crate) fn judge(path: &Path) -> Result<Replayed, Failure> {
    let file = File::open(path).map_err(|error| unread(path, &error))?;
    let replayed = replay(file, &Departures::new()).map_err(|error| match error {
        ReplayError::Read(error) => unread(path, &error),
        error => wrong(path, &error),
    })?;
    if replayed.entries == 0 {
        return Err(empty(path));
    }
    Ok(replayed)
}

fn unread(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("the recording {} cannot be read: {error}", path.display()))
}

fn wrong(path: &Path, error: &dyn std::error::Error) -> Failure {
    let shown = path.display();
    let help = "help: `acp record` writes recordings, one JSON object a line";
    Failure::usage(format!("{shown} is no recording: {error}\n{help}"))
}

fn empty(path: &Path) -> Failure {
    Failure::usage(format!("the recording {} is empty", path.display()))
}
