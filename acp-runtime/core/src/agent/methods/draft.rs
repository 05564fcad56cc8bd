//! The methods of drafts, each by its generated marker: a request or a notification, one that ends the session of its params, and
//! one that opens a session. A draft may change at any time. So this code names none, and no field of one: the handler's
//! parameter and answer have the types of the marker, and the session is read from the JSON of the params.

use std::{marker::PhantomData, sync::Arc};

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{answers, extension::enter_named, opening, takes};
use crate::{
    agent::{
        call::{Called, Handled},
        capability_checks,
        expansion::OfActiveSession,
        kinds::{EndingCall, Named, NewKept, OpenerCall},
        model::{CallContext, Connection, EndingKept, Handlers, Part},
        opened_session::OpenedSession,
        params::{self, Params},
    },
    config::ConfigOptions,
    rpc::Responder,
    schema::Method,
    session::Ended,
    values::{McpServer, Meta, SessionId},
    wire::{Error, Result, decode},
};

/// A request of a draft, declared with `#[draft]`.
#[derive(Debug)]
pub struct DraftOf<M>(PhantomData<fn() -> M>);

/// A notification of a draft, declared with `#[draft]`.
#[derive(Debug)]
pub struct DraftNotificationOf<M>(PhantomData<fn() -> M>);

/// A request of a draft that ends the session of its params, as `session/close` does, if this session is active.
#[derive(Debug)]
pub struct DraftEndOf<M>(PhantomData<fn() -> M>);

/// A request of a draft that opens a session, perhaps from the one of its params.
#[derive(Debug)]
pub struct DraftOpenerOf<M>(PhantomData<fn() -> M>);

/// The params of a draft, which fit the type of its marker.
pub struct DraftParams<M> {
    raw: Box<RawValue>,
    marker: PhantomData<fn() -> M>,
}

impl<M: Method> DraftParams<M> {
    // Decoded again, because a type of a schema need not be `Sync`, which the params of a call are.
    fn typed(&self) -> Result<M::Params> {
        params::object(Some(&self.raw))
    }
}

impl<M: Method> Params for DraftParams<M> {
    fn decode(params: Option<&RawValue>) -> Result<Self> {
        let params = Self { raw: Box::decode(params)?, marker: PhantomData };
        params.typed()?;
        Ok(params)
    }

    fn meta(&self) -> Option<Meta> {
        self.raw.meta()
    }
}

takes! {
    [A: Handlers, M: Method<Params = T>, T: DeserializeOwned] DraftOf<M>: T, REQUEST = |parts| parts.request()?.typed();
    [A: Handlers, M: Method<Params = T>, T: DeserializeOwned] DraftNotificationOf<M>: T, REQUEST = |parts| parts.request()?.typed();
    [A: Handlers, M: Method<Params = T>, T: DeserializeOwned] DraftEndOf<M>: T, REQUEST = |parts| parts.request()?.typed();
    [A: Handlers, M: Method<Params = T>, T: DeserializeOwned] DraftOpenerOf<M>: T, REQUEST = |parts| parts.request()?.typed();
}

answers! {
    [A: Handlers, M: Method<Response = T>, T: Send] DraftOf<M>: T as Itself = |answer| Ok(answer);
    [A: Handlers, M: Method<Response = T>, T: Default + Send] DraftOf<M>: () as Short = |()| Ok(T::default());
    [A: Handlers, M: Method<Response = T>, T: Send] DraftEndOf<M>: T as Itself = |answer| Ok(answer);
    [A: Handlers, M: Method<Response = T>, T: Default + Send] DraftEndOf<M>: () as Short = |()| Ok(T::default());
    [A: Handlers, M: Method] DraftNotificationOf<M>: () as Itself = |()| Ok(());
}

/// The session that the params name, if it is active. A draft may be about a session that is not.
macro_rules! named {
    ($method:ident => $response:ty) => {
        impl<M> OfActiveSession for $method<M> {
            fn absent() -> Error {
                inactive()
            }
        }

        impl<A: Handlers, M: Method> Handled<A> for $method<M> {
            type Params = DraftParams<M>;
            type Answer = $response;
            type Response = $response;
            type Admitted = Named<A>;

            async fn conclude(_: &mut CallContext<A>, _: &mut Named<A>, answer: $response) -> Result<$response> {
                Ok(answer)
            }
        }

        impl<A: Handlers, M: Method> Called<A> for $method<M> {
            fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<Named<A>> {
                Ok(enter_named(context, &params.raw))
            }
        }
    };
}
named!(DraftOf => M::Response);
named!(DraftNotificationOf => ());

