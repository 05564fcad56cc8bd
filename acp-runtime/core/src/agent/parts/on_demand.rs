//! Sessions that are opened when a prompt or a change of options names them first: `on_demand`.

use std::{path::PathBuf, sync::Arc};

use serde_json::value::{RawValue, to_raw_value};

use crate::{
    agent::{
        call::route::{Destination, comes_as_prompt, of_request},
        model::{Block, Call, Connection, Handlers, KeptAgent, Part},
        params,
        work::Try,
    },
    config::mode,
    rpc::{CancellationToken, Responder},
    schema::Method,
    values::{ResumeSessionRequest, SessionId, methods},
    wire::{Error, Result},
};

/// The part of agents with `on_demand`.
#[derive(Debug)]
pub struct OnDemand;

impl<A: Handlers> Part<A> for OnDemand {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    const PREPARES: bool = true;

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    fn prepares(
        &self,
        connection: &Arc<Connection<A>>,
        method: &str,
        params: Option<&RawValue>,
        given_up: &CancellationToken,
    ) -> Option<Try<'static>> {
        let names_session = match method {
            methods::Prompt::NAME => true,
            methods::SetSessionConfigOption::NAME => connection.has_options(),
            methods::SetSessionMode::NAME => mode::mirrored::<A::Config>().is_some(),
            _ => comes_as_prompt::<A>(method),
        };
        let id = if names_session { params::session_id(params?)? } else { return None };
        // A session that a call opens just now is the business of that call. One that other clients have is followed.
        match connection.host.sessions.get(id.as_ref()) {
            Ok(session) if !connection.may_follow(&session) => return None,
            Err(_) if connection.host.sessions.is_known(&id) => return None,
            _ => {}
        }
        let named = if comes_as_prompt::<A>(method) { methods::Prompt::NAME } else { method };
        let (connection, method, given_up) = (connection.clone(), named.to_owned(), given_up.clone());
        Some(Box::pin(async move {
            // A client that has to authenticate first learns nothing of the session.
            connection.host.parts.admits(&connection, &method)?;
            resume(connection, id, given_up).await
        }))
    }
}

/// Resumes a session as if its client had asked for it, and tells the client what the answer would have told.
async fn resume<A: Handlers>(connection: Arc<Connection<A>>, id: SessionId, given_up: CancellationToken) -> Result<()> {
    let active = connection.host.sessions.get(id.as_ref()).ok().map(|session| session.handle.cwd());
    let (cwd, directories) = if let Some(cwd) = active {
        (cwd, Vec::new())
    } else if let Some(kept) = connection.host.parts.place_of(&connection, &id) {
        given_up.run_until_cancelled(kept).await.ok_or_else(Error::request_cancelled)??
    } else {
        (std::env::current_dir()?, Vec::<PathBuf>::new())
    };
    let request = ResumeSessionRequest::new(id.clone(), cwd).additional_directories(directories);
    let own_id = to_raw_value(&format!("resume {id}"))?;
    let (responder, mut answer) = Responder::of_own_call(connection.line.peer(), &own_id);
    start(&connection, &to_raw_value(&request)?, responder);
    let Some(answered) = given_up.run_until_cancelled(&mut answer).await else {
        connection.line.peer().incoming.cancel(&own_id);
        // Behind it, the session can be opened again.
        connection.host.sessions.announce(&id, false).turn().await;
        return Err(Error::request_cancelled());
    };
    answered.unwrap_or_else(|_| Err(Error::internal_error("the call that resumes the session has ended")))?;
    if let Ok(session) = connection.host.sessions.get(id.as_ref()) {
        session.handle.tell_options();
    }
    Ok(())
}

fn start<A: Handlers>(connection: &Arc<Connection<A>>, params: &RawValue, responder: Responder) {
    let call = Call::new(connection, methods::ResumeSession::NAME, Some(params), Some(responder));
    let Some(call) = connection.host.parts.receives(call) else { return };
    if of_request::<A>(call.method()) == Destination::Own {
        A::call(call);
    }
}

/// Fails to compile when `on_demand` is given, and nothing resumes a session.
pub const fn resumes<A: Handlers>() {
    let is_resumed = Block::handle(A::BLOCKS, methods::ResumeSession::NAME);
    if Block::are_sound(A::BLOCKS) && !is_resumed && !A::Parts::SERVES.has(methods::ResumeSession::NAME) {
        panic!(
            "`on_demand` is given, but nothing resumes a session
help: add `async fn resume_session(&self, id: &SessionId) -> Result<Session>`, or `store = ..` on the struct"
        );
    }
}
