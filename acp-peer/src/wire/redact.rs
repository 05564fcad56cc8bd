//! A message without its content: methods, ids, the protocol's own words, and the size of everything else.
//!
//! This file lists the fields that are shown, and not the fields that are hidden. So a new field of the protocol or of
//! a vendor shows only its size, until someone checks that it contains no content.

use std::fmt::{self, Write};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::quoted::Short;
use super::words::WORDS;

/// Deeper objects show only their size.
const DEEPEST: u8 = 10;

/// Longer lists are cut.
const LONGEST: usize = 20;

/// The shape of one message.
pub(crate) struct Shape<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = String::new();
        // The other readers of the crate read texts, too. A reader of bytes would be a second copy of serde_json's code.
        let read = std::str::from_utf8(self.0).is_ok_and(|text| {
            let mut json = serde_json::Deserializer::from_str(text);
            let part = Part { shown: &mut shown, role: Role::Inside, place: Place::Message, depth: 0 };
            part.deserialize(&mut json).and_then(|()| json.end()).is_ok()
        });
        match read {
            true => f.write_str(&shown),
            false => write!(f, "({} bytes that are no JSON)", self.0.len()),
        }
    }
}

/// How the value of a field is shown.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// The value's own fields or elements are shown.
    Inside,
    /// The text is shown unchanged: methods and ids.
    Name,
    /// The text is shown unchanged if it is a word of the protocol.
    Word,
    /// The value is shown unchanged if it is a number: codes and versions.
    Number,
    /// Only the size is shown.
    Content,
}

/// The owner of the fields. The name of a field tells its content only where the protocol defines the field.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Message,
    Error,
    Result,
    Elsewhere,
}

impl Place {
    fn inside(self, field: &str) -> Self {
        match (self, field) {
            (Self::Message, "error") => Self::Error,
            (Self::Message, "result") => Self::Result,
            _ => Self::Elsewhere,
        }
    }
}

impl Role {
    fn of(field: &str, place: Place) -> Option<Self> {
        Some(match field {
            "id" | "method" if place != Place::Message => Self::Content,
            "code" if place != Place::Error => Self::Content,
            // The values that a user has filled into a form.
            "content" if place == Place::Result => Self::Content,
            "protocolVersion" | "code" => Self::Number,
            "id" | "method" | "requestId" | "sessionId" | "toolCallId" | "terminalId" | "messageId" | "configId"
            | "optionId" | "elicitationId" | "compactionId" | "methodId" => Self::Name,
            "jsonrpc" | "sessionUpdate" | "type" | "status" | "kind" | "stopReason" | "priority" | "severity"
            | "mode" | "action" => Self::Word,
            "params"
            | "result"
            | "error"
            | "update"
            | "prompt"
            | "toolCall"
            | "content"
            | "options"
            | "outcome"
            | "configOptions"
            | "modes"
            | "availableModes"
            | "entries"
            | "locations"
            | "sessions"
            | "resource"
            | "clientCapabilities"
            | "agentCapabilities"
            | "promptCapabilities"
            | "sessionCapabilities"
            | "fs"
            | "mcpServers"
            | "authMethods"
            | "exitStatus" => Self::Inside,
            "text"
            | "title"
            | "name"
            | "description"
            | "path"
            | "cwd"
            | "uri"
            | "url"
            | "data"
            | "blob"
            | "message"
            | "command"
            | "args"
            | "env"
            | "headers"
            | "output"
            | "oldText"
            | "newText"
            | "value"
            | "currentValue"
            | "modeId"
            | "currentModeId"
            | "summary"
            | "cursor"
            | "nextCursor"
            | "additionalDirectories"
            | "requestedSchema"
            | "availableCommands"
            | "rawInput"
            | "rawOutput"
            | "_meta" => Self::Content,
            _ => return None,
        })
    }
}

/// Whether the text is a word of the protocol, so that a field of the role [`Role::Word`] may show it. Any other text
/// at this place is content.
fn is_word(text: &str) -> bool {
    text == JSON_RPC || WORDS.lines().any(|word| word == text)
}

/// The value of `jsonrpc`. JSON-RPC defines this word, so the schema does not have it.
const JSON_RPC: &str = "2.0";

/// The shape of one value, which is being written into `shown`.
struct Part<'s> {
    shown: &'s mut String,
    role: Role,
    place: Place,
    depth: u8,
}

