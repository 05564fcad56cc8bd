//! What each agent answers on a version that demands it: the list, the resume and the close of sessions, and the logout.
//!
//! An agent with handlers for them, or with a store, answers by these. One handler of `load_session` and `resume_session` is enough:
//! the replay of the first is not sent to a client that does not want it, and the second has none. Without handlers, nothing is
//! kept of a session: it is listed, resumed and closed while it is active, and a replay has nothing to show.

use std::{future::ready, sync::Arc};

use serde_json::value::RawValue;

use crate::{
    agent::{
        capability_checks, handlers,
        model::{Block, Call, Connection, Directories, Handlers, KeptAgent, Part, SessionOf, TransitionOf},
        params::{self, Params},
    },
    dialect::Opening,
    rpc::{CancellationToken, Responder, Start},
    schema::Method,
    session::{Additions, OpenedBy, WorkingDirectories},
    values::{
        AuthenticateRequest, CloseSessionResponse, ListSessionsRequest, ListSessionsResponse, LogoutResponse,
        ResumeSessionRequest, SessionInfo, methods,
    },
    wire::{Error, Result},
};

/// The part of all agents.
#[derive(Debug)]
pub struct Baseline;

impl<A: Handlers> Part<A> for Baseline {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    // This comes before prefixes and the fallback: the client relies on these methods, whatever else the agent handles.
    fn receives<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        if !call.connection.line.dialect().has_baseline() {
            return Some(call);
        }
        let method = call.method();
        if method == methods::CloseSession::NAME && is_closed(&call) {
            if let Some(responder) = call.responder {
                responder.respond(Ok(CloseSessionResponse::new()));
            }
            return None;
        }
        if Block::handle(A::BLOCKS, method) || A::Parts::SERVES.has(method) { Some(call) } else { answer(call) }
    }
}

/// A session that is not active is closed already.
fn is_closed<A: Handlers>(call: &Call<'_, A>) -> bool {
    let Some(id) = call.params().and_then(params::session_id) else { return false };
    let sessions = &call.connection.host.sessions;
    match sessions.get(id.as_ref()) {
        Ok(session) => !call.connection.has(&session),
        Err(_) => !sessions.is_known(&id),
    }
}

/// Answers a method that the agent does not handle. Returns the call of any other one.
fn answer<'l, A: Handlers>(call: Call<'l, A>) -> Option<Call<'l, A>> {
    match call.method() {
        methods::ListSessions::NAME => {
            let connection = call.connection.clone();
            if let Some(admitted) = call.admit::<handlers::list_sessions>() {
                admitted.answer_by("session/list", move |_, request| Box::pin(ready(list(&connection, request))));
            }
        }
        // An agent that opens sessions again without a replay has nothing to replay.
        methods::LoadSession::NAME if const { Block::handle(A::BLOCKS, methods::ResumeSession::NAME) } => {
            A::call(call.to(methods::ResumeSession::NAME));
        }
        methods::ResumeSession::NAME if const { Block::handle(A::BLOCKS, methods::LoadSession::NAME) } => {
            let mut call = call.to(methods::LoadSession::NAME);
            call.is_silent = true;
            A::call(call);
        }
        methods::LoadSession::NAME | methods::ResumeSession::NAME => resume(call),
        methods::CloseSession::NAME => {
            if let Some(admitted) = call.admit::<handlers::close_session>() {
                admitted.answer_by("session/close", |_, _| Box::pin(ready(Ok(CloseSessionResponse::new()))));
            }
        }
        methods::Authenticate::NAME if offers_auth(call.connection) => {
            let checked = AuthenticateRequest::decode(call.params())
                .and_then(|request| call.connection.check_auth_method(request.method_id.as_ref()));
            let no_handler = || Error::internal_error("the agent offers this way, and cannot carry it out");
            call.refuse(checked.err().unwrap_or_else(no_handler));
        }
        methods::Logout::NAME if offers_auth(call.connection) => {
            if let Some(admitted) = call.admit::<handlers::logout>() {
                admitted.answer(Ok(LogoutResponse::new()));
            }
        }
        _ => return Some(call),
    }
    None
}

