//! A conversation as text that is the same in each run. Each message is one line; ids, times and folders have names.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::tape::{Party, Tape};

/// Fields whose values are ids, with the names for them.
const IDS: [(&str, &str); 8] = [
    ("sessionId", "session"),
    ("toolCallId", "call"),
    ("terminalId", "terminal"),
    ("messageId", "message"),
    ("elicitationId", "elicitation"),
    ("compactionId", "compaction"),
    ("nextCursor", "cursor"),
    ("planId", "plan"),
];

/// Names for the values that differ between runs, in the order of their first use.
#[derive(Default)]
pub struct Names {
    /// The replaced texts and their names; the longest first.
    replaced: Vec<(String, String)>,
    /// The folders of sessions and their names; the longest first.
    folders: Vec<(String, String)>,
    counts: HashMap<&'static str, usize>,
    /// On version 2, a field of an update that is `null` clears what the client has.
    shows_null: bool,
}

impl Names {
    /// Names a text, such as a folder that a test has made. A longer text is replaced before a shorter one.
    pub fn replace(&mut self, what: impl Into<String>, by: impl Into<String>) {
        let what = what.into();
        if !what.is_empty() && !self.replaced.iter().any(|(known, _)| *known == what) {
            self.replaced.push((what, by.into()));
            self.replaced.sort_by_key(|(what, _)| std::cmp::Reverse(what.len()));
        }
    }

    /// Names a folder: `<cwd>`, `<cwd 2>` and so on.
    fn name_folder(&mut self, folder: &str) {
        if folder.len() < 2 || self.folders.iter().any(|(known, _)| known == folder) {
            return;
        }
        let count = self.folders.len() + 1;
        let name = if count == 1 { "<cwd>".to_owned() } else { format!("<cwd {count}>") };
        self.folders.push((folder.to_owned(), name));
        self.folders.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.len()));
    }

    fn learn(&mut self, value: &Value) {
        match value {
            Value::Object(object) => {
                for (key, value) in object {
                    if let Some((_, name)) = IDS.iter().find(|(id, _)| id == key)
                        && let Some(id) = value.as_str()
                        && !self.replaced.iter().any(|(known, _)| known == id)
                    {
                        let count = self.counts.entry(name).or_default();
                        *count += 1;
                        let name = format!("<{name}-{count}>");
                        self.replace(id, name);
                    }
                    self.learn(value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.learn(item)),
            _ => {}
        }
    }

    fn text(&self, text: &str) -> String {
        if is_time(text) {
            return "<time>".to_owned();
        }
        if let Some((_, name)) = self.replaced.iter().chain(&self.folders).find(|(what, _)| what == text) {
            return name.clone();
        }
        let mut out = text.to_owned();
        for (folder, name) in &self.folders {
            out = replace_folder(&out, folder, name);
        }
        // A short text could be a part of a word, so only long texts are replaced.
        for (what, name) in self.replaced.iter().filter(|(what, _)| what.len() >= 6) {
            out = out.replace(what, name);
        }
        Value::from(out).to_string()
    }

    /// A value in a form for people: fields with their names, names without quotes, a text content as its text.
    fn value(&self, value: &Value) -> String {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => {
                format!("[{}]", items.iter().map(|item| self.value(item)).collect::<Vec<_>>().join(", "))
            }
            Value::Object(object) => match (object.len(), &value["type"], &value["text"]) {
                (2, Value::String(kind), Value::String(text)) if kind == "text" => self.text(text),
                _ => format!("{{{}}}", self.fields(object)),
            },
            other => other.to_string(),
        }
    }

    fn fields(&self, object: &Map<String, Value>) -> String {
        self.fields_and(object, false)
    }

    fn fields_and(&self, object: &Map<String, Value>, nulls: bool) -> String {
        let mut fields: Vec<_> = object.iter().filter(|(_, value)| nulls || !value.is_null()).collect();
        fields.sort_by_key(|(key, _)| *key);
        let shown = fields.into_iter().map(|(key, value)| match (&**key, value) {
            // The version differs in each release, so it is left out.
            ("agentInfo" | "clientInfo" | "info", Value::Object(info)) if info.contains_key("version") => {
                let mut info = info.clone();
                info.remove("version");
                format!("{key}: {{{}}}", self.fields(&info))
            }
            _ => format!("{key}: {}", self.value(value)),
        });
        shown.collect::<Vec<_>>().join(", ")
    }

    /// An update: its kind, then its content. Fields that are `null` are left out on version 1. The state of a `state_update` follows its kind, and bytes of terminals are
    /// shown as text.
    pub fn update(&self, update: &Value) -> String {
        let mut fields = update.as_object().cloned().unwrap_or_default();
        let kind = fields.remove("sessionUpdate");
        let kind = kind.as_ref().and_then(Value::as_str).unwrap_or("?");
        if kind == "state_update"
            && let Some(Value::String(state)) = fields.remove("state")
        {
            return format!("{kind} {state} {}", self.fields(&fields)).trim_end().to_owned();
        }
        if matches!(kind, "terminal_output_chunk" | "terminal_update") {
            let bytes = match fields.get_mut("output") {
                Some(Value::Object(output)) => output.get_mut("data"),
                _ => fields.get_mut("data"),
            };
            if let Some(bytes) = bytes
                && let Some(text) = bytes.as_str().and_then(decoded)
            {
                *bytes = text.into();
            }
        }
        match (fields.len(), fields.get("content")) {
            (1, Some(content)) if kind.ends_with("_chunk") => format!("{kind} {}", self.value(content)),
            _ => format!("{kind} {}", self.fields_and(&fields, self.shows_null)).trim_end().to_owned(),
        }
    }
}

