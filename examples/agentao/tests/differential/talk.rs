//! A conversation with one of the two agents, and what is seen of it: fields by their places, without what each run has anew.

use std::{collections::BTreeMap, path::Path, process::Stdio, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

/// The fields of messages, by their places.
pub(crate) type Seen = BTreeMap<String, Value>;

/// A step of the conversation. In its params, `$s` is the session, and `$cwd` its folder.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// Requests, one after the other; the place of a field says which one it is.
    pub(crate) requests: Vec<(&'static str, Value)>,
    /// What the client does during the first request.
    pub(crate) meanwhile: Meanwhile,
}

/// What the client does while a request is open.
pub(crate) enum Meanwhile {
    /// It answers questions with these results, by their methods.
    Reply(Vec<(&'static str, Value)>),
    /// At the first text, it makes these requests, and then cancels.
    CancelAtText(Vec<(&'static str, Value)>),
    /// It cancels instead of an answer to the first question.
    CancelAtQuestion,
}

pub(crate) struct Agent {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    cwd: String,
    /// The ids of sessions and calls, in the order of their appearance.
    ids: Vec<String>,
    session: String,
    last: u64,
}

impl Agent {
    pub(crate) fn start(mut command: Command, cwd: &Path) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true).current_dir(cwd);
        let mut child = command.spawn().expect("it starts");
        let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let cwd = cwd.to_str().expect("a text").to_owned();
        let (ids, session) = Default::default();
        Self { child, input, output: BufReader::new(output).lines(), cwd, ids, session, last: 0 }
    }

    /// Goes on with the session of an earlier process.
    pub(crate) fn going_on(mut self, session: &str) -> Self {
        session.clone_into(&mut self.session);
        self.ids.push(self.session.clone());
        self
    }

    /// Hangs up, and waits for the end of the process. Returns its session.
    pub(crate) async fn end(self) -> String {
        let Self { mut child, input, mut output, session, .. } = self;
        drop(input);
        while let Ok(Some(_)) = output.next_line().await {}
        timeout(Duration::from_secs(60), child.wait()).await.expect("it ends").expect("it has a status");
        session
    }

    async fn send(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).await.expect("it reads");
    }

    async fn request(&mut self, method: &str, params: &Value) -> u64 {
        self.last += 1;
        let params: Value =
            serde_json::from_str(&params.to_string().replace("$cwd", &self.cwd).replace("$s", &self.session))
                .expect("it is JSON");
        let request = json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.send(&request.to_string()).await;
        self.last
    }

    async fn next(&mut self) -> Value {
        let line = timeout(Duration::from_secs(60), self.output.next_line()).await.expect("a message in time");
        serde_json::from_str(&line.expect("text").expect("the agent is there")).expect("JSON")
    }

    async fn cancel(&mut self) {
        let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": self.session } });
        self.send(&cancel.to_string()).await;
    }

    /// Sends a line that may be no message, and sees the answer.
    pub(crate) async fn line(&mut self, name: &str, line: &str, seen: &mut Seen) {
        self.send(line).await;
        let mut answer = self.next().await;
        self.see(&format!("{name}/answer"), &mut answer, seen);
    }

    /// Makes the requests of a step, and sees all messages.
    pub(crate) async fn play(&mut self, step: &Step, seen: &mut Seen) {
        let mut told = Vec::new();
        for (at, (method, params)) in step.requests.iter().enumerate() {
            let id = self.request(method, params).await;
            let mut open = vec![(id, format!("{} {at}/answer", step.name))];
            let mut is_cancelled = at > 0;
            while !open.is_empty() {
                let mut message = self.next().await;
                if let Some(name) = message["method"].as_str().map(str::to_owned) {
                    let is_text = message["params"]["update"]["sessionUpdate"] == "agent_message_chunk";
                    match &step.meanwhile {
                        Meanwhile::CancelAtText(beside) if is_text && !is_cancelled => {
                            is_cancelled = true;
                            for (number, (method, params)) in beside.iter().enumerate() {
                                let id = self.request(method, params).await;
                                open.push((id, format!("{} beside {number}/answer", step.name)));
                            }
                            // The answers come before the end of the turn.
                            tokio::time::sleep(Duration::from_millis(200)).await;
                            self.cancel().await;
                        }
                        Meanwhile::CancelAtQuestion if !message["id"].is_null() => {
                            self.cancel().await;
                            let cancelled = json!({ "outcome": { "outcome": "cancelled" } });
                            self.send(
                                &json!({ "jsonrpc": "2.0", "id": message["id"], "result": cancelled }).to_string(),
                            )
                            .await;
                        }
                        Meanwhile::Reply(replies) if !message["id"].is_null() => {
                            let reply = replies.iter().find(|(method, _)| *method == name);
                            let reply = reply.map_or(Value::Null, |(_, reply)| chosen(reply, &message["params"]));
                            self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": reply }).to_string())
                                .await;
                        }
                        _ => {}
                    }
                    told.push(message);
                    continue;
                }
                let Some(place) = open.iter().position(|(id, _)| message["id"] == *id) else { continue };
                if self.session.is_empty()
                    && let Some(id) = message["result"]["sessionId"].as_str()
                {
                    self.session = id.to_owned();
                }
                let (_, name) = open.remove(place);
                self.see(&name, &mut message, seen);
            }
        }
        self.see_told(step, told, seen);
    }

    /// Sees notifications and questions by their kinds. Pieces of a text are one text.
    fn see_told(&mut self, step: &Step, told: Vec<Value>, seen: &mut Seen) {
        let mut joined: Vec<(String, Value)> = Vec::new();
        for mut message in told {
            let update = message["params"]["update"].take();
            let (kind, content) = match update["sessionUpdate"].as_str() {
                // The status of a call is a part of its kind.
                Some(kind) => (format!("{kind} {}", update["status"].as_str().unwrap_or_default()), update.clone()),
                None => (message["method"].as_str().unwrap_or_default().to_owned(), message["params"].take()),
            };
            let kind = kind.trim_end().to_owned();
            match joined.last_mut() {
                Some((last, before)) if *last == kind && kind.ends_with("_chunk") => {
                    let text = |of: &Value| of["content"]["text"].as_str().unwrap_or_default().to_owned();
                    before["content"]["text"] = json!(text(before) + &text(&content));
                }
                _ => joined.push((kind, content)),
            }
        }
        if matches!(step.meanwhile, Meanwhile::CancelAtText(_)) {
            // The length of the text is a matter of time.
            joined.iter_mut().for_each(|(_, content)| content["content"]["text"] = json!("$text"));
        }
        let order: Vec<&str> = joined.iter().map(|(kind, _)| kind.as_str()).collect();
        seen.insert(format!("{}/order", step.name), json!(order.join(", ")));
        let mut counts = BTreeMap::<String, usize>::new();
        for (kind, mut content) in joined {
            let count = counts.entry(kind.clone()).or_default();
            *count += 1;
            self.see(&format!("{}/{kind} {count}", step.name), &mut content, seen);
        }
    }

    /// Adds the fields of a value, by their places.
    fn see(&mut self, place: &str, value: &mut Value, seen: &mut Seen) {
        match value {
            Value::Object(object) => {
                for (key, value) in object.iter_mut() {
                    match key.as_str() {
                        "jsonrpc" => {}
                        // The wording is not compared.
                        "message" => drop(seen.insert(format!("{place}/message"), json!(value.is_string()))),
                        "id" if place.ends_with("/answer") => {
                            drop(seen.insert(format!("{place}/id"), json!(value.is_null())))
                        }
                        "sessionId" | "toolCallId" => {
                            let id = value.as_str().unwrap_or_default().to_owned();
                            let known = self.ids.iter().position(|known| *known == id);
                            let number = known.unwrap_or_else(|| {
                                self.ids.push(id);
                                self.ids.len() - 1
                            });
                            // Agentao's model gives the ids of calls, and repeats them.
                            let shown = if key == "sessionId" { json!(number) } else { json!("$call") };
                            seen.insert(format!("{place}/{key}"), shown);
                        }
                        key => self.see(&format!("{place}/{key}"), value, seen),
                    }
                }
            }
            Value::Array(items) => {
                for (at, item) in items.iter_mut().enumerate() {
                    self.see(&format!("{place}/{at}"), item, seen);
                }
                if items.is_empty() {
                    seen.insert(place.to_owned(), json!([]));
                }
            }
            Value::String(text) => drop(seen.insert(place.to_owned(), json!(text.replace(&self.cwd, "$cwd")))),
            other => drop(seen.insert(place.to_owned(), other.clone())),
        }
    }
}

/// A reply; `{"choose": KIND}` is the option of this kind.
fn chosen(reply: &Value, params: &Value) -> Value {
    let Some(kind) = reply.get("choose") else { return reply.clone() };
    let options = params["options"].as_array().map(Vec::as_slice).unwrap_or_default();
    let option = options.iter().find(|option| option["kind"] == *kind).expect("there is such an option");
    json!({ "outcome": { "outcome": "selected", "optionId": option["optionId"] } })
}
