//! `acp provoke`: the agent of `acp check --client`, which the client under test starts. It asks for what the client offers, and says what clients
//! find hard, within the rules of the protocol.

use std::{
    io::{self, Write as _},
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::Duration,
};

use clap::Args;
use serde_json::{Value, json};

use crate::{
    exit::{Exit, Failure},
    playing::{answer, error, read_lines},
};

/// How long the agent waits for an answer of the client.
const PATIENCE: Duration = Duration::from_secs(20);
/// The length of a long chunk of a message, in bytes.
const LONG: usize = 256 * 1024;
const SESSION: &str = "acp-check-session";

/// The agent that `acp check --client` lets a client start.
#[derive(Debug, Args)]
pub(crate) struct Provoke {}

type Answer = Result<Value, Value>;

struct Agent {
    lines: Receiver<String>,
    /// What the client offers.
    client: Value,
    cwd: String,
    next: u64,
    is_cancelled: bool,
    is_at_work: bool,
    has_ended: bool,
    verbose: bool,
    how: &'static str,
}

impl Provoke {
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let mut agent = Agent {
            lines: read_lines(),
            client: Value::Null,
            cwd: "/".to_owned(),
            next: 0,
            is_cancelled: false,
            is_at_work: false,
            has_ended: false,
            verbose: false,
            how: "plain",
        };
        while let Ok(line) = agent.lines.recv() {
            agent.hears(&line).map_err(|error| Failure::output(&error))?;
        }
        Ok(Exit::Done)
    }
}

