//! `session/new`: a new session, whose id the agent chooses.
//!
//! See [Creating a session](https://agentclientprotocol.com/protocol/v1/session-setup#creating-a-session).

use serde_json::value::RawValue;

use super::{Handled, OfSession, Served, handler, method, opening};
use crate::{
    agent::{
        capability_checks,
        context::CallContext,
        contract::{self, Handlers, IntoAnswer, WithId},
    },
    session::Opened,
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
    fn answer(self) -> Result<contract::OpenedSession<S, A::Config, A::KeptShared>> {
        let (id, session) = self;
        Ok(contract::OpenedSession::new(session).shared(contract::default_shared::<A>()?).id(id))
    }
}

/// So the handler may take the id that the runtime has made.
impl OfSession for new_session {}

impl<A: Handlers> Handled<A> for new_session {
    type Params = NewSessionRequest;
    type Answer = contract::OpenedSession<A::Session, A::Config, A::KeptShared>;
    type Response = Box<RawValue>;
    const OPENS: Option<Opened> = Some(Opened::New);
    const IS_UNNAMED: bool = true;

    fn relax(params: &mut Self::Params) {
        capability_checks::drop_mcp_servers::<A>(&mut params.mcp_servers);
    }

    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        context.open_in(&params.cwd);
        capability_checks::roots::<A>(&params.cwd, &params.additional_directories)?;
        capability_checks::mcp_servers::<A>(&params.mcp_servers)?;
        context.name_session();
        if const { A::STORE.is_some() } {
            context.create_in(params);
        }
        Ok(())
    }

    async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
        if const { A::STORE.is_some() } {
            return context.create(answer).await;
        }
        context.open_new(answer)
    }
}
