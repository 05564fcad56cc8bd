//! What an agent does wrong, by name: what it does not hear, and how its messages leave.

use std::{
    io::{self, Write as _},
    sync::mpsc::Receiver,
    thread,
    time::Duration,
};

use clap::ValueEnum;
use serde_json::{Value, json};

use super::play::Message;

/// Names of `--misbehave`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Misbehaviour {
    Silence,
    Mute,
    Flood,
    Junk,
    WrongIds,
    Twice,
    Batch,
    Half,
    Death,
    Deaf,
    Trickle,
    Strangers,
    Linger,
}

use Misbehaviour::{Batch, Deaf, Death, Flood, Half, Junk, Linger, Mute, Silence, Strangers, Trickle, Twice, WrongIds};

/// How long a process goes on that lingers.
const LINGERS: Duration = Duration::from_secs(60);
/// The pause behind each byte of a message that trickles.
const DROP: Duration = Duration::from_micros(200);

/// Where the messages leave.
pub(super) struct Out {
    how: Option<Misbehaviour>,
    is_initialized: bool,
    is_dead: bool,
}

impl Out {
    pub(super) fn new(how: Option<Misbehaviour>) -> Self {
        Self { how, is_initialized: false, is_dead: false }
    }

    /// Whether the agent takes notice of a line.
    pub(super) fn hears(&mut self, line: &str) -> bool {
        let method =
            serde_json::from_str::<Value>(line).ok().and_then(|line| Some(line["method"].as_str()?.to_owned()));
        match self.how {
            Some(Mute) => false,
            Some(Silence) => !self.is_initialized,
            Some(Deaf) => method.as_deref() != Some("session/cancel"),
            _ => true,
        }
    }

    /// Whether the process ends here.
    pub(super) fn is_dead(&self) -> bool {
        self.is_dead
    }

    /// Sends a message. `lines` tells whether the client speaks again.
    pub(super) fn say(&mut self, message: &Message, lines: &Receiver<String>) -> io::Result<()> {
        let text = message.message.to_string();
        let ends_turn = message.answers.as_deref() == Some("session/prompt");
        let is_answer = message.answers.is_some();
        self.is_initialized |= message.answers.as_deref() == Some("initialize");
        match self.how {
            Some(Death) if is_of_turn(message) => self.is_dead = true,
            Some(Half) if ends_turn => {
                put(&text.as_bytes()[..text.len() / 2])?;
                self.is_dead = true;
            }
            Some(Flood) if ends_turn => return flood(message, lines),
            Some(Junk) => line(&format!("Working on it ..\n{text}\n{{\"jsonrpc\":"))?,
            Some(WrongIds) if is_answer && self.is_initialized && message.answers.as_deref() != Some("initialize") => {
                let mut wrong = message.message.clone();
                wrong["id"] = json!("an id that nobody has sent");
                line(&wrong.to_string())?;
            }
            Some(Twice) if is_answer => line(&format!("{text}\n{text}"))?,
            Some(Batch) => line(&format!("[{text}]"))?,
            Some(Trickle) => {
                for byte in format!("{text}\n").bytes() {
                    put(&[byte])?;
                    thread::sleep(DROP);
                }
            }
            Some(Strangers) => {
                let update =
                    json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "?" } });
                let params = json!({ "sessionId": "a session that nobody has opened", "update": update });
                let stranger = json!({ "jsonrpc": "2.0", "method": "session/update", "params": params });
                line(&if self.is_initialized { format!("{text}\n{stranger}") } else { text })?;
            }
            _ => line(&text)?,
        }
        Ok(())
    }

    /// The input has ended.
    pub(super) fn lingers(&self) {
        if self.how == Some(Linger) {
            thread::sleep(LINGERS);
        }
    }
}

fn is_of_turn(message: &Message) -> bool {
    message.answers.as_deref() == Some("session/prompt") || message.message["method"] == "session/update"
}

/// Says something without end, in place of the end of a turn. It stops when the client speaks, and then ends the turn.
fn flood(message: &Message, lines: &Receiver<String>) -> io::Result<()> {
    let session = message.session.as_deref().unwrap_or_default();
    let text = "flood ".repeat(20);
    let update = json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": text } });
    let params = json!({ "sessionId": session, "update": update });
    let update = json!({ "jsonrpc": "2.0", "method": "session/update", "params": params }).to_string();
    while lines.try_recv().is_err_and(|error| error == std::sync::mpsc::TryRecvError::Empty) {
        line(&update)?;
    }
    line(&message.message.to_string())
}

fn line(text: &str) -> io::Result<()> {
    put(format!("{text}\n").as_bytes())
}

fn put(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}
