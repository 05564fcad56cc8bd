//! The turns of a recording: of version 1 from a prompt to its answer, of version 2 from a prompt or `running` to `idle`.

use std::collections::HashMap;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::said::{Said, What, short};

#[derive(Serialize)]
struct Turn {
    session: usize,
    from: usize,
    to: Option<usize>,
    /// The stop reason, or the error.
    end: Option<String>,
    prompt: String,
}

#[derive(Default)]
pub(super) struct Turns {
    turns: Vec<Turn>,
    /// The turn of each session that goes on, and the last one.
    current: HashMap<usize, Current>,
}

#[derive(Default)]
struct Current {
    last: Option<usize>,
    /// A prompt that came during another's turn.
    next: Option<String>,
}

impl Serialize for Turns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.turns.serialize(serializer)
    }
}

impl Turns {
    /// The turn of a session to which a row belongs.
    pub(super) fn of(&self, session: usize, row: usize) -> Option<usize> {
        let last = self.current.get(&session)?.last?;
        self.turns[last].to.is_none_or(|to| row <= to).then_some(last)
    }

    pub(super) fn hear(&mut self, said: &Said<'_>) {
        let Some(session) = said.session else { return };
        match said.what {
            What::Request(params) if said.method == "session/prompt" => self.prompted(session, said.row, params),
            What::Answer(asked, outcome) if said.method == "session/prompt" => {
                // On version 2, an answer says only that the prompt was taken.
                let Some(turn) = self.turns.iter().rposition(|turn| turn.from == asked) else { return };
                match outcome {
                    Ok(result) if said.version == 1 => self.end(turn, said.row, text(&result["stopReason"])),
                    Ok(_) => {}
                    Err(error) => self.end(turn, said.row, format!("error {}", error["code"])),
                }
            }
            _ => {
                if let Some(("state_update", update)) = said.update() {
                    self.state(session, said.row, update);
                }
            }
        }
    }

    fn prompted(&mut self, session: usize, row: usize, params: &Value) {
        let blocks = params["prompt"].as_array().into_iter().flatten();
        let words = blocks.filter_map(|block| block["text"].as_str()).find(|text| !text.trim().is_empty());
        let words = short(words.unwrap_or_default().trim(), 200);
        if self.of(session, row).is_some() {
            self.current.entry(session).or_default().next = Some(words);
        } else {
            self.begin(session, row, words);
        }
    }

    fn begin(&mut self, session: usize, row: usize, prompt: String) {
        self.turns.push(Turn { session, from: row, to: None, end: None, prompt });
        self.current.entry(session).or_default().last = Some(self.turns.len() - 1);
    }

    fn state(&mut self, session: usize, row: usize, update: &Value) {
        match (self.of(session, row), update["state"].as_str()) {
            (None, Some("running")) => {
                let next = self.current.entry(session).or_default().next.take();
                self.begin(session, row, next.unwrap_or_default());
            }
            (Some(turn), Some("idle")) => self.end(turn, row, text(&update["stopReason"])),
            _ => {}
        }
    }

    fn end(&mut self, turn: usize, row: usize, end: String) {
        let turn = &mut self.turns[turn];
        if turn.to.is_none() {
            (turn.to, turn.end) = (Some(row), Some(end));
        }
    }
}

fn text(value: &Value) -> String {
    short(value.as_str().unwrap_or_default(), 60)
}
