//! A client follows a session that other clients have: it gets the history and the state, and from there on what they get.

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::{
    agent::{
        call::Handled,
        capability_checks,
        kinds::Kind,
        model::{Call, CallContext, Connection, Directories, Handlers, SessionOf},
        params::{self, Params},
    },
    config::order,
    dialect::Opening,
    rpc::{CancellationToken, Responder},
    schema::Method,
    session::{Additions, History, OpenedBy, Replay, Replaying},
    values::{LoadSessionRequest, ResumeSessionRequest, SessionId, methods},
    wire::{Error, Result},
};

/// `session/load` or `session/resume` of a session that other clients of the host have, by one that does not follow it.
#[derive(Debug)]
#[allow(non_camel_case_types)] // the name that the spans of its calls have
pub(super) struct follow_session;

/// Takes the call if its session is one of others. Returns any other call.
pub(super) fn receive<'l, A: Handlers>(call: Call<'l, A>) -> Option<Call<'l, A>> {
    let Some(session) = followed_by_others(&call) else { return Some(call) };
    let is_load = call.method() == methods::LoadSession::NAME;
    #[cfg(feature = "v2")]
    let is_load = is_load && !call.is_silent;
    // Only `session/resume` may leave `mcpServers` out.
    if is_load && let Err(error) = LoadSessionRequest::decode(call.params()) {
        call.refuse(error);
        return None;
    }
    let admitted = call.admit_by::<follow_session>(|context, request| {
        let roots = Directories { cwd: &request.cwd, additional_directories: &request.additional_directories };
        capability_checks::roots::<A>(&roots)?;
        capability_checks::mcp_servers::<A>(&request.mcp_servers)?;
        let why = "other clients have the session, which works there";
        capability_checks::stays(&session.handle.cwd(), &request.cwd, why)?;
        let line = context.connection.line.clone();
        let replaying = is_load.then(|| Replaying::begin(request.session_id.clone(), line, roots.kept()));
        Ok(Following { session, is_load, replaying, options: None })
    });
    if let Some(admitted) = admitted {
        admitted.answer(Ok(()));
    }
    None
}

/// The session of the call, if others have it and no call opens or ends it.
pub(super) fn followed_by_others<A: Handlers>(call: &Call<'_, A>) -> Option<Arc<SessionOf<A>>> {
    let (connection, id) = (call.connection, params::session_id(call.params()?)?);
    let session = connection.host.sessions.settled(&id)?;
    connection.may_follow(&session).then_some(session)
}

/// A client that is let in.
pub(super) struct Following<A: Handlers> {
    session: Arc<SessionOf<A>>,
    is_load: bool,
    replaying: Option<Replaying>,
    /// While it lives, no change of the options is published. It lives until the answer.
    options: Option<order::Turn>,
}

/// What lives until the answer.
pub(super) struct FollowingKept<A: Handlers> {
    _options: Option<order::Turn>,
    session: Arc<SessionOf<A>>,
    is_load: bool,
}

impl<A: Handlers> Kind<A> for Following<A> {
    type Lent<'c> = &'c SessionOf<A>;
    type Kept = FollowingKept<A>;

    fn session_id(&self) -> Option<&SessionId> {
        Some(self.session.handle.id())
    }

    fn lend(&mut self) -> &SessionOf<A> {
        &self.session
    }

    fn lent_id<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionId> {
        Some(lent.handle.id())
    }

    fn leave(self, _: CallContext<A>) -> FollowingKept<A> {
        let Self { session, is_load, replaying, options } = self;
        drop(replaying);
        FollowingKept { _options: options, session, is_load }
    }
}

impl<A: Handlers> Following<A> {
    /// Tells the history, and lets the client in behind it. The messages of the answer are those of this moment.
    async fn follow(&mut self, connection: &Connection<A>, given_up: &CancellationToken) -> Result<Box<RawValue>> {
        let (handle, line) = (&self.session.handle, &connection.line);
        let output = handle.output();
        let mut history = handle.history().filter(|_| self.is_load);
        loop {
            if let (Some(history), Some(replaying)) = (&mut history, &self.replaying) {
                let replay = Replay::new(replaying);
                while let Some(page) = history.next_committed().await? {
                    replay.entries(page).await?;
                }
            }
            if self.options.is_none() {
                self.options = Some(handle.hold_options(given_up).await?);
            }
            // What is not committed yet is told under the lock behind which the client hears all that is said.
            let again = output.told_again();
            let is_in = output.let_in(line, &again, &mut |one, out| {
                let Some(replaying) = &self.replaying else { return true };
                let pending = history.as_ref().map_or_else(|| Some(Vec::new()), History::pending);
                pending.map(|entries| replaying.output().replay_to(one, out, entries)).is_some()
            });
            if is_in {
                break;
            }
            if output.is_ended() {
                return Err(Error::session_not_found(handle.id().as_ref()));
            }
            // A commit has taken what was pending.
        }
        handle.opened(line, Opening::Follow, &Additions::default())
    }
}

impl<A: Handlers> Handled<A> for follow_session {
    type Params = ResumeSessionRequest;
    type Answer = ();
    type Response = Box<RawValue>;
    type Admitted = Following<A>;

    fn relax(params: &mut Self::Params) {
        <A::Parts as crate::agent::model::Part<A>>::relaxes_servers(&mut params.mcp_servers);
    }

    async fn conclude(context: &mut CallContext<A>, call: &mut Self::Admitted, (): ()) -> Result<Self::Response> {
        call.follow(&context.connection, &context.cancel).await
    }

    fn respond(
        connection: &Arc<Connection<A>>,
        kept: FollowingKept<A>,
        responder: Option<Responder>,
        response: Result<Self::Response>,
    ) {
        let is_in = response.is_ok();
        if !is_in {
            kept.session.handle.output().part_from(&connection.line);
        }
        if let Some(responder) = responder {
            responder.respond(response);
        }
        if is_in {
            let how = if kept.is_load { OpenedBy::Loaded } else { OpenedBy::Resumed };
            tracing::debug!(target: crate::TARGET, session = %kept.session.handle.id(), ?how, "a client follows the session");
            // Its connection may have ended meanwhile.
            connection.has_followed(&kept.session);
        }
    }
}
