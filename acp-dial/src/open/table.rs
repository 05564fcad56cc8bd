//! The table of what is open, as messages leave and arrive.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use acp_peer::wire::envelope::Incoming;
use bytes::Bytes;
use serde_json::value::RawValue;
use tokio::sync::Notify;

use super::{
    begin::{self, Begin},
    sessions::{Sessions, in_force, state},
};
use crate::{
    durable::{self, Control},
    message::{Kind, Message, key, params_of, session_of},
    names::{BEGIN, END_SESSION, INITIALIZE, PROMPT, REPLAY, UPDATE},
};

#[derive(Default)]
pub(crate) struct Open {
    table: Mutex<Table>,
    /// A session was resumed, or was not.
    resumed: Notify,
    /// Whether the agent says what sessions do: it does from version 2 on.
    tells_states: AtomicBool,
}

#[derive(Default)]
pub(super) struct Table {
    pub(super) begin: Option<Begin>,
    pub(super) asked: HashMap<Box<str>, Asked>,
    pub(super) questions: HashMap<Box<str>, Question>,
    /// Questions of lost connections that the client has not answered yet, and how many have this key.
    pub(super) void: HashMap<Box<str>, usize>,
    /// Messages that have surely not reached the server, in their order.
    pub(super) unsent: BTreeMap<u64, Message>,
    /// How many messages have left, and requests of this side among them.
    pub(super) count: u64,
    pub(super) sessions: Sessions,
}

/// A request of the client that is not answered.
pub(super) struct Asked {
    method: Box<str>,
    session: Option<Box<str>>,
    /// The request, if it begins the connection or opens a session.
    message: Option<Message>,
    /// The request's id, as it was written.
    pub(super) id: Box<str>,
    /// It is one of this side, and the client knows nothing of it.
    pub(super) is_own: bool,
    /// The server says that the agent has it.
    is_delivered: bool,
}

/// A question of the agent that is not answered.
pub(super) struct Question {
    session: Option<Box<str>>,
    /// Its id, as it was written.
    pub(super) id: Box<str>,
}

/// A message on its way to the server.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Leaving {
    /// The session that it is about.
    pub(crate) session: Option<Box<str>>,
    /// Its place among all.
    pub(crate) number: u64,
}

/// What follows from a message of the agent.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Learnt {
    /// The method of the request that it answers.
    pub(crate) method: Option<Box<str>>,
    /// The session that it opens.
    pub(crate) opened: Option<Box<str>>,
    /// The session that cannot be loaded.
    pub(crate) refused: Option<Box<str>>,
    /// The session that the request was about.
    pub(crate) about: Option<Box<str>>,
    /// The session whose prompt it answers: the agent has it.
    pub(crate) prompted: Option<Box<str>>,
    /// The session that it ends.
    pub(crate) ended: Option<Box<str>>,
    /// The session whose history comes before it.
    pub(crate) behind: Option<Box<str>>,
    /// It is none of the protocol, but of the transport; with the reason if it says that the connection cannot go on.
    pub(crate) control: Option<Option<String>>,
    /// What the client is told in its place: it answers a request of this side.
    pub(crate) instead: Option<Vec<Bytes>>,
}

impl Open {
    /// The agent has answered `initialize`; `None` with an error.
    ///
    /// # Errors
    ///
    /// This is not the first connection, and the agent refuses, or speaks another version than before.
    pub(crate) fn begins(&self, request: &Message, result: Option<&RawValue>) -> Result<(), String> {
        self.begins_in(&mut self.table(), request, result)
    }

    fn begins_in(&self, table: &mut Table, request: &Message, result: Option<&RawValue>) -> Result<(), String> {
        begin::answered(&mut table.begin, request, result)?;
        let tells_states = table.begin.as_ref().is_some_and(Begin::tells_states);
        self.tells_states.store(tells_states, Ordering::Relaxed);
        Ok(())
    }

    /// A message leaves. `None` if nobody waits for it any more.
    pub(crate) fn leaves(&self, message: &Message) -> Option<Leaving> {
        let mut table = self.table();
        let session = match &message.kind {
            Kind::Request { id, method } => {
                let asked = Asked {
                    method: method.clone(),
                    session: message.session.clone(),
                    message: BEGIN.contains(&&**method).then(|| message.clone()),
                    id: id.clone(),
                    is_own: message.is_own,
                    is_delivered: false,
                };
                message.asks().and_then(|key| table.asked.insert(key, asked));
                message.session.clone()
            }
            Kind::Notification { withdrawn: Some(key), .. } => {
                table.asked.get(key).and_then(|asked| asked.session.clone())
            }
            Kind::Notification { .. } => message.session.clone(),
            Kind::Answer { key } => table.answers(key)?,
        };
        table.count += 1;
        let number = table.count;
        table.unsent.insert(number, message.clone());
        Some(Leaving { session, number })
    }

    /// A message is being sent: from here on, it may reach the server. Or it will not be sent.
    pub(crate) fn sends(&self, number: u64) {
        self.table().unsent.remove(&number);
    }

    /// The server has surely not got the message, unless it has answered it.
    pub(crate) fn did_not_send(&self, number: u64, message: &Message) {
        let mut table = self.table();
        if message.asks().is_none_or(|key| table.asked.contains_key(&key)) {
            table.unsent.insert(number, message.clone());
        }
    }

