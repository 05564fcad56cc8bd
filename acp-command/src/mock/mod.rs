//! `acp mock`: the agent's side of a recording, and misbehaviour by name, for those who write a client.

mod beats;
mod misbehave;
mod play;

use std::{
    io,
    path::{Path, PathBuf},
    thread,
};

use clap::{Args, ValueEnum as _};

use self::{beats::Beats, misbehave::Misbehaviour, play::Player};
use crate::{
    exit::{Exit, Failure},
    playing::read_lines,
    tapes,
};

const HELP: &str = "\
Each message of the client is answered as its next one of this kind was in the recording: with all that the agent said before the client spoke \
again. The ids are those of the live client. What the recording has not is answered as an agent answers that does not know it. Without a \
recording, a small agent of version 1 answers, which says `Hello.` to each prompt.

`--misbehave`:
  silence    nothing is answered after `initialize`
  mute       nothing is answered at all
  flood      a prompt is answered with updates without end
  junk       there are lines between the messages that are no JSON
  wrong-ids  answers have ids that nobody has sent
  twice      each answer comes twice
  batch      messages come in lists
  half       the process ends in the middle of a line, when a prompt is answered
  death      the process ends with code 1 when the first prompt comes
  deaf       `session/cancel` has no effect
  trickle    messages come byte by byte
  strangers  there are updates of sessions that nobody has opened
  linger     the process goes on for a minute after the end of its input";

/// Plays the agent's side of a recording, for those who write a client.
///
/// In the settings of a client, this is the command of the agent. It speaks over stdin and stdout.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Mock {
    /// A recording: of `acp record`, or written by hand, one JSON object a line with `dir`, `ms` and `line`.
    recording: Option<PathBuf>,
    /// What the agent does wrong.
    #[arg(long, value_enum, value_name = "NAME")]
    misbehave: Option<Misbehaviour>,
    /// Keep the pauses of the recording. Without this, there are none.
    #[arg(long)]
    real_time: bool,
}

impl Mock {
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let beats = match &self.recording {
            Some(path) => Beats::of(&tapes::read(path).map_err(|failure| hinted(path, failure))?),
            None => Beats::of_small_agent(),
        };
        if beats.is_empty() {
            return Err(Failure::usage("the recording has no message of a client, so nothing can be answered"));
        }
        let lines = read_lines();
        let mut out = misbehave::Out::new(self.misbehave);
        let mut player = Player::new(beats, self.real_time);
        // A client that reads no more has ended the conversation.
        let gone = |error: io::Error| Failure::output(&error);
        while let Ok(line) = lines.recv() {
            if !out.hears(&line) {
                continue;
            }
            for message in player.answers(&line) {
                if let Some(pause) = message.pause {
                    thread::sleep(pause);
                }
                out.say(&message, &lines).map_err(gone)?;
                if out.is_dead() {
                    return Ok(Exit::Failed);
                }
            }
        }
        out.lingers();
        Ok(Exit::Done)
    }
}

/// Says what to write, if a misbehaviour was named in the place of a recording.
fn hinted(path: &Path, failure: Failure) -> Failure {
    match path.to_str().filter(|name| Misbehaviour::from_str(name, false).is_ok() && !path.exists()) {
        Some(name) => failure.and(&format!("help: `acp mock --misbehave {name}` is the agent that misbehaves so")),
        None => failure,
    }
}
