//! A client in its simplest form: an agent's process, and lines of JSON to and from it.
//!
//! Enough for the demo, and to see what a client does. It trusts the agent more than a real one should.

use std::{
    collections::VecDeque,
    io,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use acp_runtime::{
    Error, Result,
    schema::{
        Method,
        v1::{SessionNotification, methods},
    },
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

/// How long an agent may be silent, and how long it may take to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// What an agent sends.
#[derive(Debug)]
pub enum Event {
    /// `session/update`.
    Update(Box<SessionNotification>),
    /// A request of the agent, to be answered with [`Client::answer`].
    Asked {
        /// Repeated in the answer.
        id: Value,
        /// What is asked for.
        method: String,
        /// With what.
        params: Value,
    },
    /// The answer to a request of [`Client::request`].
    Answered {
        /// The request's.
        id: u64,
        /// Its result or its error.
        outcome: Result<Value>,
    },
}

/// The client's end of a connection.
#[derive(Debug)]
pub struct Client {
    agent: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    requests: u64,
    /// Events that came while an answer was waited for.
    early: VecDeque<Event>,
}

/// A line of the agent.
#[derive(Deserialize)]
struct Line {
    id: Option<Value>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    result: Option<Value>,
    error: Option<Error>,
}

impl Client {
    /// Starts an agent. It is killed when the client is dropped before [`hang_up`](Self::hang_up).
    ///
    /// # Errors
    ///
    /// The program cannot be started.
    pub fn start(mut program: Command) -> io::Result<Self> {
        let mut agent = program.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn()?;
        let (Some(input), Some(output)) = (agent.stdin.take(), agent.stdout.take()) else {
            return Err(io::Error::other("the agent's pipes are not there"));
        };
        Ok(Self { agent, input, output: BufReader::new(output).lines(), requests: 0, early: VecDeque::new() })
    }

    /// Sends a request and waits for its answer. What else comes meanwhile is left for [`next`](Self::next).
    ///
    /// # Errors
    ///
    /// The agent's error, an answer of another shape, or an agent that is gone or silent.
    pub async fn call<M: Method>(&mut self, params: &M::Params) -> Result<M::Response> {
        let request = self.request::<M>(params).await?;
        loop {
            match self.read().await? {
                Event::Answered { id, outcome } if id == request => return Ok(serde_json::from_value(outcome?)?),
                other => self.early.push_back(other),
            }
        }
    }

    /// Sends a request; [`Event::Answered`] with the returned id follows.
    ///
    /// # Errors
    ///
    /// The agent is gone.
    pub async fn request<M: Method>(&mut self, params: &M::Params) -> Result<u64> {
        self.requests += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.requests, "method": M::NAME, "params": params });
        self.write(&request).await?;
        Ok(self.requests)
    }

    /// Sends a notification.
    ///
    /// # Errors
    ///
    /// The agent is gone.
    pub async fn notify<M: Method>(&mut self, params: &M::Params) -> Result<()> {
        self.write(&json!({ "jsonrpc": "2.0", "method": M::NAME, "params": params })).await
    }

    /// Answers a request of the agent.
    ///
    /// # Errors
    ///
    /// The agent is gone.
    pub async fn answer<M: Method>(&mut self, id: Value, result: &M::Response) -> Result<()> {
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "result": result })).await
    }

    /// The next event.
    ///
    /// # Errors
    ///
    /// The agent is gone, silent, or sends what is no message.
    pub async fn next(&mut self) -> Result<Event> {
        match self.early.pop_front() {
            Some(event) => Ok(event),
            None => self.read().await,
        }
    }

    /// Closes the agent's input, and waits for it to end.
    ///
    /// # Errors
    ///
    /// It does not end; then it is killed.
    pub async fn hang_up(self) -> Result<ExitStatus> {
        let Self { mut agent, input, .. } = self;
        drop(input);
        match timeout(PATIENCE, agent.wait()).await {
            Ok(status) => Ok(status?),
            Err(_) => Err(Error::internal_error("the agent did not end when its input was closed")),
        }
    }

    async fn write(&mut self, message: &Value) -> Result<()> {
        self.input.write_all(format!("{message}\n").as_bytes()).await?;
        Ok(self.input.flush().await?)
    }

    async fn read(&mut self) -> Result<Event> {
        let silent = |_| Error::internal_error("the agent is silent");
        let gone = || Error::internal_error("the agent is gone");
        let line = timeout(PATIENCE, self.output.next_line()).await.map_err(silent)??.ok_or_else(gone)?;
        event(serde_json::from_str(&line)?)
    }
}

fn event(line: Line) -> Result<Event> {
    let unexpected = || Error::internal_error("the agent sent what this client does not expect");
    match line {
        Line { id: Some(id), method: Some(method), params, .. } => Ok(Event::Asked { id, method, params }),
        Line { id: None, method: Some(method), params, .. } if method == methods::SessionUpdate::NAME => {
            Ok(Event::Update(Box::new(serde_json::from_value(params)?)))
        }
        Line { id: Some(id), method: None, result, error, .. } => {
            let outcome = match error {
                Some(error) => Err(error),
                None => Ok(result.unwrap_or_default()),
            };
            Ok(Event::Answered { id: id.as_u64().ok_or_else(unexpected)?, outcome })
        }
        _ => Err(unexpected()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &Value) -> Result<Event> {
        event(serde_json::from_value(line.clone()).unwrap())
    }

    #[test]
    fn lines_are_told_apart() {
        let update = json!({ "sessionUpdate": "current_mode_update", "currentModeId": "ask" });
        let update =
            json!({ "jsonrpc": "2.0", "method": "session/update", "params": { "sessionId": "s", "update": update } });
        assert!(matches!(read(&update), Ok(Event::Update(_))));
        assert!(matches!(read(&json!({ "id": "x", "method": "m" })), Ok(Event::Asked { id, .. }) if id == "x"));
        assert!(matches!(read(&json!({ "id": 1, "result": null })), Ok(Event::Answered { id: 1, outcome: Ok(_) })));
        let refused = read(&json!({ "id": 1, "error": { "code": 7, "message": "m" } }));
        assert!(matches!(refused, Ok(Event::Answered { outcome: Err(error), .. }) if error.code() == 7));
        assert!(read(&json!({ "method": "unknown" })).is_err());
        assert!(read(&json!({ "id": "not ours", "result": 1 })).is_err());
    }
}
