//! The tool calls of a recording.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::said::{Said, short};

#[derive(Serialize)]
struct Call {
    session: usize,
    turn: Option<usize>,
    id: String,
    title: String,
    kind: String,
    from: usize,
    to: usize,
    /// The rows where its status changed, with the status.
    steps: Vec<(usize, String)>,
}

#[derive(Default)]
pub(super) struct Calls {
    calls: Vec<Call>,
    numbers: HashMap<(usize, String), usize>,
}

impl Serialize for Calls {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.calls.serialize(serializer)
    }
}

impl Calls {
    pub(super) fn hear(&mut self, said: &Said<'_>, turn: Option<usize>) {
        let Some((session, (kind, update))) = said.session.zip(said.update()) else { return };
        if !matches!(kind, "tool_call" | "tool_call_update" | "tool_call_content_chunk") {
            return;
        }
        let Some(id) = update["toolCallId"].as_str() else { return };
        let number = *self.numbers.entry((session, id.to_owned())).or_insert_with(|| {
            let (from, to) = (said.row, said.row);
            let (title, kind, steps) = Default::default();
            self.calls.push(Call { session, turn, id: short(id, 100), title, kind, from, to, steps });
            self.calls.len() - 1
        });
        let call = &mut self.calls[number];
        call.to = said.row;
        for (field, name) in [(&mut call.title, "title"), (&mut call.kind, "kind")] {
            if let Some(text) = update[name].as_str() {
                *field = short(text, 200);
            }
        }
        if let Some(status) = update["status"].as_str()
            && call.steps.last().is_none_or(|(_, last)| last != status)
        {
            call.steps.push((said.row, short(status, 40)));
        }
    }
}