/// Replaces a folder in paths. The folder is a whole path or the beginning of one: `/project` is no part of `/project-x`
/// or `/my/project`.
fn replace_folder(text: &str, folder: &str, name: &str) -> String {
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_');
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(folder) {
        let (before, after) = (&rest[..at], &rest[at + folder.len()..]);
        let last = before.chars().next_back().or_else(|| out.chars().next_back());
        let mut next = after.chars();
        let goes_on = match next.next() {
            // A full stop may end a sentence.
            Some('.') => next.next().is_some_and(is_part),
            next => next.is_some_and(is_part),
        };
        let begins_before = last.is_some_and(|char| is_part(char) || matches!(char, '.' | '/' | '>'));
        out.push_str(before);
        out.push_str(if goes_on || begins_before { folder } else { name });
        rest = after;
    }
    out + rest
}

/// The text whose bytes are written as base64; `None` if it is neither base64 nor text.
fn decoded(base64: &str) -> Option<String> {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for sign in base64.trim_end_matches('=').bytes() {
        let value = SIGNS.iter().position(|known| *known == sign)?;
        bits = bits << 6 | u32::try_from(value).ok()?;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    String::from_utf8(bytes).ok()
}

/// A time in the protocol's form: 2026-11-22T07:27:32Z.
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 20
        && bytes[..19].iter().zip(b"0000-00-00T00:00:00").all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            sign => byte == sign,
        })
        && bytes[19..].iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'Z' | b'+' | b'-' | b':'))
}

/// The conversation, one message a line.
///
/// ```
/// use acp_judge::{Party, Tape, conversation};
///
/// let mut tape = Tape::new();
/// tape.say(Party::Client, r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"0192-ab"}}"#);
/// tape.say(Party::Agent, "Good bye.");
/// assert_eq!(conversation(&tape), "> session/cancel sessionId: <session-1>\n< \"Good bye.\"\n");
/// ```
pub fn conversation(tape: &Tape) -> String {
    let (mut text, mut names) = (String::new(), Names::default());
    let mut open = HashMap::<(Party, String), usize>::new();
    let mut counts = HashMap::<Party, usize>::new();
    for entry in tape.entries() {
        let from = entry.from;
        let mark = match from {
            Party::Client => '>',
            Party::Agent => '<',
        };
        let line = match entry.text() {
            None => "end".to_owned(),
            Some(line) => match serde_json::from_str::<Value>(&line) {
                Ok(message) if message.is_object() => message_line(from, &message, &mut names, &mut open, &mut counts),
                _ => Value::from(&*line).to_string(),
            },
        };
        text.push_str(&format!("{mark} {line}\n"));
    }
    text
}

