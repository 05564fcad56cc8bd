//! Long recordings without a mistake: of small updates only, and of updates, tool calls and diffs as agents send them.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::Result;

pub struct Recording {
    pub figure: &'static str,
    pub path: PathBuf,
    pub megabytes: f64,
}

const SESSION: &str = "sess_1";
const UPDATES: usize = 200;
const CALLS: usize = 5;
const SENTENCE: &str = "a model says one small part of an answer, and then the next part of it; ";

/// A recording that is written.
struct Writer {
    file: BufWriter<File>,
    bytes: usize,
    /// The milliseconds since the beginning.
    now: u64,
}

pub fn write(folder: &Path, megabytes: usize) -> Result<[Recording; 2]> {
    let record = |figure: &'static str, calls: usize| {
        let path = folder.join(format!("{figure}.jsonl"));
        let mut writer = Writer { file: BufWriter::new(File::create(&path)?), bytes: 0, now: 0 };
        writer.begin()?;
        for turn in 0.. {
            if writer.bytes >= megabytes * 1_000_000 {
                break;
            }
            writer.turn(turn, calls)?;
        }
        writer.line(">", "EOF")?;
        writer.line("<", "EXIT")?;
        writer.file.flush()?;
        Ok::<_, Box<dyn std::error::Error>>(Recording { figure, path, megabytes: writer.bytes as f64 / 1e6 })
    };
    Ok([record("updates", 0)?, record("work", CALLS)?])
}

impl Writer {
    fn line(&mut self, from: &str, line: &str) -> Result<()> {
        self.now += 1;
        let line = json!({"dir": from, "ms": self.now, "line": line}).to_string();
        self.bytes += line.len() + 1;
        Ok(writeln!(self.file, "{line}")?)
    }

    fn say(&mut self, from: &str, message: &Value) -> Result<()> {
        self.line(from, &message.to_string())
    }

    fn begin(&mut self) -> Result<()> {
        let info = json!({"name": "bench", "version": "1"});
        let params = json!({"protocolVersion": 1, "clientInfo": info});
        self.say(">", &json!({"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": params}))?;
        let result = json!({"protocolVersion": 1, "agentInfo": info, "agentCapabilities": {}, "authMethods": []});
        self.say("<", &json!({"jsonrpc": "2.0", "id": "i", "result": result}))?;
        let params = json!({"cwd": "/project", "mcpServers": []});
        self.say(">", &json!({"jsonrpc": "2.0", "id": "n", "method": "session/new", "params": params}))?;
        self.say("<", &json!({"jsonrpc": "2.0", "id": "n", "result": {"sessionId": SESSION}}))
    }

    fn turn(&mut self, turn: usize, calls: usize) -> Result<()> {
        let params = json!({"sessionId": SESSION, "prompt": [{"type": "text", "text": "Go on."}]});
        self.say(">", &json!({"jsonrpc": "2.0", "id": turn, "method": "session/prompt", "params": params}))?;
        for update in 0..UPDATES {
            let content = json!({"type": "text", "text": &SENTENCE[..20 + update % 50]});
            self.update(&json!({"sessionUpdate": "agent_message_chunk", "content": content}))?;
        }
        for call in 0..calls {
            let (id, file) = (format!("call_{turn}_{call}"), "/project/src/main.rs");
            let place = json!([{"path": file, "line": 10}]);
            self.update(&json!({"sessionUpdate": "tool_call", "toolCallId": id, "title": "Edit", "kind": "edit", "status": "pending", "locations": place}))?;
            self.update(&json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "in_progress", "rawInput": {"path": file}}))?;
            let lines = (SENTENCE.to_owned() + "\n").repeat(60);
            let diff = json!({"type": "diff", "path": file, "oldText": lines, "newText": format!("{lines}more\n")});
            self.update(&json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "completed", "content": [diff]}))?;
        }
        self.say("<", &json!({"jsonrpc": "2.0", "id": turn, "result": {"stopReason": "end_turn"}}))
    }

    fn update(&mut self, update: &Value) -> Result<()> {
        let params = json!({"sessionId": SESSION, "update": update});
        self.say("<", &json!({"jsonrpc": "2.0", "method": "session/update", "params": params}))
    }
}
