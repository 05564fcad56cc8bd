//! The methods that handlers serve, one file each. Such a file has the checks before the handler, the handler's
//! parameters, the handling of the answer, and the implied capability. A new method needs a file here, a line in
//! [`ALL`], and a name in [`handlers`].
//!
//! `opening` and `ending` contain code that several methods share. `extension` contains the methods of vendors.
//! `event` contains code of the functions that no message calls.
//! `any` contains the methods that a handler serves by prefix.

mod any;
mod authenticate;
mod cancel;
mod close_session;
mod delete_session;
mod ending;
pub(in crate::agent) mod event;
mod extension;
mod initialize;
mod list_sessions;
mod load_session;
mod logout;
mod new_session;
pub(in crate::agent) mod opening;
pub(in crate::agent) mod prompt;
mod resume_session;

use std::sync::Arc;

use serde::Serialize;

/// The handlers that an agent may have, each with the name of its function. Compile errors quote these names. An
/// [extractor](crate::agent::FromCall) for only some handlers also uses them.
///
/// The [guide](../../index.html#handlers) lists the parameters and the answer of each handler.
///
/// ```
/// use acp_runtime::{agent::{FromCall, Handlers, Parts, handlers}, prelude::*, values::SessionInfoUpdate};
///
/// # #[derive(ConfigOptions, Clone)]
/// # struct Config { #[config_option(default = false)] brave: bool }
/// /// Gives the session its title; a parameter of `prompt` alone, in agents with the config `Config`.
/// struct Title(SessionHandle<Config>);
///
/// impl Title {
///     async fn set(&self, title: &str) -> Result<()> {
///         self.0.info(SessionInfoUpdate::new().title(title.to_owned())).await
///     }
/// }
///
/// impl<'c, A: Handlers<Config = Config>> FromCall<'c, handlers::prompt, A> for Title {
///     fn from_call(parts: &mut Parts<'c, A, handlers::prompt>) -> Result<Self> {
///         // What a handler may take, an extractor may, too.
///         SessionHandle::from_call(parts).map(Self)
///     }
/// }
/// ```
pub mod handlers {
    pub use super::{
        any::{AnyNotification, AnyRequest},
        authenticate::authenticate,
        cancel::cancel,
        close_session::close_session,
        delete_session::delete_session,
        extension::{Ext, ExtNotification, ExtOf},
        initialize::initialize,
        list_sessions::list_sessions,
        load_session::load_session,
        logout::logout,
        new_session::new_session,
        prompt::prompt,
        resume_session::resume_session,
    };
    pub use crate::agent::parts::{
        commands::command,
        life::{session_ended, session_opened},
        queue::steer,
        store::restore_session,
    };
}

use super::{
    call::CallContext,
    connection::Connection,
    expansion::Handlers,
    kinds::Kind,
    params::Params,
    parts::{Try, Watch},
};
use crate::{
    TARGET,
    rpc::Responder,
    schema::Method,
    values::AgentCapabilities,
    wire::{Error, Result},
};

/// The method of a handler. An [extractor](crate::agent::FromCall) for handlers of any method uses this trait as a
/// bound.
///
/// The types of [`handlers`] implement this trait, and no other types can.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a method that an agent handles")]
pub trait Handled<A: Handlers>: Send + Sync + 'static {
    /// The request or notification for the handler, as [`Parts`](crate::agent::Parts) contains it. For an extension,
    /// this type is the raw params.
    type Params: Params;
    /// The type to which the handler's return value is converted.
    #[doc(hidden)]
    type Answer: Send;
    /// The type of the result on the wire.
    #[doc(hidden)]
    type Response: Serialize + Send;
    /// What is proven of a call before its handler runs.
    #[doc(hidden)]
    type Admitted: Kind<A>;
    /// Whether the client does not know the session's id yet.
    #[doc(hidden)]
    const IS_UNNAMED: bool = false;

    /// Drops parts of the request that the agent is lenient about, before the request is checked.
    #[doc(hidden)]
    fn relax(params: &mut Self::Params) {
        let _ = params;
    }

    /// Tells the params the name of the method, for a handler of several methods.
    #[doc(hidden)]
    #[inline]
    fn called(params: &mut Self::Params, method: &str) {
        let _ = (params, method);
    }

    /// Called after the call is admitted, before its handler starts. Returns the responder if the end of the call must
    /// still answer it.
    #[doc(hidden)]
    fn begin(
        context: &CallContext<A>,
        admitted: &Self::Admitted,
        params: &Self::Params,
        responder: Responder,
    ) -> Option<Responder> {
        let _ = (context, admitted, params);
        Some(responder)
    }

    /// A function that the task of the call calls after its steps.
    #[doc(hidden)]
    fn watch(admitted: &mut Self::Admitted) -> Option<Watch> {
        let _ = admitted;
        None
    }

    /// Waits until the handler may run.
    #[doc(hidden)]
    fn ready(
        context: &mut CallContext<A>,
        admitted: &mut Self::Admitted,
        params: Option<&Self::Params>,
        responder: &mut Option<Responder>,
    ) -> impl Future<Output = Result<()>> + Send {
        let _ = (context, admitted, params, responder);
        async { Ok(()) }
    }

    /// Makes the response from the handler's answer. This future may be dropped while it waits: it has then changed
    /// nothing.
    #[doc(hidden)]
    fn conclude(
        context: &mut CallContext<A>,
        admitted: &mut Self::Admitted,
        answer: Self::Answer,
    ) -> impl Future<Output = Result<Self::Response>> + Send;

    /// Makes the response of a failure. This also runs when the handler's future is dropped, so it never waits.
    #[doc(hidden)]
    fn fail(context: &mut CallContext<A>, admitted: &mut Self::Admitted, error: Error) -> Result<Self::Response> {
        let _ = (context, admitted);
        Err(error)
    }

    /// Work behind the handler, before the answer. It also runs when the handler's future is dropped.
    #[doc(hidden)]
    fn settle(context: &CallContext<A>, admitted: &mut Self::Admitted) -> Option<Try<'static>> {
        let _ = (context, admitted);
        None
    }

    /// Answers the call. Of the call's values, only those in `kept` still exist. This function never waits.
    #[doc(hidden)]
    fn respond(
        connection: &Arc<Connection<A>>,
        kept: <Self::Admitted as Kind<A>>::Kept,
        responder: Option<Responder>,
        response: Result<Self::Response>,
    ) {
        let _ = connection;
        respond(responder, response);
        drop(kept);
    }
}

