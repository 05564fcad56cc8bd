//! What the tasks of a connection share: the open requests of both sides, the messages that arrive, and the end.

use std::{
    collections::HashMap,
    io,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use acp_peer::{
    CancellationToken, TARGET,
    transport::{Frame, Outbox, Receive},
    wire::envelope::Incoming,
};
use bytes::Bytes;
use serde_json::value::RawValue;
use tokio::time::{Instant, sleep_until};

use crate::{
    durable::{self, Control},
    message::{Kind, Message, key, session_of},
    names::{END_SESSION, REPLAY},
};

/// The open requests of both sides.
#[derive(Default)]
pub(crate) struct Open(Mutex<Table>);

#[derive(Default)]
struct Table {
    asked: HashMap<Box<str>, Asked>,
    /// The sessions of the agent's questions.
    questions: HashMap<Box<str>, Box<str>>,
}

/// A request of the client that is not answered.
struct Asked {
    method: Box<str>,
    session: Option<Box<str>>,
    /// The server says that the agent has it.
    is_delivered: bool,
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
    /// The session that it ends.
    pub(crate) ended: Option<Box<str>>,
    /// The session whose history comes before it.
    pub(crate) behind: Option<Box<str>>,
    /// It is none of the protocol, but of the transport; with the reason if it says that the connection cannot go on.
    pub(crate) control: Option<Option<String>>,
}

impl Open {
    /// A message leaves. Returns the session that it is about.
    pub(crate) fn leaves(&self, message: &Message) -> Option<Box<str>> {
        let mut table = self.table();
        match &message.kind {
            Kind::Request { method, .. } => {
                let asked = Asked { method: method.clone(), session: message.session.clone(), is_delivered: false };
                message.asks().and_then(|key| table.asked.insert(key, asked));
                message.session.clone()
            }
            Kind::Notification { withdrawn: Some(key), .. } => {
                table.asked.get(key).and_then(|asked| asked.session.clone())
            }
            Kind::Notification { .. } => message.session.clone(),
            Kind::Answer { key } => table.questions.remove(key),
        }
    }

    /// A message of the agent has come, over the stream of this session.
    pub(crate) fn arrives(&self, message: &[u8], stream: Option<&str>) -> Learnt {
        match Incoming::read(message) {
            Incoming::Request { id, params, .. } => {
                if let Some(session) = session_of(params).or_else(|| stream.map(Into::into)) {
                    self.table().questions.insert(key(id), session);
                }
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
                None => Learnt::default(),
            },
            _ => Learnt::default(),
        }
    }

    fn answered(&self, id: &RawValue, result: Option<&RawValue>) -> Learnt {
        let Some(Asked { method, session, .. }) = self.table().asked.remove(&key(id)) else { return Learnt::default() };
        let (replays, ends) = (REPLAY.contains(&&*method), END_SESSION.contains(&&*method));
        let new = session_of(result).filter(|new| Some(new) != session.as_ref());
        Learnt {
            opened: new.or_else(|| session.clone().filter(|_| replays && result.is_some())),
            refused: session.clone().filter(|_| replays && result.is_none()),
            ended: session.clone().filter(|_| ends && result.is_some()),
            behind: session.filter(|_| replays),
            method: Some(method),
            control: None,
        }
    }

    /// Whether a request is not answered yet, and nothing says that the agent has it.
    fn is_in_doubt(&self, key: &str) -> bool {
        self.table().asked.get(key).is_some_and(|asked| !asked.is_delivered)
    }

    /// No answer to a request comes any more. Returns whether it was open.
    pub(crate) fn forget(&self, key: &str) -> bool {
        self.table().asked.remove(key).is_some()
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of a connection that was lost, with its reason.
#[derive(Default)]
pub(crate) struct End {
    reason: Mutex<Option<String>>,
    pub(crate) over: CancellationToken,
}

impl End {
    /// Ends the connection. The first reason counts.
    pub(crate) fn fail(&self, reason: impl Into<String>) {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| reason.into());
        self.over.cancel();
    }

    pub(crate) fn result(&self) -> io::Result<()> {
        match self.reason.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(reason) => Err(io::Error::other(reason)),
            None => Ok(()),
        }
    }

    /// Runs work in a task of its own, until the connection ends.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let over = self.over.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = work => {}
                () = over.cancelled() => {}
            }
        });
    }
}

