//! `initialize`: an optional handler adds to what the declaration says.
//!
//! See [Initialization](https://agentclientprotocol.com/protocol/v1/initialization).

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::{Handled, Served, handler, method};
use crate::{
    agent::{
        Initialized,
        connection::Connection,
        context::{CallContext, Kept},
        contract::{Handlers, IntoAnswer, Itself, Short},
    },
    rpc::Responder,
    values::{InitializeRequest, InitializeResponse},
    wire::{Error, Result},
};

handler! {
    /// `initialize`: what only the running agent knows of itself. Without this handler the declaration is the answer.
    ///
    /// Often `async fn initialize(&self, request: InitializeRequest) -> Result<Initialized>`.
    ///
    /// See [Initialization](https://agentclientprotocol.com/protocol/v1/initialization).
    initialize
}
method!(initialize = Initialize(InitializeRequest) -> InitializeResponse);

pub(super) const SERVED: Served = Served::unadvertised::<initialize>();

#[diagnostic::do_not_recommend]
impl<A: Handlers> IntoAnswer<initialize, A, Itself> for Initialized {
    fn answer(self) -> Result<Self> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<A: Handlers> IntoAnswer<initialize, A, Short> for () {
    fn answer(self) -> Result<Initialized> {
        Ok(Initialized::new())
    }
}

/// The answer, and the connection that is initialized when the answer is written.
pub struct Introduction<A: Handlers> {
    answer: Box<RawValue>,
    connection: Arc<Connection<A>>,
}

impl<A: Handlers> Serialize for Introduction<A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.answer.serialize(serializer)
    }
}

impl<A: Handlers> Handled<A> for initialize {
    type Params = InitializeRequest;
    type Answer = Initialized;
    type Response = Introduction<A>;

    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        context.connection().begin_handshake(params)
    }

    async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
        let connection = context.connection().clone();
        let answer = connection.handshake_answer(answer);
        if answer.is_err() {
            connection.handshake.give_up();
        }
        Ok(Introduction { answer: answer?, connection })
    }

    fn fail(context: &mut CallContext<A>, error: Error) -> Result<Self::Response> {
        context.connection().handshake.give_up();
        Err(error)
    }

    // A request that comes before the answer is refused, and one behind it is served: the client knows which is which.
    fn respond(_: &mut Kept<A>, responder: Option<Responder>, response: Result<Self::Response>) {
        let Some(responder) = responder else { return };
        match response {
            Ok(introduction) => {
                let Introduction { answer, connection } = introduction;
                responder.respond_and(Ok(answer), &mut || connection.handshake.conclude(&connection.line));
            }
            Err(error) => responder.respond::<()>(Err(error)),
        }
    }
}
