//! `acp redact`: takes out of a recording what others should not read.

mod message;
mod words;

use std::{fs, path::PathBuf};

use acp_judge::Tape;
use clap::Args;

use self::message::Redaction;
use crate::{
    exit::{Exit, Failure},
    screen, tapes,
};

const HELP: &str = "\
Always taken out: values of environment variables and headers, members such as `apiKey` or `password`, words that look like the keys of known \
services, and the names of home folders. Without `--keep-texts`, also texts of prompts, answers, files, commands and tools: letters and \
digits become `x`. Ids, names of methods and of options, and the order of messages stay, so `acp replay` finds the same.

Read the result before you send it: names of files and of tools stay in it. With `--keep-texts`, a key stays whose parts come in several messages.";

/// Takes texts and secrets out of a recording, so that it can be sent to a maintainer.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Redact {
    /// The recording.
    recording: PathBuf,
    /// The new file. [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Keep the texts of prompts, answers, files, commands and tools. Only secrets and home folders are taken out.
    #[arg(long)]
    keep_texts: bool,
}

impl Redact {
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let recording = tapes::read(&self.recording)?;
        let redaction = Redaction { keeps_texts: self.keep_texts };
        let (mut tape, mut now) = (Tape::new(), std::time::Duration::ZERO);
        for entry in recording.entries() {
            tape.pass(entry.at.saturating_sub(now));
            now = entry.at;
            match entry.text() {
                Some(line) => tape.say(entry.from, redaction.line(&line)),
                None => tape.hang_up(entry.from),
            }
        }
        let text = tape.to_jsonl();
        match &self.output {
            None => screen::write(&text).map_err(|error| Failure::output(&error))?,
            Some(path) => fs::write(path, text)
                .map_err(|error| Failure::usage(format!("the file {} cannot be written: {error}", path.display())))?,
        }
        Ok(Exit::Done)
    }
}
