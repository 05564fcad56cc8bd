//! The protocol between this client and an agent. All other modules work on [`values`](crate::values), which have the
//! shapes of version 1. The trait [`Dialect`] translates between them and a version: each version is a file beside this
//! one, with a line in [`ALL`]. The other files here read what an agent says in those shapes, so that no other module
//! names a field of a message or a kind of update.
//!
//! # Open for version 2
//!
//! - It answers a prompt at once, and an update tells the end of the turn. `Line::request` can keep the `Then` of a
//!   prompt until that update: a turn ends when its `Then` is called. `Dialect::heard` then tells such an update from
//!   others.
//! - The client's answers to the agent are written as the values have them. `ErrorKind::Version` says "version 1".
//! - It names some updates that the values have no types for. They come as `Update::Unknown` until they have.

pub(crate) mod gates;
pub(crate) mod line;
pub(crate) mod lost;
pub(crate) mod messages;
pub(crate) mod params;
pub(crate) mod reports;
#[cfg(test)]
mod toy_tests;
mod v1;

use serde_json::value::RawValue;

use crate::values::InitializeResponse;

/// A version of the protocol, as a client speaks it. One dialect serves all connections.
///
/// The client's answers to the requests of an agent are written unchanged.
pub(crate) trait Dialect: Send + Sync {
    /// The version's number in `initialize`.
    fn version(&self) -> u16;

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
}

/// A message of the client, in the words of a version.
pub(crate) struct Said {
    pub(crate) method: &'static str,
    pub(crate) params: Box<RawValue>,
    pub(crate) answer: TranslateAnswer,
}

/// Translates the answer to a request. `None` if it has the shape of the values, or cannot be read.
pub(crate) type TranslateAnswer = fn(&RawValue) -> Option<Box<RawValue>>;

/// A message of the agent, in the words of the values.
pub(crate) struct Heard<'m> {
    pub(crate) method: &'m str,
    /// The translated params. `None` if the message's own params are right.
    pub(crate) params: Option<Box<RawValue>>,
}

/// The versions that a connection can speak, in ascending order. There is at least one.
pub(crate) type Dialects = &'static [&'static dyn Dialect];

/// All dialects.
pub(crate) const ALL: Dialects = &[&v1::V1];
