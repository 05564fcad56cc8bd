//! The path of a call: `receive` reads it, `incoming` admits it, `guard` lends it to the handler, concludes it and answers it.
//! Beside the path: `route` finds functions for methods that the schema does not know, `changes` are changes of options, and
//! `event` calls the functions that no message calls.

mod changes;
mod event;
mod guard;
mod incoming;
mod lent;
mod receive;
mod route;

use std::sync::Arc;

pub use event::SessionEvent;
pub use guard::CallGuard;
pub use incoming::{Admitted, Call};
pub use lent::Parts;
pub(crate) use lent::absent;
pub use route::Route;
pub(in crate::agent) use route::{is_opened_for, route_once_from};

use super::{
    connection::Connection,
    expansion::{Handlers, KeptAgent},
    host::SessionOf,
};
use crate::rpc::CancellationToken;

/// What every call has.
pub struct CallContext<A: Handlers> {
    pub(crate) connection: Arc<Connection<A>>,
    /// The agent as the handler gets it.
    pub(crate) receiver: KeptAgent<A>,
    /// Cancels the call.
    pub(crate) cancel: CancellationToken,
}

impl<A: Handlers> CallContext<A> {
    pub(crate) fn new(connection: Arc<Connection<A>>) -> Self {
        Self { receiver: connection.host.agent.clone(), connection, cancel: CancellationToken::new() }
    }

    /// The call is one of this session: an agent that is its own config has the session's options.
    pub(crate) fn enter(&mut self, session: &SessionOf<A>) {
        self.receiver = A::receiver::<A::Threading>(&self.connection.host.agent, &session.handle.config());
    }
}
