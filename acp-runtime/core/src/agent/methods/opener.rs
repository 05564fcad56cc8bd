//! Methods of the author's own that open a session: `#[method("session/fork", opens)]`.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{extension::enter_named, opening, takes};
use crate::{
    agent::{
        call::{Called, Handled},
        expansion::OfActiveSession,
        kinds::{NewKept, OpenerCall},
        model::{CallContext, Connection, Handlers},
        opened_session::OpenedSession,
        params,
    },
    rpc::Responder,
    values::SessionId,
    wire::{Error, Result},
};

/// A request that opens a session, although it is not `session/new`; see [Any method](../../guide/own_methods/index.html#any-method).
#[derive(Debug)]
pub struct Opener;

opening::answers!(Opener);

crate::agent::call::answers! {
    [A: Handlers<Session = S>, S] Opener: (SessionId, S) as WithId = |(id, session)| Ok(opening::alone::<A>(session)?.id(id));
}

takes! {
    [A: Handlers, T: DeserializeOwned] Opener: T, REQUEST = |parts| params::of_extension(parts.request()?.as_ref());
}

/// The session that the params name as `sessionId`.
impl OfActiveSession for Opener {
    fn absent() -> Error {
        Error::invalid_params("`sessionId` names no active session")
    }
}

impl<A: Handlers> Called<A> for Opener {
    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<OpenerCall<A>> {
        OpenerCall::admit(params, enter_named(context, params))
    }
}

impl<A: Handlers> Handled<A> for Opener {
    type Params = Box<RawValue>;
    type Answer = OpenedSession<A::Session, A::Config, A::KeptShared>;
    type Response = Box<RawValue>;
    type Admitted = OpenerCall<A>;
    const IS_UNNAMED: bool = true;

    async fn conclude(
        context: &mut CallContext<A>,
        call: &mut OpenerCall<A>,
        answer: Self::Answer,
    ) -> Result<Self::Response> {
        call.new.open(context, answer).await
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