/// A method of which a message tells. The others are functions that the runtime calls by itself.
pub trait Called<A: Handlers>: Handled<A> {
    /// Checks the request, and takes the parts that its handler needs. This runs in the order of arrival and never
    /// waits.
    #[doc(hidden)]
    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<Self::Admitted>;
}

fn respond<T: Serialize>(responder: Option<Responder>, response: Result<T>) {
    match (responder, response) {
        (Some(responder), response) => responder.respond(response),
        (None, Ok(_)) => {}
        // The handler's own error was told.
        (None, Err(error)) if error.is_heard() => {}
        (None, Err(error)) => {
            tracing::warn!(target: TARGET, code = error.code(), "a notification did not reach its handler")
        }
    }
}

/// A method whose calls belong to a session. Its handler may take `&SessionId`.
pub trait OfSession {}

/// A method of the protocol that a handler can serve.
pub(crate) struct Served {
    /// The method's name on the wire.
    pub(crate) name: &'static str,
    /// Advertises the handler in `initialize`.
    pub(crate) advertise: fn(&mut AgentCapabilities),
}

impl Served {
    const fn new<M: Method>(advertise: fn(&mut AgentCapabilities)) -> Self {
        Self { name: M::NAME, advertise }
    }

    /// A method whose handler implies no capability.
    const fn unadvertised<M: Method>() -> Self {
        Self::new::<M>(|_| {})
    }
}

/// All methods.
pub(crate) const ALL: &[Served] = &[
    authenticate::SERVED,
    cancel::SERVED,
    close_session::SERVED,
    delete_session::SERVED,
    initialize::SERVED,
    list_sessions::SERVED,
    load_session::SERVED,
    logout::SERVED,
    new_session::SERVED,
    prompt::SERVED,
    resume_session::SERVED,
];

/// The marker of a method. It has the name of the method's handlers.
macro_rules! handler {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        #[expect(non_camel_case_types, reason = "compile errors call a handler by its name")]
        pub struct $name;
    };
}

/// The types and functions of a marker. A handler takes the params by their type. This is a macro of its own, because
/// compile errors quote the whole macro call of the marker.
macro_rules! method {
    ($name:ident = $method:ident($params:ident) -> $response:ty) => {
        #[doc(hidden)] // authors find it at `values::methods`
        impl crate::schema::Method for $name {
            const NAME: &'static str = <crate::values::methods::$method as crate::schema::Method>::NAME;
            const HANDLER: &'static str = <crate::values::methods::$method as crate::schema::Method>::HANDLER;
            const SIDE: crate::schema::Side = <crate::values::methods::$method as crate::schema::Method>::SIDE;
            const KIND: crate::schema::MethodKind = <crate::values::methods::$method as crate::schema::Method>::KIND;
            const FIELDS: Option<&'static [&'static str]> =
                <crate::values::methods::$method as crate::schema::Method>::FIELDS;
            type Params = $params;
            type Response = $response;
        }

        crate::agent::params::decoded_here!($params);

        #[diagnostic::do_not_recommend]
        impl<'c, A: crate::agent::expansion::Handlers> crate::agent::expansion::FromCall<'c, $name, A> for $params {
            const SLOT: u32 = crate::agent::expansion::slot::REQUEST;

            fn from_call(parts: &mut crate::agent::call::Parts<'c, A, $name>) -> Result<Self> {
                parts.request()
            }
        }
    };
}

/// The types that a handler may answer: the response itself, or `()` for an empty response.
macro_rules! answers {
    ($method:ident: $response:ty $(, () => $empty:expr)?) => {
        #[diagnostic::do_not_recommend]
        impl<A: crate::agent::expansion::Handlers> crate::agent::expansion::IntoAnswer<$method, A, crate::agent::expansion::Itself> for $response {
            fn answer(self) -> Result<$response> {
                Ok(self)
            }
        }

        $(#[diagnostic::do_not_recommend]
        impl<A: crate::agent::expansion::Handlers> crate::agent::expansion::IntoAnswer<$method, A, crate::agent::expansion::Short> for () {
            fn answer(self) -> Result<$response> {
                Ok($empty)
            }
        })?
    };
}

/// The types of a method whose handler's answer is the whole response.
macro_rules! answers_itself {
    ($params:ty => $response:ty) => {
        type Params = $params;
        type Answer = $response;
        type Response = $response;

        async fn conclude(_: &mut CallContext<A>, _: &mut Self::Admitted, answer: $response) -> Result<$response> {
            Ok(answer)
        }
    };
}

pub(in crate::agent) use event::event;
pub(in crate::agent) use {answers, answers_itself, handler, method};
