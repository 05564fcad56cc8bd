//! The line to an agent: its peer, with the version that both speak.

use std::sync::{Arc, OnceLock};

use acp_peer::{Address, Peer, rpc::Then, wire::decode::from_json};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::{Dialect, Dialects, Said, params::object_text};
use crate::values::{InitializeResponse, ProtocolVersion};

/// All that the client says of its own goes through here.
pub(crate) struct Line {
    pub(crate) peer: Arc<Peer>,
    dialects: Dialects,
    agreed: OnceLock<&'static dyn Dialect>,
}

impl Line {
    pub(crate) fn new(peer: Arc<Peer>, dialects: Dialects) -> Self {
        Self { peer, dialects, agreed: OnceLock::new() }
    }

    /// The highest version, which the client asks for.
    fn highest(&self) -> &'static dyn Dialect {
        self.dialects[self.dialects.len() - 1]
    }

    /// The number of the version that the client asks for.
    pub(crate) fn version(&self) -> u16 {
        self.highest().version()
    }

    /// The version that both speak; before the agent has answered `initialize`, the one that the client asks for.
    pub(crate) fn dialect(&self) -> &'static dyn Dialect {
        self.agreed.get().copied().unwrap_or_else(|| self.highest())
    }

    /// Takes the version from the agent's answer to `initialize`. The reader calls this function before it reads the
    /// next message.
    pub(crate) fn agree(&self, answer: &RawValue) {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Version {
            protocol_version: ProtocolVersion,
        }
        let Ok(Version { protocol_version }) = from_json(answer.get()) else { return };
        let agreed = self.dialects.iter().find(|dialect| dialect.version() == protocol_version.0);
        agreed.map(|dialect| self.agreed.set(*dialect));
    }

    /// Reads the agent's answer to `initialize`, and whether both sides speak its version.
    pub(crate) fn initialized(&self, answer: &RawValue) -> serde_json::Result<(InitializeResponse, bool)> {
        // The lowest version reads an answer of an unknown one.
        let agreed = self.agreed.get();
        let agent = agreed.unwrap_or(&self.dialects[0]).initialized(object_text(Some(answer)))?;
        Ok((agent, agreed.is_some()))
    }

    /// Sends a request at once, and returns its id. The reader gives the answer to `then`.
    pub(crate) fn request(&self, method: &str, params: &impl Serialize, then: Then) -> u64 {
        let Some(Said { method, params, answer }) = self.dialect().said(method, &|| to_raw_value(params)) else {
            return self.peer.request_then(Address::Connection, method, params, then);
        };
        let then: Then = Box::new(move |answered| match answered {
            Ok(result) => then(Ok(answer(result).as_deref().unwrap_or(result))),
            Err(error) => then(Err(error)),
        });
        self.peer.request_then(Address::Connection, method, &params, then)
    }

    /// Sends a notification at once.
    pub(crate) fn notify(&self, method: &str, params: &impl Serialize) {
        match self.dialect().said(method, &|| to_raw_value(params)) {
            Some(Said { method, params, .. }) => self.peer.notify_now(Address::Connection, method, &params),
            None => self.peer.notify_now(Address::Connection, method, params),
        }
    }

    /// Withdraws a request whose answer is not awaited any more.
    pub(crate) fn give_up(&self, id: u64) {
        self.peer.give_up(Address::Connection, id);
    }
}
