//! The line to an agent: its peer, with the version that both speak.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicUsize, Ordering},
};

use acp_peer::{Address, Peer, rpc::Then, wire::decode::from_json};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::{Answered, Dialect, Said, params::object_text};
use crate::values::{InitializeResponse, ProtocolVersion};

/// All that the client says of its own goes through here.
pub(crate) struct Line {
    pub(crate) peer: Arc<Peer>,
    dialects: Vec<Box<dyn Dialect>>,
    /// The place of the dialect in which the agent is asked for a version.
    asked: AtomicUsize,
    /// The place of the dialect that both speak.
    agreed: OnceLock<usize>,
}

impl Line {
    /// `dialects` are those of this connection, in ascending order.
    pub(crate) fn new(peer: Arc<Peer>, dialects: Vec<Box<dyn Dialect>>) -> Self {
        let asked = AtomicUsize::new(dialects.len() - 1);
        Self { peer, dialects, asked, agreed: OnceLock::new() }
    }

    /// The number of the version that both speak; before the agent has answered `initialize`, of the one that the client
    /// asks for: the highest.
    pub(crate) fn version(&self) -> u16 {
        self.dialect().version()
    }

    /// The version that both speak; before the agent has answered `initialize`, the one that the client asks for.
    pub(crate) fn dialect(&self) -> &dyn Dialect {
        let at = self.agreed.get().copied().unwrap_or_else(|| self.asked.load(Ordering::Relaxed));
        &*self.dialects[at]
    }

    /// Asks for the highest version among these that is lower than the one asked for. False if this client speaks none.
    pub(crate) fn lower_to(&self, supported: &[u16]) -> bool {
        let asked = self.asked.load(Ordering::Relaxed);
        let lower = self.dialects[..asked].iter().rposition(|dialect| supported.contains(&dialect.version()));
        lower.inspect(|lower| self.asked.store(*lower, Ordering::Relaxed)).is_some()
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
        let named = self.dialects.iter().position(|dialect| dialect.version() == protocol_version.0);
        // An agent of a lower version, which repeats the version, is spoken to in its own words: `initialize` had them, too.
        let agreed = named.map(|at| if self.dialects[at].is_form_of(answer.get()) { at } else { at.saturating_sub(1) });
        agreed.map(|at| self.agreed.set(at));
    }

    /// Reads the agent's answer to `initialize`, and whether both sides speak its version.
    pub(crate) fn initialized(&self, answer: &RawValue) -> serde_json::Result<(InitializeResponse, bool)> {
        // The lowest version reads an answer of an unknown one.
        let agreed = self.agreed.get().copied();
        let agent = self.dialects[agreed.unwrap_or(0)].initialized(object_text(Some(answer)))?;
        Ok((agent, agreed.is_some()))
    }

    /// Sends a request at once, and returns its id. The reader gives the answer to `then`.
    pub(crate) fn request(&self, method: &str, params: &impl Serialize, then: Then) -> u64 {
        let Some(Said { method, params, answer }) = self.dialect().said(method, &|| to_raw_value(params)) else {
            return self.peer.request_then(Address::Connection, method, params, then);
        };
        let then: Then = match answer {
            Answered::Kept(keep) => keep(then),
            Answered::By(answer) => Box::new(move |answered| match answered {
                Ok(result) => then(Ok(answer(result).as_deref().unwrap_or(result))),
                Err(error) => then(Err(error)),
            }),
        };
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