impl Part<'_> {
    fn show(self, what: impl fmt::Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.shown, "{what}");
    }

    fn inner(&mut self, role: Role, place: Place) -> Part<'_> {
        Part { shown: &mut *self.shown, role, place, depth: self.depth + 1 }
    }

    fn scalar(self, what: impl fmt::Display, kind: &str) {
        match self.role {
            Role::Name | Role::Number if kind == "number" => self.show(what),
            _ => self.show(format_args!("({kind})")),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        match self.role {
            Role::Name => self.show(format_args!("{:?}", Short(text).to_string())),
            Role::Word if is_word(text) => self.show(format_args!("{text:?}")),
            _ => self.show(format_args!("({} bytes)", text.len())),
        }
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.scalar(value, "boolean");
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.scalar(value, "number");
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.scalar(value, "number");
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.scalar(value, "number");
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.show("null");
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        let mut count = 0;
        if self.role == Role::Inside && self.depth < DEEPEST {
            self.shown.push('[');
            while count < LONGEST {
                let comma = self.shown.len();
                self.shown.push_str(if count == 0 { "" } else { "," });
                if list.next_element_seed(self.inner(Role::Inside, Place::Elsewhere))?.is_none() {
                    self.shown.truncate(comma);
                    self.shown.push(']');
                    return Ok(());
                }
                count += 1;
            }
            let mut more = 0;
            while list.next_element::<IgnoredAny>()?.is_some() {
                more += 1;
            }
            self.show(if more == 0 { "]".to_owned() } else { format!(",({more} more)]") });
        } else {
            while list.next_element::<IgnoredAny>()?.is_some() {
                count += 1;
            }
            self.show(format_args!("[({count} items)]"));
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut object: A) -> Result<(), A::Error> {
        let walked = self.role == Role::Inside && self.depth < DEEPEST;
        let (mut first, mut more) = (true, 0);
        self.shown.push('{');
        while let Some(key) = object.next_key::<std::borrow::Cow<'de, str>>()? {
            match Role::of(&key, self.place).filter(|_| walked) {
                Some(role) => {
                    let comma = if std::mem::take(&mut first) { "" } else { "," };
                    let _ = write!(self.shown, "{comma}\"{key}\":");
                    let place = self.place.inside(&key);
                    object.next_value_seed(self.inner(role, place))?;
                }
                None => {
                    object.next_value::<IgnoredAny>()?;
                    more += 1;
                }
            }
        }
        let comma = if first || more == 0 { "" } else { "," };
        match more {
            0 => self.show("}"),
            more => self.show(format_args!("{comma}({more} more)}}")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(line: &str) -> String {
        Shape(line.as_bytes()).to_string()
    }

    #[test]
    fn shows_what_happens_and_not_what_is_said() {
        let prompt = r#"{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"s1","prompt":[
            {"type":"text","text":"secret"},{"type":"secret","more":[1]}],"_meta":{"secret":1},"secret":{"secret":2}}}"#;
        assert_eq!(
            shape(prompt),
            concat!(
                r#"{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"s1","prompt":["#,
                r#"{"type":"text","text":(6 bytes)},{"type":(6 bytes),(1 more)}],"_meta":{(1 more)},(1 more)}}"#
            )
        );
        let form = r#"{"id":1,"result":{"action":"accept","content":{"code":12,"id":"secret","status":true,"method":"secret"}}}"#;
        assert_eq!(shape(form), r#"{"id":1,"result":{"action":"accept","content":{(4 more)}}}"#);
        let vendor =
            r#"{"id":1,"method":"_x/y","params":{"id":"secret","method":"secret","code":12,"status":true,"kind":7}}"#;
        assert_eq!(
            shape(vendor),
            r#"{"id":1,"method":"_x/y","params":{"id":(6 bytes),"method":(6 bytes),"code":(number),"status":(boolean),"kind":(number)}}"#
        );
        let answer = r#"{"jsonrpc":"2.0","id":"a","result":{"stopReason":"end_turn"}}"#;
        assert_eq!(shape(answer), answer);
        let error = r#"{"id":null,"error":{"code":-32602,"message":"secret","data":["secret"]}}"#;
        assert_eq!(shape(error), r#"{"id":null,"error":{"code":-32602,"message":(6 bytes),"data":[(1 items)]}}"#);
    }

    #[test]
    fn shows_little_of_a_lot() {
        let deep = format!("{}\"secret\"{}", r#"{"params":"#.repeat(50), "}".repeat(50));
        assert!(shape(&deep).ends_with("{(1 more)}}}}}}}}}}}"), "{}", shape(&deep));
        let long = format!("[{}1]", "1,".repeat(1000));
        assert!(shape(&long).ends_with(",(981 more)]"), "{}", shape(&long));
        assert_eq!(shape("{\"secret"), "(8 bytes that are no JSON)");
        assert_eq!(shape("[]"), "[]");
    }
}
