//! What the agents of `acp mock` and `acp provoke` share: the lines of stdin, answers and errors.

use std::{
    io::{self, BufRead as _},
    sync::mpsc::{self, Receiver},
    thread,
};

use serde_json::{Value, json};

/// The lines of stdin. A thread reads them, so that the client can always write.
pub(crate) fn read_lines() -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

pub(crate) fn answer(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

pub(crate) fn error(id: &Value, code: i32, text: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": text } })
}
