//! What a call has, whatever its kind is.

use std::sync::Arc;

use crate::{
    agent::model::{CallContext, Connection, Handlers, SessionOf},
    rpc::CancellationToken,
};

impl<A: Handlers> CallContext<A> {
    pub(crate) fn new(connection: Arc<Connection<A>>) -> Self {
        Self {
            receiver: connection.host.agent.clone(),
            connection,
            cancel: CancellationToken::new(),
            #[cfg(feature = "v2")]
            is_silent: false,
        }
    }

    /// The call is one of this session: an agent that is its own config has the session's options.
    pub(crate) fn enter(&mut self, session: &SessionOf<A>) {
        self.receiver = A::receiver::<A::Threading>(&self.connection.host.agent, &session.handle.config());
    }
}
