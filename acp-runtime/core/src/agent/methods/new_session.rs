//! `session/new`: a new session, whose id the agent chooses.
//!
//! See [Creating a session](https://agentclientprotocol.com/protocol/v1/session-setup#creating-a-session).

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{Called, Handled, OfSession, Served, handler, method, opening};
use crate::{
    agent::{
        call::CallContext,
        capability_checks,
        connection::Connection,
        expansion::{self, Handlers, IntoAnswer, WithId},
        kinds::{Directories, NewCall, NewKept},
        parts::Part,
    },
    rpc::Responder,
    values::{NewSessionRequest, NewSessionResponse, SessionId},
    wire::Result,
};

handler! {
    /// `session/new`: a session begins. Without this handler, its state is `Session::default()`.
    ///
    /// Often `async fn new_session(&self, request: NewSessionRequest) -> Result<Session>`. The parameter `&SessionId` is the id
    /// that the runtime has made; an id that the handler returns replaces it.
    ///
    /// See [Creating a session](https://agentclientprotocol.com/protocol/v1/session-setup#creating-a-session).
    new_session
}
method!(new_session = NewSession(NewSessionRequest) -> NewSessionResponse);
opening::answers!(new_session);

pub(super) const SERVED: Served = Served::unadvertised::<new_session>();

#[diagnostic::do_not_recommend]
impl<A: Handlers<Session = S>, S> IntoAnswer<new_session, A, WithId> for (SessionId, S) {
    fn answer(self) -> Result<expansion::OpenedSession<S, A::Config, A::KeptShared>> {
        let (id, session) = self;
        Ok(expansion::OpenedSession::new(session).shared(expansion::default_shared::<A>()?).id(id))
    }
}

/// So the handler may take the id that the runtime has made.
impl OfSession for new_session {}

impl<A: Handlers> Called<A> for new_session {
    fn admit(_: &mut CallContext<A>, params: &Self::Params) -> Result<NewCall<A>> {
        let roots = Directories { cwd: &params.cwd, additional_directories: &params.additional_directories };
        capability_checks::roots::<A>(&roots)?;
        capability_checks::mcp_servers::<A>(&params.mcp_servers)?;
        Ok(NewCall::admit(&roots))
    }
}

impl<A: Handlers> Handled<A> for new_session {
    type Params = NewSessionRequest;
    type Answer = expansion::OpenedSession<A::Session, A::Config, A::KeptShared>;
    type Response = Box<RawValue>;
    type Admitted = NewCall<A>;
    const IS_UNNAMED: bool = true;

    fn relax(params: &mut Self::Params) {
        A::Parts::relaxes_servers(&mut params.mcp_servers);
    }

    async fn conclude(
        context: &mut CallContext<A>,
        call: &mut NewCall<A>,
        answer: Self::Answer,
    ) -> Result<Self::Response> {
        call.open(context, answer).await
    }

    fn respond(
        connection: &Arc<Connection<A>>,
        kept: NewKept<A>,
        responder: Option<Responder>,
        response: Result<Self::Response>,
    ) {
        kept.respond(connection, responder, response);
    }
}
