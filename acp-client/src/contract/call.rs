//! One call of the agent: decoded, handled, answered, and forgotten when the agent withdraws it.

use std::sync::Arc;

use acp_runtime_core::{
    __role::{CancellationToken, Entered, Responder, Start},
    Error,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::Handlers;
use crate::{
    role::{ClientRole, session_of},
    schema::Method,
    values::{RequestPermissionOutcome, RequestPermissionResponse, methods},
};

/// A request or notification that has arrived.
pub struct Call<'l, C: Handlers> {
    role: &'l Arc<ClientRole<C>>,
    method: &'l str,
    params: Option<&'l RawValue>,
    responder: Option<Responder>,
}

impl<'l, C: Handlers> Call<'l, C> {
    pub(crate) fn new(
        role: &'l Arc<ClientRole<C>>,
        method: &'l str,
        params: Option<&'l RawValue>,
        responder: Option<Responder>,
    ) -> Self {
        Self { role, method, params, responder }
    }

    /// The method's name on the wire.
    pub fn method(&self) -> &'l str {
        self.method
    }

    /// The params, as they came.
    pub fn params(&self) -> Option<&'l RawValue> {
        self.params
    }

    /// Answers a method that has no handler. Permission may be asked of every client.
    pub fn unhandled(self) {
        let Some(responder) = self.responder else { return };
        match self.method {
            methods::RequestPermission::NAME => responder.respond(Ok(not_permitted())),
            method => responder.respond::<()>(Err(Error::method_not_found(method))),
        }
    }

    /// Decodes the params and starts the handler. Never waits.
    ///
    /// The handler's future is dropped where it stands when the agent withdraws the request. So is one that asks the user for
    /// something, when the turn that it belongs to is cancelled.
    pub fn handle<P, T, F>(self, handler: impl FnOnce(Arc<C>, P) -> F)
    where
        P: DeserializeOwned,
        T: Serialize + Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let Self { role, method, params, responder } = self;
        let text = params.map_or("{}", RawValue::get);
        let decoded = match serde_json::from_str(text) {
            Ok(decoded) => decoded,
            Err(error) => {
                tracing::debug!(method, %error, "refused params");
                let refusal = || Error::invalid_params(format!("the params of `{method}` cannot be read: {error}"));
                return responder.into_iter().for_each(|responder| responder.respond::<()>(Err(refusal())));
            }
        };
        let withdrawn = CancellationToken::new();
        let peer = &role.link.peer;
        let entered = responder.as_ref().and_then(Responder::id).map(|id| peer.enter(id, &withdrawn));
        let is_permission = method == methods::RequestPermission::NAME;
        let asks = is_permission || method == methods::CreateElicitation::NAME;
        let turn = session_of(text).filter(|_| asks).and_then(|id| role.link.turn_of(&id)).unwrap_or_default();
        let mut answer = Answer { responder, is_permission, _entered: entered };
        let work = handler(role.client.clone(), decoded);
        let task = async move {
            if let Some(outcome) = turn.run_until_cancelled(work).await {
                answer.give(outcome);
            }
        };
        peer.tasks.start(task, Start::Here(None), Some(withdrawn));
    }
}

/// The answer to a call. Dropped before it was given, it says why there is none.
struct Answer {
    responder: Option<Responder>,
    is_permission: bool,
    _entered: Option<Entered>,
}

impl Answer {
    fn give<T: Serialize>(&mut self, outcome: Result<T, Error>) {
        if let Some(responder) = self.responder.take() {
            responder.respond(outcome);
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        let Some(responder) = self.responder.take() else { return };
        if std::thread::panicking() {
            return responder.respond::<()>(Err(Error::internal_error("the client's handler panicked")));
        }
        if self.is_permission {
            return responder.respond(Ok(not_permitted()));
        }
        responder.respond::<()>(Err(Error::request_cancelled()));
    }
}

fn not_permitted() -> RequestPermissionResponse {
    RequestPermissionResponse::new(RequestPermissionOutcome::Cancelled)
}
