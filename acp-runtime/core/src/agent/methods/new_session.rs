//! `session/new`: a new session, whose id the agent chooses.
//!
//! See [Creating a session](https://agentclientprotocol.com/protocol/v1/session-setup#creating-a-session).

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{Served, answers, handler, method, opening};
use crate::{
    agent::{
        call::{Called, Handled, OfSession},
        capability_checks,
        declaration::default_shared,
        kinds::{NewCall, NewKept},
        model::{Call, CallContext, Connection, Directories, Handlers, Part},
        opened_session::OpenedSession,
    },
    rpc::Responder,
    schema::Method,
    values::{NewSessionRequest, NewSessionResponse, SessionId},
    wire::{Error, Result},
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

answers! {
    [A: Handlers<Session = S>, S] new_session: (SessionId, S) as WithId = |(id, session)| Ok(opening::alone::<A>(session)?.id(id));
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
    type Answer = OpenedSession<A::Session, A::Config, A::KeptShared>;
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

impl<A: Handlers> Call<'_, A> {
    /// Refuses a method that has no handler, unless a part answers it.
    pub fn unhandled(self) {
        let Some(call) = self.connection.host.parts.answers(self) else { return };
        if const { A::NEW_SESSION.is_some() }
            && call.method == new_session::NAME
            && let Some(new) = A::NEW_SESSION
        {
            if let Some(admitted) = call.admit::<new_session>() {
                admitted.answer(default_shared::<A>().map(|shared| OpenedSession::new(new()).shared(shared)));
            }
        } else {
            let unknown = Error::method_not_found(call.sent);
            call.refuse(unknown);
        }
    }
}