/// A message that has arrived.
pub(crate) enum Line {
    Whole(Bytes),
    /// The beginning of one that is too long.
    TooLong(Bytes),
}

impl Line {
    /// Hands the message over, and waits until the receiver takes more. Returns false if the connection was closed meanwhile.
    pub(crate) async fn hand_over<R: Receive>(&self, receive: &mut R, outbox: &Outbox) -> bool {
        receive.frame(match self {
            Self::Whole(line) => Frame::Line(line),
            Self::TooLong(head) => Frame::TooLong(head),
        });
        while receive.is_full() {
            outbox.flush();
            tokio::select! {
                () = receive.room() => {} // while the receiver takes no more, nothing more is read
                () = outbox.closed() => return false,
            }
        }
        true
    }
}

/// Waits for the answer to a request that may have been delivered, as long as its session is heard of. Returns the answer of this side if none
/// has come.
pub(crate) async fn unanswered(
    open: &Open,
    message: &Message,
    bound: Duration,
    why: &str,
    heard: impl Fn() -> Option<Instant>,
) -> Option<Bytes> {
    let key = message.asks()?;
    let begin = Instant::now();
    loop {
        let last = heard().map_or(begin, |heard| heard.max(begin));
        sleep_until(last + bound).await;
        if !open.is_in_doubt(&key) {
            return None;
        }
        if heard().is_none_or(|heard| heard <= last) {
            break;
        }
    }
    // The agent may answer at this moment.
    let why = format!("the request may not have reached the agent, which did not answer it within {bound:?}: {why}");
    open.forget(&key).then(|| message.failed(&why)).flatten()
}

/// Tells of a message that cannot be sent and has nobody who waits for an answer.
pub(crate) fn lost(message: &Message, why: &str) {
    tracing::warn!(target: TARGET, method = message.method(), "a message of the client was lost: {why}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(open: &Open, text: &str) -> Option<Box<str>> {
        open.leaves(&Message::read(text.into()).unwrap())
    }

    #[test]
    fn an_answer_belongs_to_the_session_of_its_question() {
        let open = Open::default();
        let question = br#"{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s"}}"#;
        open.arrives(question, None);
        open.arrives(br#"{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{}}"#, Some("t"));
        open.arrives(br#"{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{}}"#, None);
        for (id, session) in [(1, Some("s")), (2, Some("t")), (3, None), (1, None)] {
            let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
            assert_eq!(leaves(&open, &answer).as_deref(), session, "{id}");
        }
    }

    #[test]
    fn answers_open_and_end_sessions_once() {
        let open = Open::default();
        let ask = |id: u64, method: &str, session: &str| {
            let params = if session.is_empty() { "{}".to_owned() } else { format!(r#"{{"sessionId":"{session}"}}"#) };
            let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#);
            leaves(&open, &request);
        };
        let answer = |text: &str| open.arrives(text.as_bytes(), None);
        let some = |text: &str| Some(Box::<str>::from(text));
        ask(1, "session/new", "");
        let new = r#"{"jsonrpc":"2.0","id":"1","result":{"sessionId":"s"}}"#;
        assert_eq!(answer(new), Learnt { opened: some("s"), method: some("session/new"), ..Learnt::default() });
        assert_eq!(answer(new), Learnt::default(), "the second one");
        ask(2, "session/fork", "s");
        let fork = answer(r#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"t"}}"#);
        assert_eq!(fork, Learnt { opened: some("t"), method: some("session/fork"), ..Learnt::default() });
        ask(3, "session/load", "u");
        let loaded = answer(r#"{"jsonrpc":"2.0","id":3,"result":null}"#);
        assert_eq!(
            loaded,
            Learnt { opened: some("u"), method: some("session/load"), behind: some("u"), ..Learnt::default() }
        );
        ask(4, "session/load", "v");
        let refused = answer(r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32002,"message":"no"}}"#);
        assert_eq!(
            refused,
            Learnt { refused: some("v"), method: some("session/load"), behind: some("v"), ..Learnt::default() }
        );
        ask(5, "session/close", "s");
        let closed = answer(r#"{"jsonrpc":"2.0","id":5,"result":{}}"#);
        assert_eq!(closed, Learnt { ended: some("s"), method: some("session/close"), ..Learnt::default() });
        ask(6, "session/prompt", "t");
        let cancel = r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":6}}"#;
        assert_eq!(leaves(&open, cancel).as_deref(), Some("t"), "it follows its request");
    }
}
