//! A message for a hook, and the hook's decision on it.

use std::ops::Deref;

use crate::hooks;
pub use crate::hooks::Pass;

/// The sender of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The client.
    Client,
    /// The agent.
    Agent,
}

/// A message on its way, with its sender. Its parts are those of a [message](crate::hooks::Passing) of a transport
/// with hooks.
///
/// ```
/// use acp_client::{proxy::{Pass, Proxy}, values::NewSessionRequest};
///
/// let proxy = Proxy::new().from_client("session/new", |message| {
///     let Ok(mut request) = message.read::<NewSessionRequest>() else { return Pass::On };
///     request.mcp_servers.clear();
///     Pass::with(&request).unwrap_or(Pass::On)
/// });
/// # let _ = proxy;
/// ```
#[derive(Debug)]
pub struct Passing<'m> {
    from: Side,
    message: hooks::Passing<'m>,
}

impl<'m> Passing<'m> {
    pub(super) fn new(from: Side, message: hooks::Passing<'m>) -> Self {
        Self { from, message }
    }

    /// The sender.
    pub fn sender(&self) -> Side {
        self.from
    }
}

impl<'m> Deref for Passing<'m> {
    type Target = hooks::Passing<'m>;

    fn deref(&self) -> &Self::Target {
        &self.message
    }
}
