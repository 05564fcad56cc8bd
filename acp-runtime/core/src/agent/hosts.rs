//! The function that serves an agent to several clients.

use std::{fmt, sync::Arc};

use super::{connection, forget::Unfollowed, options::ServeOptions, serve::Serving};
use crate::{
    agent::{
        declaration::{Keeps, Threading},
        model::{Handlers, Hosted},
    },
    transport::Transport,
};

/// An agent for several clients: their connections share it, and its sessions.
///
/// A session belongs to the host. It has one client at a time: the one that has opened it last, by `session/new`, `session/load`
/// or `session/resume`; or the first one, or all that have opened it, with [`clients`](index.html#several-clients-of-one-session). By default, a client
/// that opens a session which another client has takes it over. For the others, the session is not there: the error -32002 also means
/// that another client has it. So they cannot prompt, change, close or delete it. A session that is not active, or whose
/// clients have all gone, is deleted by any client.
///
/// Only a client with the [`Principal`](crate::transport::Principal) of the session opens it: the one of the connection that has begun it.
/// For others, the session is not there. Connections without a principal have the sessions without one.
///
/// When its client hangs up, the session stays with its options and its [shared part](super::Shared), and a client can open it
/// again. Its state then comes from the handler `load_session` or `resume_session`, or from the store, as with every load and
/// resume. An agent that has neither of these handlers and no store ends the sessions of a client with its connection, because
/// nobody could open them again.
///
/// `session_opened` ends with its connection. `session_ended` runs when a client closes or deletes the session, and at the end of a
/// connection for the sessions that end with it. When the host and all its connections are dropped, the sessions that are left are
/// dropped without it.
///
/// The agent and its handlers are those of [`Serve`](super::Serve), which serves one client and ends its sessions with it. The
/// [guide](../guide/servers/index.html#several-clients) has an example with three clients.
///
/// ```
/// use acp_runtime::{agent::{Host, ServeOptions}, prelude::*, transport::memory};
///
/// #[acp_agent]
/// #[derive(Clone)]
/// struct Echo;
///
/// #[acp_agent]
/// impl Echo {
///     async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
///         turn.message(request.text()).await?;
///         Ok(StopReason::EndTurn)
///     }
/// }
///
/// # async fn serve() -> Result<()> {
/// let host = Host::new(Echo);
/// let ((first, _client), (second, _other)) = (memory::pair(), memory::pair());
/// for transport in [first, second] {
///     tokio::spawn(host.serve(transport, ServeOptions::new()));
/// }
/// # Ok(())
/// # }
/// ```
pub struct Host<A: Handlers>(Arc<Hosted<A>>, Arc<Unfollowed>);

impl<A: Handlers> Clone for Host<A> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), self.1.clone())
    }
}

impl<A: Handlers> fmt::Debug for Host<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("sessions", &self.0.sessions.active().len()).finish_non_exhaustive()
    }
}

impl<A: Handlers + Send + Sync> Host<A> {
    /// A host of this agent. Threads share the agent, also if its handlers are `local`.
    pub fn new(agent: A) -> Self {
        Self(Hosted::new(A::Threading::share(Arc::new(agent))), Arc::default())
    }

    /// Serves one client, until it hangs up, or until the signal of
    /// [`with_graceful_shutdown`](Serving::with_graceful_shutdown). The other clients of the host go on.
    ///
    /// # Errors
    ///
    /// The transport does not open, or reading fails.
    pub fn serve(
        &self,
        transport: impl Transport + Send + 'static,
        options: impl Into<ServeOptions>,
    ) -> Serving<A::Threading> {
        let (Self(host, unfollowed), options) = (self.clone(), options.into());
        Serving::new(|shutdown| {
            A::Threading::serve(connection::serve_one(host, transport, options, unfollowed, shutdown))
        })
    }

    /// Ends the sessions that no client has any more, and from here on those whose last client hangs up: they do not wait for another client
    /// ([`ServeOptions::unfollowed_timeout`](field@super::ServeOptions::unfollowed_timeout)). With a store, another process can open them at
    /// once. For a process that ends. Returns when none is left.
    pub async fn end_unfollowed(&self) {
        self.1.end().await;
    }
}
