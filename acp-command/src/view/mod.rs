//! `acp view`: a recording as one page of HTML.

mod calls;
mod options;
mod overview;
mod page;
mod said;
mod turns;

use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, Read as _},
    path::{Path, PathBuf},
};

use acp_judge::judge;
use clap::Args;

use self::overview::Overview;
use crate::{
    exit::{Exit, Failure},
    screen, tapes,
};

const HELP: &str = "\
The page is one file that needs no other and loads nothing, so it can be sent to somebody as it is. It has the whole recording: \
`acp redact` takes out what others should not read. Press `?` in the page for its keys.";

/// Shows a recording as a page for a browser.
///
/// The page has the messages in order, the turns, tool calls and options, and what `acp replay` finds, each at its place. It filters
/// and searches.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct View {
    /// The recording.
    recording: PathBuf,
    /// The new file; `-` is stdout. [default: beside the recording, with the ending `.html`]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl View {
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let tape = tapes::read(&self.recording)?;
        let overview = Overview::read(&tape, &judge(&tape), &self.name());
        if self.output.as_deref() == Some(Path::new("-")) {
            let out = BufWriter::new(io::stdout().lock());
            page::write(out, &overview, &tape).map_err(|error| Failure::output(&error))?;
            return Ok(Exit::Done);
        }
        let path = self.output.clone().unwrap_or_else(|| self.recording.with_extension("html"));
        if self.output.is_none() && is_of_another(&path) {
            return Err(Failure::usage(format!(
                "{} is there, and is no page of `acp view`: name another file with `--output`",
                path.display()
            )));
        }
        let written = create(&path).and_then(|file| page::write(BufWriter::new(file), &overview, &tape));
        written.map_err(|error| Failure::usage(format!("the page {} cannot be written: {error}", path.display())))?;
        screen::write(&format!("{}\n", path.display())).map_err(|error| Failure::output(&error))?;
        Ok(Exit::Done)
    }

    fn name(&self) -> String {
        self.recording.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// Whether a file has this name that this command has not written.
fn is_of_another(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut begin = Vec::new();
    let read = file.take(page::MARK.len() as u64).read_to_end(&mut begin);
    read.is_err() || begin != page::MARK.as_bytes()
}

/// Only this user may read the page, because people's work is in it.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
