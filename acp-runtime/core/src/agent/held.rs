//! Requests that wait before they are admitted, because a part has work first. [`admission`](super::admission) admits them.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::value::RawValue;

use crate::{
    dialect::Dialect,
    rpc::{CancellationToken, DropGuard, Entered, Responder},
    schema::Method,
    values::{PromptResponse, StopReason, methods},
    wire::Error,
};

/// The requests of a connection that wait, by the id of their session.
#[derive(Default)]
pub(crate) struct Held(Mutex<BTreeMap<String, Behind>>);

/// What waits for a session behind a request of it.
pub(super) struct Behind {
    pub(super) waiting: VecDeque<Waiting>,
    /// Set when the session is cancelled, if the first request is a prompt.
    pub(super) cancel: CancellationToken,
    /// Set when the first request is withdrawn, or nothing is read any more.
    pub(super) withdrawn: CancellationToken,
}

/// A message that waits.
pub(super) struct Waiting {
    pub(super) sent: String,
    /// Its name in terms of `values`.
    pub(super) method: String,
    pub(super) params: Option<Box<RawValue>>,
    /// `None` for a notification.
    pub(super) asked: Option<Asked>,
}

pub(super) struct Asked {
    pub(super) responder: Responder,
    /// Set when the request is withdrawn, as long as `entered` lives.
    pub(super) withdrawn: CancellationToken,
    pub(super) entered: Entered,
    /// Set when the request waits no more.
    pub(super) over: DropGuard,
}

impl Held {
    pub(super) fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Behind>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Behind {
    /// Takes the requests out that match, to refuse them.
    pub(super) fn take(&mut self, matches: impl Fn(&Waiting, &Asked) -> bool) -> Vec<Waiting> {
        let is_taken = |waiting: &Waiting| waiting.asked.as_ref().is_some_and(|asked| matches(waiting, asked));
        let (taken, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.waiting).into_iter().partition(is_taken);
        self.waiting = kept.into();
        taken
    }
}

/// Answers a prompt that was cancelled before it was admitted. It has come by this method.
pub(super) fn cancelled(dialect: &dyn Dialect, method: &str, responder: Responder) {
    if method != methods::Prompt::NAME || dialect.inserts_prompts() {
        return withdrawn(responder);
    }
    responder.respond(Ok(PromptResponse::new(StopReason::Cancelled)));
}

/// Answers a request that was withdrawn before it was admitted.
pub(super) fn withdrawn(responder: Responder) {
    responder.respond::<()>(Err(Error::request_cancelled()));
}
