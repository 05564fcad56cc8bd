//! Requests that wait for their answers.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};

use acp_peer::{
    Error, OutboxStream,
    rpc::{CANCEL_REQUEST, id_key},
};
use acp_schema::{
    Method as _,
    v1::{PromptResponse, SessionId, StopReason, methods},
};

/// The open requests of one side.
#[derive(Default)]
pub(super) struct Open(Mutex<Table>);

#[derive(Default)]
struct Table {
    /// By the text of the id by which the answering side knows the request.
    waiting: HashMap<Box<str>, Waiting>,
    /// How many of them have another id than the one that was asked with.
    renamed: usize,
}

struct Waiting {
    asked: Arc<Asked>,
    cancelled: Option<Cancelled>,
}

/// A request.
pub(super) struct Asked {
    pub(super) number: u64,
    /// The id as the asking side wrote it.
    pub(super) id: Box<RawValue>,
    pub(super) method: Box<str>,
    /// The stream by which it came.
    pub(super) stream: Option<OutboxStream>,
    /// The session of a prompt, which can be cancelled.
    session: Option<SessionId>,
}

/// What was cancelled while a request was open.
#[derive(Clone, Copy)]
enum Cancelled {
    Request,
    Turn,
}

/// A cancel.
pub(super) enum Cancel<'a> {
    /// Of the request with this id.
    Request(&'a RawValue),
    /// Of the turn of this session.
    Turn(SessionId),
}

/// What becomes of a request that shall go on again.
pub(super) enum Again {
    GoesOn,
    /// It was cancelled meanwhile. This is the answer.
    Cancelled(Result<Box<RawValue>, Error>),
    /// It was withdrawn: nobody waits for an answer.
    Withdrawn,
}

impl Asked {
    pub(super) fn new(
        number: u64,
        id: &RawValue,
        method: &str,
        params: Option<&RawValue>,
        stream: Option<&OutboxStream>,
    ) -> Self {
        let session = (method == methods::Prompt::NAME).then(|| session(params)).flatten();
        Self { number, id: id.to_owned(), method: method.into(), stream: stream.cloned(), session }
    }
}

impl<'a> Cancel<'a> {
    /// Reads a cancel; `None` for another message.
    pub(super) fn read(method: &str, params: Option<&'a RawValue>) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Withdrawn<'a> {
            #[serde(borrow)]
            request_id: &'a RawValue,
        }
        match method {
            CANCEL_REQUEST => {
                let Withdrawn { request_id } = serde_json::from_str(params?.get()).ok()?;
                Some(Self::Request(request_id))
            }
            methods::Cancel::NAME => session(params).map(Self::Turn),
            _ => None,
        }
    }
}

impl Open {
    /// Adds a request. If another open one has its id, the answering side has to know it by the returned id.
    pub(super) fn enter(&self, asked: Asked) -> Option<Box<RawValue>> {
        let mut table = self.lock();
        let (mut key, mut inner) = (Box::from(id_key(&asked.id)), None);
        let mut tail = String::new();
        loop {
            match table.waiting.entry(key) {
                Entry::Vacant(free) => {
                    free.insert(Waiting { asked: Arc::new(asked), cancelled: None });
                    table.renamed += usize::from(inner.is_some());
                    return inner;
                }
                Entry::Occupied(_) => {
                    let id = format!("\"request {}{tail}\"", asked.number);
                    tail.push('+');
                    key = id.as_str().into();
                    inner = RawValue::from_string(id).ok();
                }
            }
        }
    }

    /// The request of an answer.
    pub(super) fn find(&self, id: &RawValue) -> Option<Arc<Asked>> {
        Some(self.lock().waiting.get(&*id_key(id))?.asked.clone())
    }

    /// Forgets a request.
    pub(super) fn remove(&self, id: &RawValue) {
        self.lock().remove(&id_key(id));
    }

    /// Lets a request go on again by `put`, if nobody has cancelled it. A later cancel finds what `put` has made.
    pub(super) fn again(&self, id: &RawValue, put: impl FnOnce()) -> Again {
        let mut table = self.lock();
        let Some(waiting) = table.waiting.get(&*id_key(id)) else { return Again::Withdrawn };
        let Some(cancelled) = waiting.cancelled else {
            put();
            return Again::GoesOn;
        };
        table.remove(&id_key(id));
        Again::Cancelled(match cancelled {
            Cancelled::Turn => {
                Ok(to_raw_value(&PromptResponse::new(StopReason::Cancelled)).expect("a small answer is JSON"))
            }
            Cancelled::Request => Err(Error::request_cancelled()),
        })
    }

    /// Notes a cancel. Returns the id by which the answering side knows the request, if it is another one.
    pub(super) fn cancel(&self, cancel: &Cancel<'_>) -> Option<Box<RawValue>> {
        let mut table = self.lock();
        match cancel {
            Cancel::Turn(session) => {
                for waiting in table.waiting.values_mut() {
                    if waiting.asked.session.as_ref() == Some(session) {
                        waiting.cancelled = Some(Cancelled::Turn);
                    }
                }
                None
            }
            Cancel::Request(id) => {
                let key = id_key(id);
                if let Some(waiting) = table.waiting.get_mut(&*key) {
                    waiting.cancelled = Some(Cancelled::Request);
                    return None;
                }
                if table.renamed == 0 {
                    return None;
                }
                let (inner, waiting) =
                    table.waiting.iter_mut().find(|(_, waiting)| id_key(&waiting.asked.id) == key)?;
                waiting.cancelled = Some(Cancelled::Request);
                RawValue::from_string(inner.to_string()).ok()
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn remove(&mut self, key: &str) {
        if let Some(waiting) = self.waiting.remove(key) {
            self.renamed -= usize::from(*id_key(&waiting.asked.id) != *key);
        }
    }
}

/// The session that params name.
fn session(params: Option<&RawValue>) -> Option<SessionId> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct OfSession {
        session_id: SessionId,
    }
    serde_json::from_str(params?.get()).ok().map(|OfSession { session_id }| session_id)
}