/// Whether the client was offered a way to authenticate.
fn offers_auth<A: Handlers>(connection: &Connection<A>) -> bool {
    if const { Block::handle(A::BLOCKS, methods::Initialize::NAME) } {
        return connection.handshake.auth_methods.get().is_some_and(|ways| !ways.is_empty());
    }
    let follows_terminals = connection.line.client().capabilities.auth.terminal;
    A::IDENTITY.auth_methods().any(|way| follows_terminals || !way.is_terminal())
}

/// The active sessions of the client, on one page.
fn list<A: Handlers>(connection: &Connection<A>, request: Option<ListSessionsRequest>) -> Result<ListSessionsResponse> {
    if request.is_some_and(|request| request.cursor.is_some()) {
        return Err(Error::invalid_params("`cursor` is none of this agent: it has sent all sessions in one answer"));
    }
    let info = |session: Arc<SessionOf<A>>| {
        let handle = &session.handle;
        SessionInfo::new(handle.id().clone(), handle.cwd()).additional_directories(handle.additional_directories())
    };
    let mut sessions: Vec<_> = connection.sessions().map(info).collect();
    sessions.sort_by(|one, other| one.session_id.as_ref().cmp(other.session_id.as_ref()));
    Ok(ListSessionsResponse::new(sessions))
}

/// Opens an active session again, as it is: its state stays, and what it does goes on.
fn resume<A: Handlers>(call: Call<'_, A>) {
    let Call { connection, params, responder, .. } = call;
    let Some(responder) = responder else { return };
    match admit(connection, params) {
        Ok((session, directories)) => {
            let again = Again {
                connection: connection.clone(),
                // The turn of the session goes on, so its parts hear nothing of this call.
                transition: connection.host.sessions.announce(session.handle.id(), false),
                session,
                directories,
            };
            let cancel = CancellationToken::new();
            let way = responder.way().cloned();
            let entered = responder.id().map(|id| connection.line.enter(id, &cancel));
            let answered = async move {
                let _entered = entered;
                again.open(responder, &cancel).await;
            };
            connection.line.tasks.start(answered, Start::Here(way), None);
        }
        Err(error) => responder.respond::<()>(Err(error)),
    }
}

type Admitted<A> = (Arc<SessionOf<A>>, WorkingDirectories);

/// Checks the call.
fn admit<A: Handlers>(connection: &Connection<A>, params: Option<&RawValue>) -> Result<Admitted<A>> {
    let ResumeSessionRequest { session_id, cwd, additional_directories, mcp_servers, .. } =
        ResumeSessionRequest::decode(params)?;
    let roots = Directories { cwd: &cwd, additional_directories: &additional_directories };
    capability_checks::roots::<A>(&roots)?;
    capability_checks::mcp_servers::<A>(&mcp_servers)?;
    let session = connection.session(session_id.as_ref())?;
    capability_checks::stays(&session.handle.cwd(), &cwd, "the session works there, and cannot move")?;
    Ok((session, roots.kept()))
}

/// A call that opens an active session again.
struct Again<A: Handlers> {
    connection: Arc<Connection<A>>,
    transition: TransitionOf<A>,
    session: Arc<SessionOf<A>>,
    directories: WorkingDirectories,
}

impl<A: Handlers> Again<A> {
    async fn open(self, responder: Responder, cancel: &CancellationToken) {
        let Self { connection, mut transition, session, directories } = self;
        let held = cancel.run_until_cancelled(async {
            let turn = transition.turn().await;
            // A call before this one may have ended the session.
            let session = connection.session(session.handle.id().as_ref())?;
            // Until the answer, no change of options is published.
            let options = session.handle.keep_options(None).await?;
            Ok((turn, session, options))
        });
        let (_turn, session, _options) = match held.await.unwrap_or_else(|| Err(Error::request_cancelled())) {
            Ok(held) => held,
            Err(error) => return responder.respond::<()>(Err(error)),
        };
        session.handle.output().work_in(directories);
        let answer = session.handle.opened(&connection.line, Opening::Resume, &Additions::default());
        let is_open = answer.is_ok();
        responder.respond_and(answer, &mut || transition.conclude());
        if is_open {
            connection.tell_opened(&session, OpenedBy::Resumed);
        }
    }
}
