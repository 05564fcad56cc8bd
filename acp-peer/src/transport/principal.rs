//! Who uses a connection.

use std::{fmt, sync::Arc};

/// Who uses a connection, in its [`Context`](super::Context). What has found out who it is gives it: the middleware of a server, or the
/// program that serves the connection.
///
/// A session belongs to the principal that has opened it first: for every other one, it is not there. Connections without a principal, such
/// as those over stdio, have the sessions without one. Handlers take it from `acp_runtime::agent::ConnectionContext`.
///
/// ```
/// use acp_peer::transport::{Context, Principal, Transport, memory};
///
/// let (agent, _client) = memory::pair();
/// let agent = agent.with_context(Context::new().with(Principal::new("ann")));
/// assert_eq!(agent.context().get::<Principal>().unwrap().name(), "ann");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Principal(Arc<str>);

impl Principal {
    /// A principal with this name: what stays the same when its token is renewed.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self(name.into())
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Principal").field(&&*self.0).finish()
    }
}