impl Agent {
    /// Takes a message that is no answer.
    fn hears(&mut self, line: &str) -> io::Result<()> {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            return say(&error(&Value::Null, -32700, "this line is no JSON"));
        };
        let params = &message["params"];
        match (message["method"].as_str(), message.get("id")) {
            (Some(method), Some(id)) => self.request(method, id, params),
            (Some("session/cancel"), None) => {
                self.is_cancelled |= self.is_at_work;
                Ok(())
            }
            (Some(_), None) => Ok(()),
            (None, Some(_)) => Ok(()), // an answer that nobody waits for any more
            (None, None) => say(&error(&Value::Null, -32600, "this is no message")),
        }
    }

    fn request(&mut self, method: &str, id: &Value, params: &Value) -> io::Result<()> {
        let of_session = params["sessionId"].as_str();
        if of_session.is_some_and(|session| session != SESSION) {
            return say(&error(id, -32002, "there is no such session"));
        }
        let result = match method {
            "initialize" => {
                self.client = params["clientCapabilities"].clone();
                json!({
                    "protocolVersion": 1,
                    "agentInfo": { "name": "acp-check", "title": "acp check", "version": env!("CARGO_PKG_VERSION") },
                    "agentCapabilities": { "sessionCapabilities": { "close": {}, "list": {} } },
                    "authMethods": [],
                })
            }
            "session/new" => {
                params["cwd"].as_str().unwrap_or("/").clone_into(&mut self.cwd);
                say(&answer(id, json!({ "sessionId": SESSION, "configOptions": self.options() })))?;
                let commands = json!([{ "name": "check", "description": "Does nothing." }]);
                return self
                    .update(json!({ "sessionUpdate": "available_commands_update", "availableCommands": commands }));
            }
            "session/list" => json!({ "sessions": [{ "sessionId": SESSION, "cwd": self.cwd }] }),
            "session/set_config_option" => match self.sets(params) {
                Some(()) => json!({ "configOptions": self.options() }),
                None => return say(&error(id, -32602, "there is no such option or value")),
            },
            "session/close" => {
                self.is_cancelled |= self.is_at_work;
                json!({})
            }
            "session/prompt" if self.is_at_work => return say(&error(id, -32600, "a turn is at work")),
            "session/prompt" => return self.turn(id),
            _ => return say(&error(id, -32601, "there is no such method")),
        };
        say(&answer(id, result))
    }

    /// All options, as this client can see them.
    fn options(&self) -> Value {
        let values = ["plain", "fancy"].map(|value| json!({ "value": value, "name": value }));
        let how = json!({ "id": "how", "name": "How", "type": "select", "currentValue": self.how, "options": values });
        let verbose = json!({ "id": "verbose", "name": "Verbose", "type": "boolean", "currentValue": self.verbose });
        let knows_booleans = self.client["session"]["configOptions"]["boolean"].is_object();
        if knows_booleans { json!([how, verbose]) } else { json!([how]) }
    }

    fn sets(&mut self, params: &Value) -> Option<()> {
        match (params["configId"].as_str()?, &params["value"]) {
            ("how", value) => self.how = ["plain", "fancy"].into_iter().find(|known| value == known)?,
            ("verbose", Value::Bool(on)) => self.verbose = *on,
            _ => return None,
        }
        Some(())
    }

    /// A turn: says and asks all that a client may meet, and ends.
    fn turn(&mut self, prompt: &Value) -> io::Result<()> {
        (self.is_at_work, self.is_cancelled) = (true, false);
        for step in [Self::talks, Self::asks, Self::reads, Self::runs, Self::fills_in, Self::withdraws, Self::changes] {
            if !self.is_cancelled && !self.has_ended {
                step(self)?;
            }
        }
        self.is_at_work = false;
        let reason = if self.is_cancelled { "cancelled" } else { "end_turn" };
        say(&answer(prompt, json!({ "stopReason": reason })))
    }

    /// Text of every length and script, a plan, and what a client need not know.
    fn talks(&mut self) -> io::Result<()> {
        let thought = json!({ "sessionUpdate": "agent_thought_chunk", "content": text("Hm.") });
        let entries = json!([{ "content": "Check the client", "priority": "high", "status": "in_progress" }]);
        for update in [thought, json!({ "sessionUpdate": "plan", "entries": entries })] {
            self.update(update)?;
        }
        for said in [
            "",
            "Gr\u{fc}\u{df}e, \u{4f60}\u{597d}, \u{1f980}\n",
            "\u{1b}[31mno colour\u{1b}[0m",
            &"long ".repeat(LONG / 5),
        ] {
            self.update(json!({ "sessionUpdate": "agent_message_chunk", "content": text(said) }))?;
        }
        say(&json!({ "jsonrpc": "2.0", "method": "_acp-check/said", "params": { "anything": [1, null] } }))?;
        // A method that no client has.
        self.ask("_acp-check/nothing", json!({})).map(drop)
    }

    /// Permission for a tool call.
    fn asks(&mut self) -> io::Result<()> {
        self.call("asks", "Ask for permission")?;
        let answer = self.ask("session/request_permission", permission("asks"))?;
        let is_allowed = matches!(answer, Some(Ok(result)) if result["outcome"]["optionId"] == "yes");
        self.ends("asks", if is_allowed { "completed" } else { "failed" })
    }

    /// Files: one that is there for certain, one that is not, and one that the agent writes.
    fn reads(&mut self) -> io::Result<()> {
        let path = |name: &str| format!("{}/{name}", self.cwd.trim_end_matches('/'));
        let (file, absent) = (path("acp-check.txt"), path("acp-check-has-no-such-file"));
        if self.client["fs"]["writeTextFile"] == true {
            let written = json!({ "sessionId": SESSION, "path": file, "content": "one\ntwo\nthree\n" });
            self.ask("fs/write_text_file", written)?;
        }
        if self.client["fs"]["readTextFile"] == true {
            self.ask("fs/read_text_file", json!({ "sessionId": SESSION, "path": absent }))?;
            self.ask("fs/read_text_file", json!({ "sessionId": SESSION, "path": file, "line": 2, "limit": 1 }))?;
        }
        Ok(())
    }

    /// A command in a terminal of the client.
    fn runs(&mut self) -> io::Result<()> {
        if self.client["terminal"] != true {
            return Ok(());
        }
        let command =
            json!({ "sessionId": SESSION, "command": "echo", "args": ["acp check"], "outputByteLimit": 1000 });
        let Some(Ok(created)) = self.ask("terminal/create", command)? else { return Ok(()) };
        let terminal = json!({ "sessionId": SESSION, "terminalId": created["terminalId"] });
        let call = json!([{ "type": "terminal", "terminalId": created["terminalId"] }]);
        self.call("runs", "Run a command")?;
        self.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "runs", "content": call }))?;
        for method in ["terminal/wait_for_exit", "terminal/output", "terminal/release"] {
            self.ask(method, terminal.clone())?;
        }
        self.ends("runs", "completed")
    }

    /// A form.
    fn fills_in(&mut self) -> io::Result<()> {
        if !self.client["elicitation"]["form"].is_object() {
            return Ok(());
        }
        let schema = json!({ "type": "object", "properties": { "name": { "type": "string", "title": "Name" } } });
        let form =
            json!({ "sessionId": SESSION, "mode": "form", "message": "Who are you?", "requestedSchema": schema });
        self.ask("elicitation/create", form).map(drop)
    }

    /// A request that is withdrawn at once: the client answers it nevertheless.
    fn withdraws(&mut self) -> io::Result<()> {
        self.call("withdrawn", "Ask, and change the mind")?;
        let id = self.send("session/request_permission", permission("withdrawn"))?;
        say(&json!({ "jsonrpc": "2.0", "method": "$/cancel_request", "params": { "requestId": id } }))?;
        self.answer_to(id)?;
        self.ends("withdrawn", "failed")
    }

    /// An option that the agent changes by itself.
    fn changes(&mut self) -> io::Result<()> {
        self.how = if self.how == "plain" { "fancy" } else { "plain" };
        self.update(json!({ "sessionUpdate": "config_option_update", "configOptions": self.options() }))
    }

    fn call(&mut self, id: &str, title: &str) -> io::Result<()> {
        self.update(json!({ "sessionUpdate": "tool_call", "toolCallId": id, "title": title, "status": "pending" }))
    }

    fn ends(&mut self, id: &str, status: &str) -> io::Result<()> {
        self.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": id, "status": status }))
    }

    fn update(&mut self, update: Value) -> io::Result<()> {
        let params = json!({ "sessionId": SESSION, "update": update });
        say(&json!({ "jsonrpc": "2.0", "method": "session/update", "params": params }))
    }

    fn send(&mut self, method: &str, params: Value) -> io::Result<u64> {
        let id = self.next;
        self.next += 1;
        say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        Ok(id)
    }

    /// Asks the client. `None` if it does not answer.
    fn ask(&mut self, method: &str, params: Value) -> io::Result<Option<Answer>> {
        let id = self.send(method, params)?;
        self.answer_to(id)
    }

    fn answer_to(&mut self, id: u64) -> io::Result<Option<Answer>> {
        loop {
            let line = match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => line,
                Err(error) => {
                    self.has_ended = error == RecvTimeoutError::Disconnected;
                    return Ok(None);
                }
            };
            let message = serde_json::from_str::<Value>(&line).unwrap_or_default();
            if message["method"].is_null() && message["id"] == id {
                let error = message.get("error").cloned();
                return Ok(Some(error.map_or_else(|| Ok(message["result"].clone()), Err)));
            }
            self.hears(&line)?;
        }
    }
}

fn text(said: &str) -> Value {
    json!({ "type": "text", "text": said })
}

fn permission(call: &str) -> Value {
    let option = |id: &str, name: &str, kind: &str| json!({ "optionId": id, "name": name, "kind": kind });
    let options = [option("yes", "Yes", "allow_once"), option("no", "No", "reject_once")];
    json!({ "sessionId": SESSION, "toolCall": { "toolCallId": call }, "options": options })
}

fn say(message: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{message}")?;
    out.flush()
}
