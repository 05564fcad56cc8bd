//! Plays beats to a live client: finds the beat of each of its messages, and gives what was said the ids of this conversation.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    time::Duration,
};

use serde_json::{Value, json};

use super::beats::{Beats, Cue, cue};
use crate::playing::{answer, error};

/// A message for the client.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) message: Value,
    pub(super) pause: Option<Duration>,
    /// It answers a request of this method.
    pub(super) answers: Option<String>,
    /// The session of that request.
    pub(super) session: Option<String>,
}

pub(super) struct Player {
    beats: Beats,
    real_time: bool,
    /// The beats that were played.
    played: HashSet<usize>,
    /// The live id of each request of the recording that the client has sent, with its method and session.
    asked: HashMap<String, Asked>,
    /// Answers of the recording that came before their live request.
    early: HashMap<String, Value>,
    /// The live requests that are not answered.
    open: BTreeMap<String, Asked>,
    /// The sessions of the recording, by their live names.
    sessions: HashMap<String, String>,
    /// The id of the agent's request in the recording, by the live one.
    requests: HashMap<String, Value>,
    next_request: u64,
    /// The sessions of version 2 that work, by their live names.
    at_work: HashSet<String>,
}

#[derive(Clone, Debug)]
struct Asked {
    id: Value,
    method: String,
    session: Option<String>,
}

impl Player {
    pub(super) fn new(beats: Beats, real_time: bool) -> Self {
        Self {
            beats,
            real_time,
            played: HashSet::new(),
            asked: HashMap::new(),
            early: HashMap::new(),
            open: BTreeMap::new(),
            sessions: HashMap::new(),
            requests: HashMap::new(),
            next_request: 0,
            at_work: HashSet::new(),
        }
    }

