//! What everyone who talks to the client holds: the way out, the requests in flight, and what the client can do.

use std::{
    sync::{Arc, OnceLock},
    time::Instant,
};

use serde::Serialize;
use serde_json::value::RawValue;

use super::{outbox::Outbox, pending::Pending};
use crate::{
    TARGET,
    config::publish::Audience,
    peer::Errands,
    schema::v1::{ClientCapabilities, Implementation},
    wire::{Error, Result, error::Short, message},
};

/// The line to one client.
pub(crate) struct Link {
    pub(crate) outbox: Outbox,
    pub(crate) pending: Pending,
    pub(crate) errands: Errands,
    client: OnceLock<ClientProfile>,
}

/// What the client said of itself in `initialize`.
#[derive(Debug, Default)]
pub(crate) struct ClientProfile {
    pub(crate) capabilities: ClientCapabilities,
    pub(crate) info: Option<Implementation>,
}

impl Link {
    pub(crate) fn new(outbox: Outbox) -> Arc<Self> {
        Arc::new(Self { outbox, pending: Pending::default(), errands: Errands::default(), client: OnceLock::new() })
    }

    /// Keeps what the client said of itself; false when it has said so before.
    pub(crate) fn introduce(&self, client: ClientProfile) -> bool {
        self.client.set(client).is_ok()
    }

    pub(crate) fn is_initialized(&self) -> bool {
        self.client.get().is_some()
    }

    pub(crate) fn client(&self) -> &ClientProfile {
        static SILENT: OnceLock<ClientProfile> = OnceLock::new();
        self.client.get().unwrap_or_else(|| SILENT.get_or_init(ClientProfile::default))
    }

    pub(crate) fn audience(&self) -> Audience {
        Audience::of(&self.client().capabilities)
    }

    /// Sends a notification when there is room for it.
    pub(crate) async fn notify(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<()> {
        self.outbox.send(|buffer| message::notification(buffer, method, params)).await?
    }

    /// Waits until there is room for a message.
    pub(crate) async fn room(&self) -> Result<()> {
        Ok(self.outbox.send(|_| ()).await?)
    }

    /// Sends a request at once, whose answer nobody waits for.
    pub(crate) fn request_now(&self, id: u64, method: &str, params: &impl Serialize) {
        self.put_now(|buffer| message::request(buffer, id, method, params));
    }

    /// Answers a message that cannot be served, with its id where that could be read.
    pub(crate) fn refuse(&self, id: Option<&RawValue>, error: &Error) {
        self.put(|buffer| message::error(buffer, id, error));
    }

    /// Sends a message at once, without waiting for room: for the few that must keep their place.
    pub(crate) fn put_now(&self, write: impl FnOnce(&mut Vec<u8>) -> Result<()>) {
        self.put(|buffer| {
            if let Err(error) = write(buffer) {
                tracing::error!(target: TARGET, %error, "a message is no JSON");
            }
        });
        self.outbox.flush();
    }

    /// Writes a message without waiting for room. Once the client is gone there is nobody to write to.
    fn put(&self, write: impl FnOnce(&mut Vec<u8>)) {
        if self.outbox.put(write).is_err() {
            tracing::debug!(target: TARGET, "a message was not sent: the connection is closed");
        }
    }
}

/// The duty to answer one request. Dropped without an answer (a bug, a panic), it says so to the client.
pub(crate) struct Responder {
    link: Arc<Link>,
    /// `None` once answered.
    id: Option<Box<RawValue>>,
    /// Only while somebody listens.
    began: Option<Instant>,
}

impl Responder {
    pub(crate) fn new(link: &Arc<Link>, id: &RawValue) -> Self {
        let began = tracing::enabled!(target: TARGET, tracing::Level::DEBUG).then(Instant::now);
        Self { link: link.clone(), id: Some(id.to_owned()), began }
    }

    pub(crate) fn id(&self) -> Option<&RawValue> {
        self.id.as_deref()
    }

    pub(crate) fn respond<T: Serialize>(self, result: Result<T>) {
        match &result {
            Ok(value) => self.answer(Ok(&|buffer| serde_json::to_writer(buffer, value))),
            Err(error) => self.answer(Err(error)),
        }
    }

    fn answer(mut self, outcome: Result<message::Write<'_>, &Error>) {
        if let Some(id) = self.id.take() {
            if let Some(began) = self.began {
                let (id, code, elapsed) = (Short(id.get()), outcome.err().map(Error::code), began.elapsed());
                tracing::debug!(target: TARGET, %id, code, ?elapsed, "answered");
            }
            self.link.put(|buffer| message::answer(buffer, &id, outcome));
        }
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            self.link.refuse(Some(&id), &Error::internal_error("the request ended without an answer"));
        }
    }
}
