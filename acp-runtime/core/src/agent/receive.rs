//! The agent's role: it passes each message to its handler. No function here waits.

use std::sync::Arc;

use serde_json::value::RawValue;
use tokio::time::Instant;

use super::call::route::{Destination, of_notification, of_request};
#[cfg(feature = "unstable")]
use crate::agent::drafts;
use crate::{
    TARGET,
    agent::{
        initialize,
        model::{Block, Call, Connection, Handlers, Part},
        params::{self, Params},
    },
    config::{mode, table::table},
    rpc::{Invalid, Peer, Responder, Role},
    schema::Method,
    values::{self, methods},
    wire::Error,
};

impl<A: Handlers> Role for Connection<A> {
    fn peer(&self) -> &Arc<Peer> {
        self.line.peer()
    }

    #[cfg(feature = "v2")]
    fn takes_id(&self, id: &RawValue) -> bool {
        self.line.dialect().takes_id(id)
    }

    fn request(self: &Arc<Self>, responder: Responder, sent: &str, params: Option<&RawValue>) {
        if sent == methods::Initialize::NAME {
            return initialize::request(self, responder, params);
        }
        if !self.line.is_initialized() {
            return responder.respond::<()>(Err(Error::invalid_request("`initialize` comes first")));
        }
        let call = match self.line.dialect().call(sent, params) {
            Ok(call) => call,
            Err(no) => return responder.respond::<()>(Err(no.refuse(sent, params))),
        };
        let (method, params) = (call.method, call.params.as_deref().or(params));
        if self.line.tasks.is_full() && method != methods::Cancel::NAME {
            return responder.respond::<()>(Err(Error::internal_error(
                "the agent works on as many requests as it takes at once; ask again when some are answered",
            )));
        }
        let responder = if const { A::Parts::PREPARES } {
            let Some(responder) = self.hold(responder, [sent, method], params) else { return };
            responder
        } else {
            responder
        };
        self.asked(responder, [sent, method], params);
    }

    fn notification(self: &Arc<Self>, method: &str, params: Option<&RawValue>) {
        if !self.line.is_initialized() {
            return tracing::debug!(target: TARGET, "ignored a notification before `initialize`");
        }
        let call = match self.line.dialect().call(method, params) {
            Ok(call) => call,
            Err(no) => {
                let error = no.refuse(method, params);
                return tracing::debug!(target: TARGET, %error, "ignored a notification");
            }
        };
        let (method, params) = (call.method, call.params.as_deref().or(params));
        if const { A::Parts::PREPARES }
            && let Some(session) = params.and_then(params::session_id)
            && self.hold_behind(session.as_ref(), method, params)
        {
            return;
        }
        self.notified(method, params);
    }

    fn invalid(&self, Invalid { to, id, error, .. }: Invalid<'_>) {
        self.line.refuse(to, id, &error);
    }

    fn abandon(&self) {
        if const { A::Parts::PREPARES } {
            self.refuse_held();
        }
        self.cancel_all();
        A::Parts::abandons(&self.parts);
    }

    async fn drain(self: &Arc<Self>, deadline: Instant) {
        let _over = Over(self);
        self.depart();
        self.line.tasks.drain(deadline).await;
        if let Some(work) = self.host.parts.drains(&self.parts, self, deadline) {
            work.await;
        }
    }
}

/// The connection is over when this is dropped.
struct Over<'c, A: Handlers>(&'c Connection<A>);

impl<A: Handlers> Drop for Over<'_, A> {
    fn drop(&mut self) {
        A::Parts::over(&self.0.parts);
    }
}

impl<A: Handlers> Connection<A> {
    /// Takes a request whose time has come.
    pub(in crate::agent) fn asked(
        self: &Arc<Self>,
        responder: Responder,
        [sent, method]: [&str; 2],
        params: Option<&RawValue>,
    ) {
        if let Err(error) = self.host.parts.admits(self, method) {
            return responder.respond::<()>(Err(error));
        }
        #[cfg(feature = "unstable")]
        if let Err(error) = drafts::check::<A>(self.line.dialect().version(), method, params) {
            return responder.respond::<()>(Err(error));
        }
        match method {
            methods::SetSessionConfigOption::NAME if self.has_options() => self.set_option(responder, params),
            methods::SetSessionMode::NAME if mode::mirrored::<A::Config>().is_some() => {
                self.set_mode(responder, params)
            }
            // Some clients send `session/cancel` as a request. It has the same effect.
            methods::Cancel::NAME => {
                self.cancel(params);
                responder.respond(Ok(serde_json::Map::new()));
            }
            _ => {
                let call = Call::new(self, method, params, Some(responder)).sent_as(sent);
                let Some(call) = self.host.parts.receives(call) else { return };
                match of_request::<A>(call.method()) {
                    Destination::Own => A::call(call),
                    Destination::Arm(arm) => A::call(call.to(arm).sent_as(method)),
                    Destination::Nowhere => call.refuse(Error::method_not_found(sent)),
                }
            }
        }
    }

    pub(in crate::agent) fn notified(self: &Arc<Self>, method: &str, params: Option<&RawValue>) {
        match method {
            methods::Cancel::NAME => self.cancel(params),
            _ if self.line.tasks.is_full() => {
                tracing::warn!(target: TARGET, "dropped a notification: too many handlers are at work")
            }
            _ => match of_notification::<A>(method) {
                Destination::Own => A::call(Call::new(self, method, params, None)),
                Destination::Arm(arm) => A::call(Call::new(self, arm, params, None).sent_as(method)),
                Destination::Nowhere => tracing::debug!(target: TARGET, "ignored an unknown notification"),
            },
        }
    }

    pub(in crate::agent) fn has_options(&self) -> bool {
        !table::<A::Config>().is_empty()
    }

    /// Cancels the turn before the agent's own handler runs. It also does so if there is no such handler.
    fn cancel(self: &Arc<Self>, params: Option<&RawValue>) {
        match values::CancelNotification::decode(params) {
            Ok(request) => {
                if let Ok(session) = self.session(request.session_id.as_ref()) {
                    session.cancel();
                    if Block::handle(A::BLOCKS, methods::Cancel::NAME) {
                        A::call(Call::new(self, methods::Cancel::NAME, params, None));
                    }
                }
            }
            Err(error) => tracing::debug!(target: TARGET, %error, "ignored a malformed cancel"),
        }
    }
}
