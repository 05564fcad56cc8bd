//! Changes of options that the client requests.

use std::sync::Arc;

use serde_json::value::RawValue;
use tracing::{Instrument, Span};

use crate::{
    TARGET,
    agent::{
        model::{Connection, Handlers, Part, SessionOf},
        params::Params,
    },
    config::{request::SetOption, shown::FullState},
    rpc::{CancellationToken, Responder, Start},
    values::{self, SessionModeId},
    wire::{Error, Result, quoted::Short},
};

impl<A: Handlers> Connection<A> {
    pub(super) fn set_option(self: &Arc<Self>, responder: Responder, params: Option<&RawValue>) {
        let admitted = params.ok_or_else(|| Error::invalid_params("`params` is missing")).and_then(|params| {
            let request = SetOption::parse(params, self.line.dialect().check_of_type())?;
            Ok((self.session(&request.session_id)?, request))
        });
        let (session, request) = match admitted {
            Ok(admitted) => admitted,
            Err(error) => return responder.respond::<()>(Err(error)),
        };
        let (id, option) = (session.handle.id(), Short(&request.config_id));
        let span = tracing::debug_span!(target: TARGET, "transaction", cause = "session/set_config_option", session = %id, %option);
        let mut responder = Some(responder);
        let at_once = if const { A::Parts::KEEPS_OPTIONS } {
            None
        } else {
            span.in_scope(|| session.handle.set_option_at_once(&self.line, &request, self.full_state(&mut responder)))
        };
        match at_once {
            Some(Ok(())) => return,
            Some(Err(error)) => return respond::<()>(&mut responder, Err(self.refused(&session, error))),
            None => {}
        }
        self.change_later(session, Change::Option(request.into_owned()), responder, span);
    }

    pub(super) fn set_mode(self: &Arc<Self>, responder: Responder, params: Option<&RawValue>) {
        let admitted = values::SetSessionModeRequest::decode(params)
            .and_then(|request| Ok((self.session(request.session_id.as_ref())?, request)));
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
        session: Arc<SessionOf<A>>,
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
            let keep = |draft: &A::Config| connection.host.parts.keeps_options(&session, draft);
            let changed = match &change {
                Change::Option(request) => {
                    session
                        .handle
                        .set_option(&connection.line, request, &cancel, keep, connection.full_state(&mut responder))
                        .await
                }
                Change::Mode(mode) => {
                    let answer = || respond(&mut responder, Ok(values::SetSessionModeResponse::new()));
                    session.handle.set_mode(&connection.line, mode.as_ref(), &cancel, keep, answer).await
                }
            };
            if let Err(error) = changed {
                respond::<()>(&mut responder, Err(connection.refused(&session, error)));
            }
        };
        self.line.tasks.start(later.instrument(span), Start::Here(way), None);
    }

    /// The error of a change. A session that has ended meanwhile, or that this client has left, is not there any more.
    fn refused(&self, session: &SessionOf<A>, error: Error) -> Error {
        let id = session.handle.id();
        let is_there = !session.handle.output().is_over() && self.session(id.as_ref()).is_ok();
        if is_there { error } else { Error::session_not_found(id.as_ref()) }
    }

    /// The answer to a change of options: all options with their values at that time.
    fn full_state(&self, responder: &mut Option<Responder>) -> impl FnOnce(FullState<'_>) {
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