fn inactive() -> Error {
    Error::new(Error::RESOURCE_NOT_FOUND, "`sessionId` names no active session")
}

impl<M> OfActiveSession for DraftEndOf<M> {
    fn absent() -> Error {
        inactive()
    }
}

impl<A: Handlers, M: Method> Called<A> for DraftEndOf<M> {
    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<EndingCall<A>> {
        let id = params::session_id(&params.raw).ok_or_else(inactive)?;
        // A session that is not active may be stored, so the handler decides.
        EndingCall::ask(&context.connection, &id, Ended::Closed, true)
    }
}

impl<A: Handlers, M: Method> Handled<A> for DraftEndOf<M> {
    type Params = DraftParams<M>;
    type Answer = M::Response;
    type Response = M::Response;
    type Admitted = EndingCall<A>;

    async fn ready(
        context: &mut CallContext<A>,
        call: &mut EndingCall<A>,
        _: Option<&Self::Params>,
        _: &mut Option<Responder>,
    ) -> Result<()> {
        call.ready(context, true).await
    }

    async fn conclude(
        context: &mut CallContext<A>,
        call: &mut EndingCall<A>,
        answer: Self::Answer,
    ) -> Result<Self::Response> {
        match call.conclude(context).await {
            Ok(()) => Ok(answer),
            Err(error) => Self::fail(context, call, error),
        }
    }

    fn fail(context: &mut CallContext<A>, call: &mut EndingCall<A>, error: Error) -> Result<Self::Response> {
        if !call.has_ended() {
            call.undo(context);
        }
        Err(error)
    }

    fn respond(
        connection: &Arc<Connection<A>>,
        kept: EndingKept<A>,
        responder: Option<Responder>,
        response: Result<Self::Response>,
    ) {
        if let Some(responder) = responder {
            responder.respond(response);
        }
        kept.tell(connection);
    }
}

answers! {
    [A: Handlers<Session = S, Config = C>, M: Method, S, C: ConfigOptions] DraftOpenerOf<M>: OpenedSession<S, C> as Itself =
        |opened| Ok(opened.shared(crate::agent::declaration::default_shared::<A>()?));
    [A: Handlers<Session = S, Config = C, Shared = H>, M: Method, S, C: ConfigOptions, H] DraftOpenerOf<M>: OpenedSession<S, C, H> as WithShared =
        |opened| Ok(opened.keep_shared::<A>());
    [A: Handlers<Session = S, Shared = H>, M: Method, S, H] DraftOpenerOf<M>: (S, H) as WithShared =
        |(session, shared)| Ok(OpenedSession::new(session).shared(shared).keep_shared::<A>());
    [A: Handlers<Session = S>, M: Method, S] DraftOpenerOf<M>: (SessionId, S) as WithId =
        |(id, session)| Ok(opening::alone::<A>(session)?.id(id));
    [A: Handlers<Session = S>, M: Method, S] DraftOpenerOf<M>: S as Short = |session| opening::alone::<A>(session);
}

/// The session that the params name.
impl<M> OfActiveSession for DraftOpenerOf<M> {
    fn absent() -> Error {
        inactive()
    }
}

/// What each method that opens a session has.
#[derive(Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Servers {
    mcp_servers: Vec<McpServer>,
}

impl<A: Handlers, M: Method> Called<A> for DraftOpenerOf<M> {
    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<OpenerCall<A>> {
        let raw = &params.raw;
        let mut servers: Servers = decode::from_json(raw.get()).map_err(Error::from)?;
        A::Parts::relaxes_servers(&mut servers.mcp_servers);
        capability_checks::mcp_servers::<A>(&servers.mcp_servers)?;
        OpenerCall::admit_copy(raw, enter_named(context, raw), params::session_id(raw))
    }
}

impl<A: Handlers, M: Method> Handled<A> for DraftOpenerOf<M> {
    type Params = DraftParams<M>;
    type Answer = OpenedSession<A::Session, A::Config, A::KeptShared>;
    type Response = Box<RawValue>;
    type Admitted = OpenerCall<A>;
    const IS_UNNAMED: bool = true;

    async fn ready(
        context: &mut CallContext<A>,
        call: &mut OpenerCall<A>,
        _: Option<&Self::Params>,
        _: &mut Option<Responder>,
    ) -> Result<()> {
        call.read_source(context).await
    }

    async fn conclude(
        context: &mut CallContext<A>,
        call: &mut OpenerCall<A>,
        mut answer: Self::Answer,
    ) -> Result<Self::Response> {
        call.inherit(context, &mut answer)?;
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
