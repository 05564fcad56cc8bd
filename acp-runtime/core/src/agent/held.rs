//! Requests that wait before they are admitted, because a part has work first. [`admission`](super::admission) admits them.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::value::RawValue;

use crate::rpc::{CancellationToken, Entered, Responder};

/// The requests of a connection that wait, by the id of their session.
#[derive(Default)]
pub(crate) struct Held(Mutex<BTreeMap<String, Behind>>);

/// What waits for a session behind a request of it.
#[derive(Default)]
pub(super) struct Behind {
    pub(super) waiting: VecDeque<Waiting>,
    /// Set by the next cancel of the session, for the prompts before it.
    pub(super) cancel: CancellationToken,
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
    /// Set when the session is cancelled behind the request.
    pub(super) cancel: CancellationToken,
    pub(super) entered: Entered,
}

impl Held {
    pub(super) fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Behind>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