    /// A message of the agent has come, over the stream of this session.
    pub(crate) fn arrives(&self, message: &[u8], stream: Option<&str>) -> Learnt {
        match Incoming::read(message) {
            Incoming::Request { id, params, .. } => {
                let session = session_of(params).or_else(|| stream.map(Into::into));
                self.table().questions.insert(key(id), Question { session, id: id.get().into() });
                Learnt::default()
            }
            Incoming::Response { id, outcome } => self.answered(id, outcome.ok()),
            Incoming::Bare { id } => self.answered(id, None),
            Incoming::Notification { method, params } => match durable::control(&method, params) {
                Some(Control::Resumed(prompt)) => {
                    let mut table = self.table();
                    if let Some(asked) = prompt.and_then(|id| table.asked.get_mut(&key(&id))) {
                        asked.is_delivered = true;
                    }
                    Learnt { control: Some(None), ..Learnt::default() }
                }
                Some(Control::Failed(why)) => Learnt { control: Some(Some(why)), ..Learnt::default() },
                None => {
                    if self.tells_states.load(Ordering::Relaxed)
                        && method == UPDATE
                        && let Some((session, works)) = state(params)
                    {
                        self.table().sessions.works(session, works);
                    }
                    Learnt::default()
                }
            },
            _ => Learnt::default(),
        }
    }

    fn answered(&self, id: &RawValue, result: Option<&RawValue>) -> Learnt {
        let mut table = self.table();
        let Some(Asked { method, session, message, is_own, .. }) = table.asked.remove(&key(id)) else {
            return Learnt::default();
        };
        let (replays, ends) = (REPLAY.contains(&&*method), END_SESSION.contains(&&*method));
        let prompted = session.clone().filter(|_| &*method == PROMPT && result.is_some());
        let new = session_of(result).filter(|new| Some(new) != session.as_ref());
        let learnt = Learnt {
            opened: new.or_else(|| session.clone().filter(|_| replays && result.is_some())),
            refused: session.clone().filter(|_| replays && result.is_none()),
            ended: session.clone().filter(|_| ends && result.is_some()),
            about: session.clone(),
            prompted,
            behind: session.filter(|_| replays && !is_own),
            method: Some(method),
            control: None,
            instead: is_own.then(Vec::new),
        };
        let Some(message) = message else {
            if let Some(session) = learnt.prompted.clone().filter(|_| self.tells_states.load(Ordering::Relaxed)) {
                table.sessions.works(session, true);
            }
            table.learns(&learnt, None);
            return learnt;
        };
        if message.method() == INITIALIZE {
            return match self.begins_in(&mut table, &message, result) {
                Ok(()) => learnt,
                Err(why) => Learnt { control: Some(Some(why)), ..learnt },
            };
        }
        table.learns(&learnt, params_of(&message.bytes));
        match (learnt.opened.as_deref().or(learnt.refused.as_deref()), result) {
            (Some(session), result) if is_own => {
                table.sessions.is_tried(session, &self.resumed);
                let instead = Some(result.map(|result| in_force(session, result)).unwrap_or_default());
                Learnt { instead, ..learnt }
            }
            _ => learnt,
        }
    }

    /// Whether a request is not answered yet, and nothing says that the agent has it.
    pub(crate) fn is_in_doubt(&self, key: &str) -> bool {
        self.table().asked.get(key).is_some_and(|asked| !asked.is_delivered)
    }

    /// No answer to a request comes any more. Returns whether the client waits for one.
    pub(crate) fn forget(&self, key: &str) -> bool {
        let mut table = self.table();
        let Some(Asked { session, is_own, .. }) = table.asked.remove(key) else { return false };
        if let Some(session) = session.filter(|_| is_own) {
            table.sessions.is_tried(&session, &self.resumed);
        }
        !is_own
    }

    /// Whether a request about the session is not answered.
    pub(crate) fn is_asked_about(&self, session: &str) -> bool {
        self.table().asked.values().any(|asked| asked.session.as_deref() == Some(session))
    }

    /// Waits until the session of a lost connection is resumed in this one, or cannot be.
    pub(crate) async fn resumed(&self, session: &str) {
        loop {
            let resumed = self.resumed.notified();
            tokio::pin!(resumed);
            resumed.as_mut().enable();
            if !self.table().sessions.is_resuming(session) {
                return;
            }
            resumed.await;
        }
    }

    pub(super) fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// The client answers a question. Returns its session; `None` if it is one of a lost connection.
    fn answers(&mut self, key: &str) -> Option<Option<Box<str>>> {
        if let Some(count) = self.void.get_mut(key) {
            *count -= 1;
            if *count == 0 {
                self.void.remove(key);
            }
            return None;
        }
        Some(self.questions.remove(key).and_then(|question| question.session))
    }

    fn learns(&mut self, learnt: &Learnt, params: Option<&RawValue>) {
        if let Some(session) = &learnt.opened {
            self.sessions.enter(session, params);
        }
        for session in [&learnt.ended, &learnt.refused].into_iter().flatten() {
            self.sessions.leave(session);
        }
    }
}
