//! What the path of a call asks of a method.

use std::sync::Arc;

use serde::Serialize;

use crate::{
    TARGET,
    agent::{
        kinds::Kind,
        model::{CallContext, Connection, Handlers},
        params::Params,
        work::{Try, Watch},
    },
    rpc::Responder,
    wire::{Error, Result},
};

/// The method of a handler. An [extractor](crate::agent::FromCall) for handlers of any method uses this trait as a
/// bound.
///
/// The types of [`handlers`](crate::agent::handlers) implement this trait, and no other types can.
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
