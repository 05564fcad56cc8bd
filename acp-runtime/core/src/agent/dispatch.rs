//! The agent's role: it passes each message to its handler. No function here waits.

use std::{pin::Pin, sync::Arc};

use serde_json::value::RawValue;
use tokio::time::Instant;
use tracing::{Instrument, Span};

use super::{
    commands,
    connection::Connection,
    context::{has_life, keep_options},
    contract::{Call, Destination, Handlers, of_notification, of_request},
    gate, initialize,
    methods::handlers,
    params::Params,
};
use crate::{
    TARGET,
    config::{mode, request::SetOption, shown::ShownOption, table::table},
    rpc::{CancellationToken, Invalid, Peer, Responder, Role, Start},
    schema::Method,
    session::Session,
    values::{self, SessionModeId, methods},
    wire::{Error, Result, quoted::Short},
};

impl<A: Handlers> Role for Connection<A> {
    fn peer(&self) -> &Arc<Peer> {
        self.line.peer()
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
        if const { A::IDENTITY.is_gated() } && gate::is_shut(self, method) {
            return responder.respond::<()>(Err(Error::auth_required()));
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
            methods::Prompt::NAME if const { commands::has_some::<A>() } => {
                let arm = self.command(params).unwrap_or(method);
                A::call(Call::new(self, arm, params, Some(responder)).sent_as(sent));
            }
            methods::LoadSession::NAME | methods::ResumeSession::NAME if const { A::STORE.is_some() } => {
                let arm = handlers::restore_session::ARM;
                A::call(Call::new(self, arm, params, Some(responder)).sent_as(method));
            }
            // No client calls it by this name.
            handlers::restore_session::ARM if const { A::STORE.is_some() } => {
                responder.respond::<()>(Err(Error::method_not_found(sent)));
            }
            _ => match of_request::<A>(method) {
                Destination::Own => A::call(Call::new(self, method, params, Some(responder)).sent_as(sent)),
                Destination::Arm(arm) => A::call(Call::new(self, arm, params, Some(responder)).sent_as(method)),
                Destination::Nowhere => responder.respond::<()>(Err(Error::method_not_found(sent))),
            },
        }
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

    fn invalid(&self, Invalid { to, id, error, .. }: Invalid<'_>) {
        self.line.refuse(to, id, &error);
    }

    fn abandon(&self) {
        if const { A::IDENTITY.queues() }
            && let Some(waiting) = self.waiting()
        {
            waiting.cancel_all();
        }
        self.sessions.cancel_all();
        if const { has_life::<A>() }
            && let Some(life) = self.life()
        {
            life.abandon();
        }
    }

    async fn drain(self: &Arc<Self>, deadline: Instant) {
        let left = if const { A::STORE.is_some() } { Some(self.left()) } else { None };
        if const { has_life::<A>() }
            && let Some(life) = self.life()
        {
            // Boxed, so that the program of an agent without these functions has no code of it.
            let part: Pin<Box<dyn Future<Output = ()> + Send + '_>> = Box::pin(self.part(life, deadline));
            part.await;
        } else {
            self.line.tasks.drain(deadline).await;
        }
        if const { A::STORE.is_some() }
            && let Some(left) = left
        {
            // Boxed, as above.
            let released: Pin<Box<dyn Future<Output = ()> + Send + '_>> = Box::pin(self.release_all(left, deadline));
            released.await;
        }
    }
}

impl<A: Handlers> Connection<A> {
    pub(super) fn has_options(&self) -> bool {
        !table::<A::Config>().is_empty()
    }

    /// Cancels the turn before the agent's own handler runs. It also does so if there is no such handler.
    fn cancel(self: &Arc<Self>, params: Option<&RawValue>) {
        match values::CancelNotification::decode(params) {
            Ok(request) => {
                if let Ok(session) = self.sessions.get(request.session_id.as_ref()) {
                    // What waits is cancelled first. Otherwise it could begin between the two.
                    if const { A::IDENTITY.queues() }
                        && let Some(waiting) = self.waiting()
                    {
                        waiting.cancel(&session);
                    }
                    session.cancel_turn();
                    if A::METHODS.contains(&methods::Cancel::NAME) {
                        A::call(Call::new(self, methods::Cancel::NAME, params, None));
                    }
                }
            }
            Err(error) => tracing::debug!(target: TARGET, %error, "ignored a malformed cancel"),
        }
    }

