//! A client without any SDK: it exchanges lines of JSON with the agent over stdin and stdout. It reads the agent's
//! memory and processor time from `/proc`, so it runs on Linux only.

use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use crate::{Result, agents::Agent};

/// A running agent. The drop kills it.
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    line: Vec<u8>,
    out: Vec<u8>,
    next_id: u64,
    pub notifications: u64,
    /// The time of the first notification, unless a case has reset it.
    pub first: Option<Instant>,
}

/// The members of a message that the client reads. It skips the other members.
#[derive(Deserialize)]
struct Received<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    method: Option<&'a str>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

impl Client {
    pub fn start(agent: &Agent) -> Result<Self> {
        Self::start_with(agent, &[])
    }

    /// Starts an agent with further arguments.
    pub fn start_with(agent: &Agent, args: &[&str]) -> Result<Self> {
        let mut child = Command::new(&agent.program)
            .args(agent.args)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or("no stdout")?;
        let stdout = BufReader::with_capacity(1 << 20, stdout);
        let (line, out) = (Vec::new(), Vec::new());
        let mut client = Self { child, stdin, stdout, line, out, next_id: 0, notifications: 0, first: None };
        client.call(
            "initialize",
            json!({
                "protocolVersion": 1,
                "clientCapabilities": {"session": {"configOptions": {"boolean": {}}}},
                "clientInfo": {"name": "bench", "version": "0.1.0"},
            }),
        )?;
        Ok(client)
    }

    /// Sends a request and returns its id. Each figure contains the time that the generator needs for a message. So
    /// callers serialise `params` once if they send them often.
    pub fn send(&mut self, method: &str, params: impl Display) -> Result<u64> {
        self.next_id += 1;
        self.out.clear();
        let id = self.next_id;
        writeln!(self.out, r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)?;
        let stdin = self.stdin.as_mut().ok_or("stdin is closed")?;
        stdin.write_all(&self.out)?;
        Ok(id)
    }

    /// Sends a line unchanged. If the line has an id, the caller knows it.
    pub fn send_line(&mut self, line: &[u8]) -> Result<()> {
        Ok(self.stdin.as_mut().ok_or("stdin is closed")?.write_all(line)?)
    }

    /// Reads up to the next answer and counts notifications. An error answer is an error here, because figures are for
    /// successful answers only.
    pub fn receive(&mut self) -> Result<(u64, &str)> {
        loop {
            self.line.clear();
            if self.stdout.read_until(b'\n', &mut self.line)? == 0 {
                return Err("the agent closed its stdout".into());
            }
            let message: Received<'_> = serde_json::from_slice(&self.line)?;
            if message.method.is_some() {
                self.notifications += 1;
                self.first.get_or_insert_with(Instant::now);
                continue;
            }
            if let Some(error) = message.error {
                return Err(format!("the agent answered {error}").into());
            }
            let id = message.id.ok_or("an answer without an id")?;
            // The result is found again by its place, because a borrow across the loop would hold the line.
            let result = message.result.ok_or("an answer without a result")?.get();
            let start = result.as_ptr().addr() - self.line.as_ptr().addr();
            let place = start..start + result.len();
            return Ok((id, std::str::from_utf8(&self.line[place])?));
        }
    }

    /// Sends a request and waits for its answer.
    pub fn call(&mut self, method: &str, params: impl Display) -> Result<&str> {
        let id = self.send(method, params)?;
        match self.receive()? {
            (answered, result) if answered == id => Ok(result),
            _ => Err("an answer to another request".into()),
        }
    }

    /// Takes stdin, so that another thread can write to it.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.stdin.take()
    }

    pub fn new_session(&mut self) -> Result<Value> {
        Ok(serde_json::from_str(self.call("session/new", json!({"cwd": "/", "mcpServers": []}))?)?)
    }

    /// Current memory, MiB.
    pub fn resident(&self) -> Result<f64> {
        self.status("VmRSS:")
    }

    /// Highest memory, MiB.
    pub fn peak(&self) -> Result<f64> {
        self.status("VmHWM:")
    }

    fn status(&self, key: &str) -> Result<f64> {
        status(self.child.id(), key)
    }

    /// Processor time of the agent's threads, in microseconds.
    pub fn cpu(&self) -> Result<f64> {
        cpu(self.child.id())
    }
}

/// Memory of a process, MiB.
pub fn status(process: u32, key: &str) -> Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    let kib: f64 = line.and_then(|line| line.split_whitespace().next()).ok_or("no memory in /proc")?.parse()?;
    Ok(kib / 1024.0)
}

/// Processor time of a process's threads, in microseconds.
pub fn cpu(process: u32) -> Result<f64> {
    let mut nanoseconds = 0.0;
    for task in std::fs::read_dir(format!("/proc/{process}/task"))? {
        let schedule = std::fs::read_to_string(task?.path().join("schedstat"))?;
        nanoseconds += schedule.split_whitespace().next().ok_or("no time in /proc")?.parse::<f64>()?;
    }
    Ok(nanoseconds / 1e3)
}

impl Drop for Client {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The option that the generator sets to two values in turn: the first select that has two values.
pub struct Toggle {
    pub session: String,
    config: String,
    values: [String; 2],
}

impl Toggle {
    pub fn of(session: &Value) -> Result<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let options = session["configOptions"].as_array().ok_or("no options")?;
        for option in options {
            let values: Vec<String> =
                option["options"].as_array().into_iter().flatten().filter_map(|value| text(&value["value"])).collect();
            if let [first, second, ..] = values.as_slice() {
                let (session, config) = (text(&session["sessionId"]), text(&option["id"]));
                let (session, config) = (session.ok_or("no session")?, config.ok_or("no option")?);
                return Ok(Self { session, config, values: [first.clone(), second.clone()] });
            }
        }
        Err("no select with two values".into())
    }

    pub fn params(&self, session: &str, turn: usize) -> Value {
        json!({"sessionId": session, "configId": self.config, "value": self.values[turn % 2]})
    }

    /// Sets the option, and checks that the full state came back with the new value.
    pub fn check(&self, client: &mut Client, turn: usize) -> Result<()> {
        let answer = client.call("session/set_config_option", self.params(&self.session, turn))?;
        let answer: Value = serde_json::from_str(answer)?;
        let options = answer["configOptions"].as_array().ok_or("no state in the answer")?;
        let set = options.iter().find(|option| option["id"] == *self.config).ok_or("the option is missing")?;
        if options.len() != 3 || set["currentValue"] != *self.values[turn % 2] {
            return Err("the answer is not the full new state".into());
        }
        Ok(())
    }
}

/// An agent with one session, and an option of this session that can be set.
pub fn ready(agent: &Agent) -> Result<(Client, Toggle)> {
    ready_with(agent, &[])
}

/// The same, with further arguments.
pub fn ready_with(agent: &Agent, args: &[&str]) -> Result<(Client, Toggle)> {
    let mut client = Client::start_with(agent, args)?;
    let toggle = Toggle::of(&client.new_session()?)?;
    for turn in 0..200 {
        toggle.check(&mut client, turn)?;
    }
    Ok((client, toggle))
}
