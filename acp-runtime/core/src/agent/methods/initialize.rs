//! `initialize`: an optional handler adds to what the declaration says.
//!
//! See [Initialization](https://agentclientprotocol.com/protocol/v1/initialization).

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{Served, answers, handler, method};
use crate::{
    agent::{
        Initialized,
        call::{Called, Handled},
        kinds::Plain,
        model::{CallContext, Connection, Handlers},
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
answers!(initialize: Initialized, () = |()| Initialized::new());

pub(super) const SERVED: Served = Served::unadvertised::<initialize>();

impl<A: Handlers> Called<A> for initialize {
    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<Plain> {
        context.connection.begin_handshake(params)?;
        Ok(Plain(()))
    }
}

impl<A: Handlers> Handled<A> for initialize {
    type Params = InitializeRequest;
    type Answer = Initialized;
    type Response = Box<RawValue>;
    type Admitted = Plain;

    async fn conclude(context: &mut CallContext<A>, _: &mut Plain, answer: Self::Answer) -> Result<Self::Response> {
        let answer = context.connection.handshake_answer(answer);
        if answer.is_err() {
            context.connection.handshake.give_up();
        }
        answer
    }

    fn fail(context: &mut CallContext<A>, _: &mut Plain, error: Error) -> Result<Self::Response> {
        context.connection.handshake.give_up();
        Err(error)
    }

    // A request that comes before the answer is refused, and one behind it is served: the client knows which is which.
    fn respond(
        connection: &Arc<Connection<A>>,
        (): (),
        responder: Option<Responder>,
        response: Result<Self::Response>,
    ) {
        let Some(responder) = responder else { return };
        match response {
            Ok(answer) => {
                responder.respond_and(Ok(answer), &mut || connection.handshake.conclude(&connection.line));
            }
            Err(error) => responder.respond::<()>(Err(error)),
        }
    }
}
