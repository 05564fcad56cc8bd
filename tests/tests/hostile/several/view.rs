//! What a client has read, in words that all versions share.

use std::collections::HashMap;

use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
enum Entry {
    User(String),
    Agent(String),
    Tool { id: String, title: String, status: String, text: String },
}

/// A conversation as a client shows it, and the messages that it is made of.
#[derive(Default)]
pub(super) struct View {
    entries: Vec<Entry>,
    /// The messages since the last mark.
    said: Vec<String>,
    /// The values of the select option since the last mark.
    voices: Vec<String>,
    /// The values of the boolean option since the last mark, for a client that has it.
    braves: Vec<bool>,
    /// The states since the last mark, for a client of version 2.
    states: Vec<String>,
    pub(super) voice: Option<String>,
    brave: Option<bool>,
    pub(super) state: Option<String>,
}

impl View {
    pub(super) fn update(&mut self, update: &Value, own: &mut HashMap<u64, String>) {
        let content = if update["content"].is_array() { &update["content"][0] } else { &update["content"] };
        let content = if content["type"] == "content" { &content["content"] } else { content };
        let text = content["text"].as_str();
        match update["sessionUpdate"].as_str().expect("a kind") {
            "user_message_chunk" | "user_message" => self.user(text.expect("a prompt")),
            "agent_message_chunk" | "agent_message" => {
                let text = text.expect("a text");
                // On version 1, a client is not told its own prompt.
                if let Some(number) = text.strip_prefix('[').and_then(|text| text.split(']').next()?.parse().ok())
                    && let Some(prompt) = own.remove(&number)
                {
                    self.user(&prompt);
                }
                self.agent(text);
            }
            "tool_call" | "tool_call_update" => self.tool(update, text),
            "config_option_update" => self.config(&update["configOptions"]),
            "state_update" => {
                let state = update["state"].as_str().expect("a state");
                let why = update["stopReason"].as_str().unwrap_or_default();
                self.states.push(format!("{state} {why}"));
                self.state = Some(state.to_owned());
            }
            other => assert_eq!(other, "available_commands_update", "{update}"),
        }
    }

    fn user(&mut self, text: &str) {
        // Such a prompt may join a turn. Then a client of version 1 does not know the place of its own.
        if text.ends_with(" talk") {
            return;
        }
        self.said.push(format!("user {text}"));
        self.entries.push(Entry::User(text.to_owned()));
    }

    fn agent(&mut self, text: &str) {
        self.said.push(text.to_owned());
        match self.entries.last_mut() {
            Some(Entry::Agent(message)) => message.push_str(text),
            _ => self.entries.push(Entry::Agent(text.to_owned())),
        }
    }

    fn tool(&mut self, update: &Value, output: Option<&str>) {
        let call = update["toolCallId"].as_str().expect("an id");
        let at = self.entries.iter().position(|entry| matches!(entry, Entry::Tool { id, .. } if id == call));
        let at = at.unwrap_or_else(|| {
            let [title, status, text] = Default::default();
            self.entries.push(Entry::Tool { id: call.to_owned(), title, status, text });
            self.entries.len() - 1
        });
        let Entry::Tool { title, status, text, .. } = &mut self.entries[at] else { unreachable!() };
        for (field, value) in [(title, update["title"].as_str()), (status, update["status"].as_str()), (text, output)] {
            if let Some(value) = value {
                value.clone_into(field);
            }
        }
        let said = format!("{:?}", self.entries[at]);
        if self.said.last() != Some(&said) {
            self.said.push(said);
        }
    }

    /// All options, from an answer or from an update.
    pub(super) fn config(&mut self, options: &Value) {
        let value = |id: &str| {
            let options = options.as_array().expect("options");
            options
                .iter()
                .find(|option| option["id"] == id || option["configId"] == id)
                .map(|option| &option["currentValue"])
        };
        let voice = value("voice").and_then(Value::as_str).map(ToOwned::to_owned);
        if voice != self.voice {
            self.voices.extend(voice.clone());
            self.voice = voice;
        }
        let brave = value("brave").map(|brave| brave.as_bool().expect("a boolean"));
        if brave != self.brave {
            self.braves.extend(brave);
            self.brave = brave;
        }
    }

    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Whatever comes is compared with what comes to the others from now on.
    pub(super) fn mark(&mut self) {
        self.said.clear();
        self.voices.clear();
        self.braves.clear();
        self.states.clear();
    }

    /// Asserts that the two have read the same since the last mark.
    pub(super) fn reads_as(&self, other: &Self) -> Result<(), String> {
        same("messages", &self.said, &other.said)?;
        same("voices", &self.voices, &other.voices)?;
        if self.brave.is_some() && other.brave.is_some() {
            same("booleans", &self.braves, &other.braves)?;
        }
        if self.state.is_some() && other.state.is_some() {
            same("states", &self.states, &other.states)?;
        }
        Ok(())
    }

    /// Asserts that the two show the same, from the first message on.
    pub(super) fn shows_as(&self, other: &Self) -> Result<(), String> {
        same("options", &[&self.voice], &[&other.voice])?;
        if self.brave.is_some() && other.brave.is_some() {
            same("booleans", &[&self.brave], &[&other.brave])?;
        }
        same("entries", &self.entries, &other.entries)
    }

    /// The final texts of tool calls, by title.
    pub(super) fn tools(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Tool { title, text, .. } => Some((&**title, &**text)),
            _ => None,
        })
    }

    /// What the agent has said, message by message.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Agent(text) => Some(&**text),
            _ => None,
        })
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, one: &[T], other: &[T]) -> Result<(), String> {
    if one == other {
        return Ok(());
    }
    let at = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let rest = |list: &[T]| format!("{:?}", &list[at.min(list.len())..list.len().min(at + 4)]);
    Err(format!("{what} differ at {at}: {} and {}", rest(one), rest(other)))
}
