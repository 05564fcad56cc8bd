//! What the check answers to an agent's requests. No command is run, and only files of the folder of the check are read or written.

use std::{
    collections::BTreeSet,
    fs,
    path::{Component, Path, PathBuf},
};

use serde_json::{Value, json};

/// The client's side of a connection.
pub(super) struct Client {
    /// The folder of the check.
    pub(super) folder: PathBuf,
    pub(super) allows: bool,
    /// Whether commands run until they are killed; otherwise they have ended at once.
    pub(super) runs: bool,
    terminals: BTreeSet<String>,
    /// Ids are not used again.
    made: usize,
}

type Answer = Result<Value, Value>;

fn refusal(code: i32, text: &str) -> Answer {
    Err(json!({"code": code, "message": text}))
}

impl Client {
    pub(super) fn new(folder: PathBuf, allows: bool) -> Self {
        Self { folder, allows, runs: false, terminals: BTreeSet::new(), made: 0 }
    }

    pub(super) fn answer(&mut self, method: &str, params: &Value) -> Answer {
        let terminal = params["terminalId"].as_str().unwrap_or_default();
        let is_known = self.terminals.contains(terminal);
        match method {
            "session/request_permission" => Ok(self.permission(&params["options"])),
            "fs/read_text_file" => self.read(params),
            "fs/write_text_file" => self.write(params),
            "terminal/create" => {
                self.made += 1;
                let id = format!("terminal-{}", self.made);
                self.terminals.insert(id.clone());
                Ok(json!({"terminalId": id}))
            }
            _ if method.starts_with("terminal/") && !is_known => refusal(-32002, "there is no such terminal"),
            "terminal/output" if self.runs => Ok(json!({"output": "", "truncated": false})),
            "terminal/output" => Ok(json!({"output": "", "truncated": false, "exitStatus": {"exitCode": 0}})),
            "terminal/wait_for_exit" => Ok(json!({"exitCode": 0})),
            "terminal/kill" => Ok(json!({})),
            "terminal/release" => {
                self.terminals.remove(terminal);
                Ok(json!({}))
            }
            "elicitation/create" => Ok(json!({"action": "decline"})),
            _ => refusal(-32601, "method not found"),
        }
    }

    /// Selects the first option that allows or rejects.
    fn permission(&self, options: &Value) -> Value {
        let wanted = if self.allows { "allow" } else { "reject" };
        let kind = |option: &&Value| option["kind"].as_str().is_some_and(|kind| kind.starts_with(wanted));
        match options.as_array().into_iter().flatten().find(kind) {
            Some(option) => json!({"outcome": {"outcome": "selected", "optionId": option["optionId"]}}),
            None => json!({"outcome": {"outcome": "cancelled"}}),
        }
    }

    /// A path in the folder of the check.
    fn path(&self, params: &Value) -> Option<PathBuf> {
        let path = Path::new(params["path"].as_str()?);
        let is_within = path.starts_with(&self.folder) && !path.components().any(|part| part == Component::ParentDir);
        is_within.then(|| path.to_owned())
    }

    fn read(&self, params: &Value) -> Answer {
        let Some(text) = self.path(params).and_then(|path| fs::read_to_string(path).ok()) else {
            return refusal(-32002, "there is no such file in the folder of the session");
        };
        let count = |name: &str| params[name].as_u64().and_then(|number| usize::try_from(number).ok());
        let lines = text.split_inclusive('\n').skip(count("line").unwrap_or(1).saturating_sub(1));
        Ok(json!({"content": lines.take(count("limit").unwrap_or(usize::MAX)).collect::<String>()}))
    }

    fn write(&self, params: &Value) -> Answer {
        let written = self.path(params).and_then(|path| {
            fs::create_dir_all(path.parent()?).ok()?;
            fs::write(path, params["content"].as_str()?).ok()
        });
        written
            .map_or_else(|| refusal(-32602, "only files in the folder of the session are written"), |()| Ok(json!({})))
    }
}