    fn set_option(self: &Arc<Self>, responder: Responder, params: Option<&RawValue>) {
        let admitted = params.ok_or_else(|| Error::invalid_params("`params` is missing")).and_then(|params| {
            let request = SetOption::parse(params)?;
            Ok((self.sessions.get(&request.session_id)?, request))
        });
        let (session, request) = match admitted {
            Ok(admitted) => admitted,
            Err(error) => return responder.respond::<()>(Err(error)),
        };
        let (id, option) = (session.handle.id(), Short(&request.config_id));
        let span = tracing::debug_span!(target: TARGET, "transaction", cause = "session/set_config_option", session = %id, %option);
        let mut responder = Some(responder);
        let at_once = if const { A::STORE.is_some() } {
            None
        } else {
            span.in_scope(|| session.handle.set_option_at_once(&request, self.full_state(&mut responder)))
        };
        match at_once {
            Some(Ok(())) => return,
            Some(Err(error)) => return respond::<()>(&mut responder, Err(error)),
            None => {}
        }
        self.change_later(session, Change::Option(request.into_owned()), responder, span);
    }

    fn set_mode(self: &Arc<Self>, responder: Responder, params: Option<&RawValue>) {
        let admitted = values::SetSessionModeRequest::decode(params)
            .and_then(|request| Ok((self.sessions.get(request.session_id.as_ref())?, request)));
        let (session, request) = match admitted {
            Ok(admitted) => admitted,
            Err(error) => return responder.respond::<()>(Err(error)),
        };
        let span = tracing::debug_span!(target: TARGET, "transaction", cause = "session/set_mode", session = %session.handle.id());
        self.change_later(session, Change::Mode(request.mode_id), Some(responder), span);
    }

    /// Makes a change that may have to wait. If its request is withdrawn, the change is dropped.
    fn change_later(
        self: &Arc<Self>,
        session: Arc<Session<A::Config, A::Session>>,
        change: Change,
        mut responder: Option<Responder>,
        span: Span,
    ) {
        let cancel = CancellationToken::new();
        let way = responder.as_ref().and_then(Responder::way).cloned();
        let entered = responder.as_ref().and_then(Responder::id).map(|id| self.line.enter(id, &cancel));
        let connection = self.clone();
        let later = async move {
            let _entered = entered;
            let keep = |draft: &A::Config| keep_options::<A>(&session.handle, draft);
            let changed = match &change {
                Change::Option(request) => {
                    session.handle.set_option(request, &cancel, keep, connection.full_state(&mut responder)).await
                }
                Change::Mode(mode) => {
                    let answer = || respond(&mut responder, Ok(values::SetSessionModeResponse::new()));
                    session.handle.set_mode(mode.as_ref(), &cancel, keep, answer).await
                }
            };
            if let Err(error) = changed {
                respond::<()>(&mut responder, Err(error));
            }
        };
        self.line.tasks.start(later.instrument(span), Start::Here(way), None);
    }

    /// The answer to a change of options: all options with their values at that time.
    fn full_state(&self, responder: &mut Option<Responder>) -> impl FnOnce(Vec<ShownOption<'_>>) {
        let dialect = self.line.dialect();
        move |options| {
            if let Some(responder) = responder.take() {
                responder.respond_as(&|out| dialect.options(out, &options));
            }
        }
    }
}

/// A change that a client requests.
enum Change {
    Option(SetOption<'static>),
    Mode(SessionModeId),
}

/// Answers a change at most once. A commit answers after the messages that it publishes; if the change was refused or
/// withdrawn, the answer comes from here.
fn respond<T: serde::Serialize>(responder: &mut Option<Responder>, result: Result<T>) {
    if let Some(responder) = responder.take() {
        responder.respond(result);
    }
}
