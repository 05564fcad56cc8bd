//! An `initialize` that has a handler, until it is answered.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::{
    client::line::{ClientProfile, Line},
    values::AuthMethod,
};

/// A connection whose `initialize` has a handler.
#[derive(Default)]
pub(crate) struct Handshake {
    /// The client of an `initialize` that is not answered yet.
    client: Mutex<Option<ClientProfile>>,
    /// The ways to authenticate that the client was offered.
    pub(super) auth_methods: OnceLock<Vec<AuthMethod>>,
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

    pub(super) fn client(&self) -> MutexGuard<'_, Option<ClientProfile>> {
        self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
