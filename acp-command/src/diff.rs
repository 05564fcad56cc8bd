//! `acp diff`: compares two recordings.

use std::path::PathBuf;

use acp_judge::{conversation, difference};
use clap::Args;

use crate::{
    exit::{Exit, Failure},
    screen, tapes,
};

/// Compares two recordings, message by message.
///
/// Ids, times and folders differ in each run, so they are compared by the order of their first use. The exit code is 1 if the recordings
/// differ. Lines with `-` are only in the first one, and lines with `+` only in the second. Two long lines that are mostly the same are
/// shown by what has changed in them, and a line with `?` names the members.
#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The first recording.
    first: PathBuf,
    /// The second recording.
    second: PathBuf,
}

impl Diff {
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let [first, second] = [&self.first, &self.second].map(|path| tapes::read(path).map(|tape| conversation(&tape)));
        let (first, second) = (first?, second?);
        if first == second {
            return Ok(Exit::Done);
        }
        let head = format!("- {}\n+ {}\n", self.first.display(), self.second.display());
        screen::write(&(head + &difference(&first, &second))).map_err(|error| Failure::output(&error))?;
        Ok(Exit::Failed)
    }
}
