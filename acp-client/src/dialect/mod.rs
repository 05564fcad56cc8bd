//! The protocol between this client and an agent. All other modules work on [`values`](crate::values), which have the
//! shapes of version 1. The trait [`Dialect`] translates between them and a version: each version is a file beside this
//! one, with a line in [`ALL`]. The other files here read what an agent says in those shapes, so that no other module
//! names a field of a message or a kind of update.
//!
//! The client's answers to the agent are written as the values have them: both versions read them alike.

#[cfg(feature = "v2")]
mod base64;
pub(crate) mod gates;
pub(crate) mod line;
pub(crate) mod lost;
pub(crate) mod messages;
#[cfg(feature = "v2")]
pub(crate) mod original;
pub(crate) mod params;
pub(crate) mod reports;
#[cfg(feature = "v2")]
pub(crate) mod state;
#[cfg(feature = "v2")]
pub(crate) mod terminals;
#[cfg(test)]
mod toy_tests;
mod v1;
#[cfg(feature = "v2")]
mod v2;
#[cfg(feature = "v2")]
pub(crate) mod work;

use std::ops::RangeInclusive;

use acp_peer::rpc::Then;
use serde_json::value::RawValue;

#[cfg(feature = "v2")]
use self::work::Work;
use crate::{Error, Result, values::InitializeResponse};

/// A version of the protocol, as a client speaks it. A dialect serves one connection, and may keep what it has heard there.
///
/// The client's answers to the requests of an agent are written unchanged.
pub(crate) trait Dialect: Send + Sync {
    /// The version's number in `initialize`.
    fn version(&self) -> u16;

    /// Whether an answer to `initialize` has the form of this version. An agent may repeat the version that it is asked for, and speak a
    /// lower one.
    fn is_form_of(&self, _answer: &str) -> bool {
        true
    }

    /// Reads the agent's answer to `initialize`.
    fn initialized(&self, answer: &str) -> serde_json::Result<InitializeResponse>;

    /// Translates a request or notification of the client. `params` writes its params as the values have them. `None`
    /// if the agent takes the message like this, and its answer has the shape of the values.
    fn said(&self, method: &str, params: &dyn Fn() -> serde_json::Result<Box<RawValue>>) -> Option<Said>;

    /// Translates a request or notification of the agent. A method that this version does not have, for example of a
    /// vendor, stays as it is; so do params that cannot be read, which the handler's types refuse.
    fn heard<'m>(&self, method: &'m str, params: Option<&RawValue>) -> Heard<'m>;

    /// The session and the kind of an update, by the begin of its line, which is too long to be read.
    fn cut_off(&self, head: &str) -> Option<(String, String)>;

    /// The request that cancels this work alone: its method, and its params. `None` if the agent does not let the client do so
    /// at present.
    #[cfg(feature = "v2")]
    fn cancel_alone(&self, _session: &str, _work: &Work) -> Option<(&'static str, Box<RawValue>)> {
        None
    }

    /// Whether a prompt goes to the work of a session that works. Then the dialect says [`STEERING`](messages::STEERING) as a prompt.
    #[cfg(feature = "v2")]
    fn steers_by_prompts(&self) -> bool {
        false
    }

    /// Whether a session works in the foreground, or will when the agent has read what was sent.
    #[cfg(feature = "v2")]
    fn is_working(&self, _session: &str) -> bool {
        false
    }

    /// Forgets a session that is over.
    fn forget(&self, _session: &str) {}

    /// Forgets all sessions, because no message comes any more.
    fn close(&self) {}
}

/// A message of the client, in the words of a version.
pub(crate) struct Said {
    pub(crate) method: &'static str,
    pub(crate) params: Box<RawValue>,
    pub(crate) answer: Answered,
}

/// How the answer to a request comes to the one that waits for it.
#[cfg_attr(not(feature = "v2"), expect(dead_code, reason = "in version 1, the agent's answer is the answer"))]
pub(crate) enum Answered {
    /// Translated, when the agent answers.
    By(TranslateAnswer),
    /// The function makes the receiver of the agent's answer. It may keep the receiver of the values' answer until a later
    /// message.
    Kept(Box<dyn FnOnce(Then) -> Then + Send>),
}

/// Translates the answer to a request. `None` if it has the shape of the values, or cannot be read.
pub(crate) type TranslateAnswer = fn(&RawValue) -> Option<Box<RawValue>>;

/// A message of the agent, in the words of the values.
pub(crate) struct Heard<'m> {
    pub(crate) method: &'m str,
    /// The translated params. `None` if the message's own params are right.
    pub(crate) params: Option<Box<RawValue>>,
    /// The params of further messages with this method, if the values need several for one.
    pub(crate) more: Vec<Box<RawValue>>,
    /// Whether a client of this version does not have the method, although the values do.
    pub(crate) is_unknown: bool,
    /// Whether a question belongs to work in the background, which a cancel of the turn does not end.
    pub(crate) is_of_background: bool,
    /// Called when these messages were taken in: the answers that the message stands for.
    pub(crate) then: Option<Box<dyn FnOnce() + Send>>,
}

impl<'m> Heard<'m> {
    /// A message that the values have like this.
    pub(crate) fn unchanged(method: &'m str) -> Self {
        Self { method, params: None, more: Vec::new(), is_unknown: false, is_of_background: false, then: None }
    }
}

/// Makes the dialect of one connection.
pub(crate) type MakeDialect = fn() -> Box<dyn Dialect>;

/// The versions that a client can speak, in ascending order. There is at least one.
pub(crate) type Dialects = &'static [MakeDialect];

/// All dialects.
pub(crate) const ALL: Dialects = &[
    || Box::new(v1::V1),
    #[cfg(feature = "v2")]
    || Box::new(v2::V2::default()),
];

/// The dialects of one connection, which speaks only these versions. There is at least one.
pub(crate) fn among(all: Dialects, versions: &RangeInclusive<u16>) -> Result<Vec<Box<dyn Dialect>>> {
    let mut dialects: Vec<_> = all.iter().map(|make| make()).collect();
    let numbers: Vec<_> = dialects.iter().map(|dialect| dialect.version().to_string()).collect();
    dialects.retain(|dialect| versions.contains(&dialect.version()));
    if dialects.is_empty() {
        let numbers = numbers.join(" and ");
        return Err(Error::invalid(format!(
            "`versions` of `ConnectOptions` is {versions:?}, and this client speaks only {numbers} (version 2 comes with the feature `v2`)"
        )));
    }
    Ok(dialects)
}