fn message_line(
    from: Party,
    message: &Value,
    names: &mut Names,
    open: &mut HashMap<(Party, String), usize>,
    counts: &mut HashMap<Party, usize>,
) -> String {
    let params = &message["params"];
    // A terminal's `cwd` is a path of a session, and no folder of its own.
    if let Some(cwd) = params["cwd"]
        .as_str()
        .filter(|_| !message["method"].as_str().is_some_and(|method| method.starts_with("terminal/")))
    {
        names.name_folder(cwd);
    }
    names.learn(message);
    let id = message.get("id").map(Value::to_string);
    let number = |open: &HashMap<_, usize>, by, id: &str| {
        open.get(&(by, id.to_owned())).map_or_else(|| format!("#?{id}"), |number| format!("#{number}"))
    };
    match (message["method"].as_str(), id) {
        (Some(method), Some(id)) => {
            let count = counts.entry(from).or_default();
            *count += 1;
            open.insert((from, id), *count);
            format!("#{count} {method} {}", fields(names, params)).trim_end().to_owned()
        }
        (Some("session/update"), None) => {
            let session = params["sessionId"].as_str().map(|id| names.text(id)).unwrap_or_default();
            format!("{session} {}", names.update(&params["update"]))
        }
        (Some("$/cancel_request"), None) => {
            format!("$/cancel_request {}", number(open, from, &params["requestId"].to_string()))
        }
        (Some(method), None) => format!("{method} {}", fields(names, params)).trim_end().to_owned(),
        (None, Some(id)) => {
            let number = number(open, from.other(), &id);
            match message.get("error") {
                Some(error) => {
                    let data = error.get("data").map(|data| format!(" {}", names.value(data))).unwrap_or_default();
                    let text = error["message"].as_str().map(|text| names.text(text)).unwrap_or_default();
                    format!("{number} ! {} {text}{data}", error["code"])
                }
                None => {
                    let result = &message["result"];
                    names.shows_null |= result["protocolVersion"] == 2;
                    format!("{number} = {}", names.value(result))
                }
            }
        }
        (None, None) => names.value(message),
    }
}

