//! An `initialize` that has a handler, until it is answered; and the answer, where the request may come again.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::value::RawValue;

use crate::{
    client::line::{ClientProfile, Line},
    dialect::{self, Dialect},
    values::AuthMethod,
};

/// What is known of `initialize`, beside the client.
#[derive(Default)]
pub(crate) struct Handshake {
    /// The client of an `initialize` that is not answered yet.
    client: Mutex<Option<ClientProfile>>,
    /// The ways to authenticate that the client was offered.
    pub(super) auth_methods: OnceLock<Vec<AuthMethod>>,
    /// The version of an `initialize` that is not answered yet.
    chosen: Mutex<Option<&'static dyn Dialect>>,
    /// The answer, for a version in which the request may be sent again.
    answer: OnceLock<Box<RawValue>>,
}

impl Handshake {
    /// Forgets an `initialize` that failed: the client may try again.
    pub(super) fn give_up(&self) {
        self.client().take();
    }

    /// Initializes the connection.
    pub(super) fn conclude(&self, line: &Line) {
        if let Some(client) = self.client().take() {
            line.introduce(client);
        }
    }

    /// The version that the client and the agent will speak.
    pub(super) fn choose(&self, dialect: &'static dyn Dialect) {
        *self.chosen.lock().unwrap_or_else(PoisonError::into_inner) = Some(dialect);
    }

    pub(super) fn chosen(&self) -> &'static dyn Dialect {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner).unwrap_or(dialect::LOWEST)
    }

    /// Keeps the answer, if the client may ask for it again.
    pub(super) fn keep(&self, dialect: &dyn Dialect, answer: &RawValue) {
        if dialect.repeats_initialize() {
            // Set once: an `initialize` whose answer could be made succeeds.
            let _ = self.answer.set(answer.to_owned());
        }
    }

    /// The answer that was kept.
    pub(super) fn answer(&self) -> Option<&RawValue> {
        self.answer.get().map(|answer| &**answer)
    }

    pub(super) fn client(&self) -> MutexGuard<'_, Option<ClientProfile>> {
        self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
