//! The duty to answer one request.

use std::{sync::Arc, time::Instant};

use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::{
    outbox::{Address, StreamSender},
    peer::Peer,
};
use crate::{
    TARGET,
    wire::{Error, Result, message, quoted::Short},
};

/// The duty to answer one request. If it is dropped without an answer, for example by a panic, the client gets an
/// error.
pub struct Responder {
    peer: Arc<Peer>,
    /// `None` once the request is answered.
    id: Option<Box<RawValue>>,
    /// The stream of the answer, if the transport named one.
    way: Option<Arc<dyn StreamSender>>,
    /// Who waits for the answer, if this side calls itself.
    here: Option<Box<dyn Here>>,
    /// Only set while a subscriber listens.
    began: Option<Instant>,
}

impl Responder {
    /// The duty to answer the request `id`. A [`Dispatcher`](crate::Dispatcher) makes it.
    #[doc(hidden)] // for the proxy of `acp-client`
    pub fn new(peer: &Arc<Peer>, id: &RawValue, way: Option<&Arc<dyn StreamSender>>) -> Self {
        let began = tracing::enabled!(target: TARGET, tracing::Level::DEBUG).then(Instant::now);
        Self { peer: peer.clone(), id: Some(id.to_owned()), way: way.cloned(), here: None, began }
    }

    /// The duty to answer a call of this side's own: the answer goes to the receiver, and no message is sent. `id` is one that
    /// the other side does not use.
    #[doc(hidden)] // for agents of the toolkit
    pub fn of_own_call(peer: &Arc<Peer>, id: &RawValue) -> (Self, oneshot::Receiver<Result<Box<RawValue>>>) {
        let (here, answer) = oneshot::channel();
        let mut own = Self::new(peer, id, None);
        own.here = Some(Box::new(here));
        (own, answer)
    }

    /// The request's id; `None` if the request is answered.
    pub fn id(&self) -> Option<&RawValue> {
        self.id.as_deref()
    }

    /// The stream of the answer, if the transport named one.
    #[doc(hidden)] // for agents of the toolkit
    pub fn way(&self) -> Option<&Arc<dyn StreamSender>> {
        self.way.as_ref()
    }

    /// Whether there is room for an answer.
    pub fn has_room(&self) -> bool {
        !self.way.as_ref().map_or_else(|| self.peer.outbox.is_at_hard_bound(), |way| way.is_at_hard_bound())
    }

    /// Waits for room for an answer.
    pub async fn room(&self) {
        match &self.way {
            None => self.peer.outbox.below_hard().await,
            Some(way) => way.below_hard().await,
        }
    }

    /// Answers the request.
    pub fn respond<T: Serialize>(self, result: Result<T>) {
        self.respond_and(result, &mut || {});
    }

    /// Answers the request with the result that `write` appends.
    #[doc(hidden)] // for agents of the toolkit
    pub fn respond_as(self, write: message::Write<'_>) {
        self.answer(Ok(write), &mut || {});
    }

    /// Answers the request, and runs `meanwhile`. The other side does not learn of the effects of `meanwhile` before
    /// the answer: messages that follow from them are sent after it.
    pub fn respond_and<T: Serialize>(self, result: Result<T>, meanwhile: &mut dyn FnMut()) {
        match &result {
            Ok(value) => self.answer(Ok(&|buffer| serde_json::to_writer(buffer, value)), meanwhile),
            Err(error) => self.answer(Err(error), meanwhile),
        }
    }

    fn answer(mut self, outcome: Result<message::Write<'_>, &Error>, meanwhile: &mut dyn FnMut()) {
        if let Some(id) = self.id.take() {
            if let Some(began) = self.began {
                let (id, code, elapsed) = (Short(id.get()), outcome.err().map(Error::code), began.elapsed());
                tracing::debug!(target: TARGET, %id, code, ?elapsed, "answered");
            }
            if let Some(here) = self.here.take() {
                return here.tell(outcome, meanwhile);
            }
            self.peer.put(Address::Stream(self.way.as_ref()), &mut |buffer| {
                meanwhile();
                message::answer(buffer, &id, outcome);
            });
        }
    }
}

/// Takes the answer to a call of this side's own. This is a trait for programs that do not call themselves: they contain no
/// code of it.
trait Here: Send + Sync {
    fn tell(self: Box<Self>, outcome: Result<message::Write<'_>, &Error>, meanwhile: &mut dyn FnMut());
}

impl Here for oneshot::Sender<Result<Box<RawValue>>> {
    fn tell(self: Box<Self>, outcome: Result<message::Write<'_>, &Error>, meanwhile: &mut dyn FnMut()) {
        meanwhile();
        let answer = outcome.map_err(Error::clone).and_then(|write| {
            let mut written = Vec::new();
            write(&mut written)?;
            Ok(serde_json::from_slice(&written)?)
        });
        // Nobody may wait any more.
        let _ = self.send(answer);
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        // The receiver learns of it by itself.
        if self.here.is_some() {
            return;
        }
        if let Some(id) = self.id.take() {
            let to = Address::Stream(self.way.as_ref());
            self.peer.refuse(to, Some(&id), &Error::internal_error("the request ended without an answer"));
        }
    }
}