fn fields(names: &Names, params: &Value) -> String {
    params.as_object().map_or_else(
        || if params.is_null() { String::new() } else { names.value(params) },
        |object| names.fields(object),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_differs_from_run_to_run_has_a_name() {
        let mut tape = Tape::new();
        let (client, agent) = (Party::Client, Party::Agent);
        let messages = [
            (client, json!({ "id": 7, "method": "session/new", "params": { "cwd": "/tmp/x7f3", "mcpServers": [] } })),
            (agent, json!({ "id": 7, "result": { "sessionId": "0198-aa" } })),
            (
                client,
                json!({ "id": "b", "method": "session/prompt", "params": { "sessionId": "0198-aa", "prompt": [] } }),
            ),
            (
                agent,
                json!({ "method": "session/update", "params": { "sessionId": "0198-aa", "update": {
                "sessionUpdate": "tool_call", "toolCallId": "c-1", "title": "Read /tmp/x7f3/a", "kind": "read" } } }),
            ),
            (
                agent,
                json!({ "method": "session/update", "params": { "sessionId": "0198-aa", "update": {
                "sessionUpdate": "session_info_update", "updatedAt": "2026-11-22T07:27:32.5Z" } } }),
            ),
            (client, json!({ "method": "$/cancel_request", "params": { "requestId": "b" } })),
            (agent, json!({ "id": "b", "error": { "code": -32002, "message": "no session `0198-aa`", "data": null } })),
            (agent, json!({ "id": 9, "result": {} })),
        ];
        for (from, message) in messages {
            tape.say(from, message.to_string());
        }
        tape.say(agent, "Bye.");
        tape.hang_up(agent);
        let expected = r##"> #1 session/new cwd: <cwd>, mcpServers: []
< #1 = {sessionId: <session-1>}
> #2 session/prompt prompt: [], sessionId: <session-1>
< <session-1> tool_call kind: "read", title: "Read <cwd>/a", toolCallId: <call-1>
< <session-1> session_info_update updatedAt: <time>
> $/cancel_request #2
< #2 ! -32002 "no session `<session-1>`" null
< #?9 = {}
< "Bye."
< end
"##;
        assert_same_text(&conversation(&tape), expected);
    }

    #[test]
    fn a_conversation_of_version_2_shows_states_and_the_text_of_terminals() {
        let mut tape = Tape::new();
        let (client, agent) = (Party::Client, Party::Agent);
        let update =
            |update: Value| json!({ "method": "session/update", "params": { "sessionId": "s", "update": update } });
        let info = json!({ "name": "c", "version": "1.2.3" });
        let listed = json!([{ "type": "terminal", "terminalId": "t" }]);
        let chunk =
            |data: &str| update(json!({ "sessionUpdate": "terminal_output_chunk", "terminalId": "t", "data": data }));
        let cleared = update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": null }));
        let messages = [
            (client, json!({ "id": 1, "method": "initialize", "params": { "protocolVersion": 2, "info": info } })),
            (client, json!({ "id": 2, "method": "session/prompt", "params": { "sessionId": "s", "prompt": [] } })),
            (agent, update(json!({ "sessionUpdate": "state_update", "state": "running" }))),
            (agent, json!({ "id": 2, "result": { "messageId": "m-1" } })),
            (
                agent,
                update(json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "output": { "data": "w6QK" } })),
            ),
            (agent, chunk("bWFrZQ==")),
            (agent, chunk("/w==")),
            (agent, cleared.clone()),
            (agent, json!({ "id": 1, "result": { "protocolVersion": 2 } })),
            (agent, cleared),
            (
                agent,
                update(
                    json!({ "sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn", "background": listed }),
                ),
            ),
        ];
        for (from, message) in messages {
            tape.say(from, message.to_string());
        }
        let expected = r##"> #1 initialize info: {name: "c"}, protocolVersion: 2
> #2 session/prompt prompt: [], sessionId: <session-1>
< <session-1> state_update running
< #2 = {messageId: <message-1>}
< <session-1> terminal_update output: {data: "ä\n"}, terminalId: <terminal-1>
< <session-1> terminal_output_chunk data: "make", terminalId: <terminal-1>
< <session-1> terminal_output_chunk data: "/w==", terminalId: <terminal-1>
< <session-1> tool_call_update toolCallId: <call-1>
< #1 = {protocolVersion: 2}
< <session-1> tool_call_update status: null, toolCallId: <call-1>
< <session-1> state_update idle background: [{terminalId: <terminal-1>, type: "terminal"}], stopReason: "end_turn"
"##;
        assert_same_text(&conversation(&tape), expected);
    }

    #[test]
    fn each_folder_has_a_name_of_its_own_and_a_longer_name_is_another_folder() {
        let mut names = Names::default();
        for folder in ["/project", "/other/place", "/project", "/project/inner"] {
            names.name_folder(folder);
        }
        for (text, shown) in [
            ("/project", "<cwd>"),
            ("/other/place", "<cwd 2>"),
            ("/project/a.txt and /other/place/b", r#""<cwd>/a.txt and <cwd 2>/b""#),
            ("/project/inner/a", r#""<cwd 3>/a""#),
            ("/project-x /projects /project.old /my/project", r#""/project-x /projects /project.old /my/project""#),
            ("Look into /project.", r#""Look into <cwd>.""#),
        ] {
            assert_eq!(names.text(text), shown);
        }
    }

    #[track_caller]
    fn assert_same_text(came: &str, expected: &str) {
        crate::golden::assert_same("the conversation", expected, came);
    }
}
