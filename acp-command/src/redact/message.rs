//! A message, with what is secret in it masked. Its members stay, and their order.

use serde_json::Value;

use super::words::{has_secret_name, masked, without_secrets};

/// Members whose texts are people's work.
const TEXTS: &[&str] = &[
    "args",
    "blob",
    "command",
    "content",
    "data",
    "message",
    "newText",
    "oldText",
    "output",
    "query",
    "reason",
    "summary",
    "text",
    "title",
    "description",
    "url",
];
/// Members that are people's work with all that is in them.
const WORK: &[&str] = &["_meta", "rawInput", "rawOutput"];
/// Members that are the programs' own words, with all that is in them.
const PROGRAMS: &[&str] = &[
    "agentInfo",
    "authMethods",
    "availableCommands",
    "availableModes",
    "capabilities",
    "clientInfo",
    "configOptions",
    "info",
];
/// Lists of names and values, or objects, whose values are secret.
const SECRETS: &[&str] = &["env", "headers"];

pub(super) struct Redaction {
    pub(super) keeps_texts: bool,
}

/// How the strings of a place are treated.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// By the name of their member.
    Message,
    /// All are people's work.
    Work,
    /// They are the programs' own words.
    Program,
    /// All are secret.
    Secret,
}

impl Redaction {
    /// The line of a recording.
    pub(super) fn line(&self, line: &str) -> String {
        match serde_json::from_str::<Value>(line) {
            Ok(mut message) => {
                self.value(&mut message, "", Place::Message);
                message.to_string()
            }
            // Output that is no message may be anything.
            Err(_) => self.text(line),
        }
    }

    fn value(&self, value: &mut Value, name: &str, place: Place) {
        match value {
            Value::String(text) => *text = self.string(text, name, place),
            Value::Array(values) => values.iter_mut().for_each(|value| self.value(value, name, place)),
            Value::Object(members) => {
                for (member, value) in members.iter_mut() {
                    let inside = match place {
                        Place::Message if WORK.contains(&member.as_str()) => Place::Work,
                        Place::Message if PROGRAMS.contains(&member.as_str()) => Place::Program,
                        // The names of variables and headers are not secret.
                        Place::Secret if member == "name" => Place::Program,
                        Place::Message if SECRETS.contains(&member.as_str()) => Place::Secret,
                        place => place,
                    };
                    self.value(value, member, inside);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn string(&self, text: &str, name: &str, place: Place) -> String {
        match place {
            Place::Secret => masked(text),
            _ if has_secret_name(name) => masked(text),
            Place::Work => self.text(text),
            Place::Message if TEXTS.contains(&name) => self.text(text),
            Place::Message | Place::Program => without_secrets(text),
        }
    }

    fn text(&self, text: &str) -> String {
        if self.keeps_texts { without_secrets(text) } else { masked(text) }
    }
}
