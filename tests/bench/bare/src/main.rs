//! The agent without any SDK: a blocking loop gives the same answers, without checks and without concurrency. It shows
//! the lowest possible cost. It is no rival, because it cannot see a cancel while it streams.

use std::collections::HashMap;
use std::error::Error;
use std::io::{self, BufRead, BufWriter, Write};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: &'a str,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Set {
    session_id: String,
    config_id: String,
    value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Prompt {
    session_id: String,
    prompt: Vec<Block>,
}

/// A text or a picture.
#[derive(Deserialize)]
struct Block {
    #[serde(default)]
    text: String,
    #[serde(default, rename = "data")]
    _data: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Select<'a> {
    id: &'a str,
    name: &'a str,
    category: &'a str,
    r#type: &'a str,
    current_value: &'a str,
    options: &'a [Choice],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Boolean<'a> {
    id: &'a str,
    name: &'a str,
    r#type: &'a str,
    current_value: bool,
}

#[derive(Serialize)]
struct Choice {
    value: &'static str,
    name: &'static str,
}

#[derive(Serialize)]
struct Chunk<'a> {
    r#type: &'a str,
    text: &'a str,
}

const MODELS: &[Choice] = &[Choice { value: "fast", name: "Fast" }, Choice { value: "smart", name: "Smart" }];
const EFFORTS: &[Choice] = &[
    Choice { value: "low", name: "Low" },
    Choice { value: "medium", name: "Medium" },
    Choice { value: "high", name: "High" },
];

struct Session {
    model: usize,
    effort: usize,
    brave: bool,
}

impl Session {
    fn set(&mut self, id: &str, value: &str) -> Result<(), Box<dyn Error>> {
        let (choices, current) = match id {
            "model" => (MODELS, &mut self.model),
            "effort" => (EFFORTS, &mut self.effort),
            _ => return Err("no such option".into()),
        };
        *current = choices.iter().position(|choice| choice.value == value).ok_or("no such value")?;
        Ok(())
    }

    fn write(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        let model = Select {
            id: "model",
            name: "Model",
            category: "model",
            r#type: "select",
            current_value: MODELS[self.model].value,
            options: MODELS,
        };
        let effort = Select {
            id: "effort",
            name: "Effort",
            category: "thought_level",
            r#type: "select",
            current_value: EFFORTS[self.effort].value,
            options: EFFORTS,
        };
        let brave = Boolean { id: "brave", name: "Brave mode", r#type: "boolean", current_value: self.brave };
        serde_json::to_writer(out, &(model, effort, brave))
    }
}

fn stream(out: &mut impl Write, prompt: &Prompt) -> Result<(), Box<dyn Error>> {
    let Some((word, counts)) = prompt.prompt[0].text.split_once(' ') else { return Ok(()) };
    if !matches!(word, "stream" | "yield") {
        return Ok(());
    }
    let (updates, bytes) = counts.split_once(' ').ok_or("no bytes")?;
    let text = "x".repeat(bytes.parse()?);
    for _ in 0..updates.parse::<usize>()? {
        out.write_all(br#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"#)?;
        serde_json::to_writer(&mut *out, &prompt.session_id)?;
        out.write_all(br#","update":{"sessionUpdate":"agent_message_chunk","content":"#)?;
        serde_json::to_writer(&mut *out, &Chunk { r#type: "text", text: &text })?;
        out.write_all(b"}}}\n")?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut input = io::stdin().lock();
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut sessions: HashMap<String, Session> = HashMap::new();
    let (mut line, mut body) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let request: Request<'_> = serde_json::from_slice(&line)?;
        let params = request.params.map_or("{}", RawValue::get);
        body.clear();
        match request.method {
            "initialize" => body.extend_from_slice(br#"{"protocolVersion":1,"agentCapabilities":{"promptCapabilities":{"image":true}}}"#),
            "session/new" => {
                let id = format!("sess-{}", sessions.len());
                write!(body, r#"{{"sessionId":"{id}","configOptions":"#)?;
                let session = Session { model: 1, effort: 1, brave: false };
                session.write(&mut body)?;
                body.push(b'}');
                sessions.insert(id, session);
            }
            "session/set_config_option" => {
                let set: Set = serde_json::from_str(params)?;
                let session = sessions.get_mut(&set.session_id).ok_or("no such session")?;
                session.set(&set.config_id, &set.value)?;
                body.extend_from_slice(br#"{"configOptions":"#);
                session.write(&mut body)?;
                body.push(b'}');
            }
            "session/prompt" => {
                stream(&mut out, &serde_json::from_str(params)?)?;
                body.extend_from_slice(br#"{"stopReason":"end_turn"}"#);
            }
            _ => return Err("no such method".into()),
        }
        if let Some(id) = request.id {
            write!(out, r#"{{"jsonrpc":"2.0","id":{},"result":"#, id.get())?;
            out.write_all(&body)?;
            out.write_all(b"}\n")?;
            out.flush()?;
        }
    }
}