    /// What the agent says to a line of the client.
    pub(super) fn answers(&mut self, line: &str) -> Vec<Message> {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            return vec![plain(error(&Value::Null, -32700, "this line is no JSON"))];
        };
        match cue(&message) {
            None => vec![plain(error(&Value::Null, -32600, "this is no message"))],
            Some(Cue::Request { method, id, params }) => self.request(method, id, &params),
            Some(Cue::Notification { method }) => self.notification(&method, &message["params"]),
            Some(Cue::Answer { id }) => self.answer(&id),
        }
    }

    fn request(&mut self, method: String, id: Value, params: &Value) -> Vec<Message> {
        let is_method = |cue: &Cue| matches!(cue, Cue::Request { method: recorded, .. } if *recorded == method);
        let Some(at) = self.next(is_method) else {
            let text = format!("the recording has no `{method}`");
            return vec![Message { answers: Some(method), ..plain(error(&id, -32601, &text)) }];
        };
        let session = params["sessionId"].as_str().map(ToOwned::to_owned);
        let asked = Asked { id: id.clone(), method, session: session.clone() };
        self.open.insert(id.to_string(), asked.clone());
        let Cue::Request { id: recorded, params: then, .. } = &self.beats.0[at].cue else { return Vec::new() };
        let recorded = recorded.to_string();
        // A client may open a session by a name of its own.
        if let (Some(live), Some(then)) = (session, then["sessionId"].as_str())
            && live != then
        {
            self.sessions.insert(then.to_owned(), live);
        }
        self.asked.insert(recorded.clone(), asked);
        let mut said = self.play(at);
        if let Some(early) = self.early.remove(&recorded) {
            said.extend(self.live(early, None));
        }
        said
    }

    fn notification(&mut self, method: &str, params: &Value) -> Vec<Message> {
        let is_method = |cue: &Cue| matches!(cue, Cue::Notification { method: recorded } if recorded == method);
        let mut said = self.next_unplayed(is_method).map(|at| self.play(at)).unwrap_or_default();
        // An agent ends what is cancelled, also where nobody cancelled it in the recording.
        if let ("session/cancel", Some(session)) = (method, params["sessionId"].as_str()) {
            if self.at_work.remove(session) {
                let update = json!({ "sessionUpdate": "state_update", "state": "idle", "stopReason": "cancelled" });
                let params = json!({ "sessionId": session, "update": update });
                said.push(plain(json!({ "jsonrpc": "2.0", "method": "session/update", "params": params })));
            }
            let is_cancelled =
                |asked: &Asked| asked.method == "session/prompt" && asked.session.as_deref() == Some(session);
            let cancelled: Vec<_> = self.open.values().filter(|asked| is_cancelled(asked)).cloned().collect();
            for Asked { id, method, .. } in cancelled {
                self.open.remove(&id.to_string());
                let message = answer(&id, json!({ "stopReason": "cancelled" }));
                said.push(Message { answers: Some(method), ..plain(message) });
            }
        }
        said
    }

    fn answer(&mut self, id: &Value) -> Vec<Message> {
        let Some(recorded) = self.requests.remove(&id.to_string()) else { return Vec::new() };
        let is_answer = |cue: &Cue| matches!(cue, Cue::Answer { id } if *id == recorded);
        self.next_unplayed(is_answer).map(|at| self.play(at)).unwrap_or_default()
    }

    /// The next beat of this kind that was not played; else the last one.
    fn next(&self, is_it: impl Fn(&Cue) -> bool) -> Option<usize> {
        self.next_unplayed(&is_it).or_else(|| self.beats.0.iter().rposition(|beat| is_it(&beat.cue)))
    }

    fn next_unplayed(&self, is_it: impl Fn(&Cue) -> bool) -> Option<usize> {
        self.beats.0.iter().enumerate().position(|(at, beat)| !self.played.contains(&at) && is_it(&beat.cue))
    }

    fn play(&mut self, at: usize) -> Vec<Message> {
        self.played.insert(at);
        let said = self.beats.0[at].said.clone();
        said.into_iter().flat_map(|said| self.live(said.message, Some(said.pause))).collect()
    }

    /// A message of the recording for the live client. `None` if it answers what the client has not asked yet.
    fn live(&mut self, mut message: Value, pause: Option<Duration>) -> Option<Message> {
        let pause = pause.filter(|pause| self.real_time && !pause.is_zero());
        let (mut answers, mut session) = (None, None);
        match (message.get("method").is_some(), message.get("id").cloned()) {
            (true, Some(recorded)) => {
                let live = json!(self.next_request);
                self.next_request += 1;
                self.requests.insert(live.to_string(), recorded);
                message["id"] = live;
            }
            (false, Some(recorded)) if !recorded.is_null() => {
                let Some(asked) = self.asked.get(&recorded.to_string()) else {
                    self.early.insert(recorded.to_string(), message);
                    return None;
                };
                // A cancel may have answered it.
                self.open.remove(&asked.id.to_string())?;
                (message["id"], answers) = (asked.id.clone(), Some(asked.method.clone()));
                session.clone_from(&asked.session);
            }
            _ => {}
        }
        self.rename(&mut message);
        self.is_told(&message);
        Some(Message { message, pause, answers, session })
    }

    /// On version 2, updates tell whether a session works.
    fn is_told(&mut self, message: &Value) {
        let (session, update) = (&message["params"]["sessionId"], &message["params"]["update"]);
        if let (Some(session), "state_update") =
            (session.as_str(), update["sessionUpdate"].as_str().unwrap_or_default())
        {
            if update["state"] == "idle" {
                self.at_work.remove(session);
            } else {
                self.at_work.insert(session.to_owned());
            }
        }
    }

    /// Gives sessions their live names.
    fn rename(&self, value: &mut Value) {
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    match value {
                        Value::String(id) if name == "sessionId" => {
                            if let Some(live) = self.sessions.get(id) {
                                id.clone_from(live);
                            }
                        }
                        value => self.rename(value),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.rename(item)),
            _ => {}
        }
    }
}

fn plain(message: Value) -> Message {
    Message { message, pause: None, answers: None, session: None }
}
