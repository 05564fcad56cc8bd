//! The gate of an agent that declares `needs_auth`: the methods of sessions are for clients that have authenticated.
//!
//! See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::{
    agent::{
        call::is_opened_for,
        heard::heard,
        model::{Block, Connection, Handlers, KeptAgent, Part},
        work::Try,
    },
    config::mode,
    rpc::CancellationToken,
    schema::Method,
    values::{Notice, NoticeSeverity, SessionUpdate, methods},
    wire::{Error, Result},
};

/// The title of the notice about credentials that are dead.
const SIGN_IN: &str = "The agent's credentials have expired. Sign in again.";

/// The part of agents with `needs_auth`.
#[derive(Debug)]
pub struct Gate;

impl<A: Handlers> Part<A> for Gate {
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
        _: Option<&RawValue>,
        given_up: &CancellationToken,
    ) -> Option<Try<'static>> {
        let is_guarded = needs_auth(connection, method);
        // A handler of a method of one's own may take `Authenticated`.
        if !is_guarded && !method.starts_with('_') && !is_opened_for::<A>(method) {
            return None;
        }
        let (check, connection) = (connection.line.authentication.check()?, connection.clone());
        let given_up = given_up.clone();
        Some(Box::pin(async move {
            let checked = given_up.run_until_cancelled(check).await.ok_or_else(Error::request_cancelled)?;
            let is_good = match checked {
                Err(_) if !is_guarded => return Ok(()),
                checked => checked.map_err(|error| heard("the check of credentials", error))?,
            };
            let is_good = connection.line.authentication.counts(is_good);
            let was_good = connection.line.authentication.set(is_good);
            if was_good && !is_good {
                tell(&connection);
            }
            if is_good || !is_guarded { Ok(()) } else { Err(Error::auth_required()) }
        }))
    }

    fn admits(&self, connection: &Connection<A>, method: &str) -> Result<()> {
        let is_open = !needs_auth(connection, method) || connection.line.authentication.is_done();
        if is_open { Ok(()) } else { Err(Error::auth_required()) }
    }
}

/// Tells the user that the credentials are dead, in the sessions of a client that shows notices.
fn tell<A: Handlers>(connection: &Connection<A>) {
    let sessions = connection.host.sessions.active();
    for session in sessions.iter().filter(|session| connection.has(session)) {
        let output = session.handle.output();
        if output.offers_notices() {
            output.send_now(&SessionUpdate::Notice(Notice::new(NoticeSeverity::Warning, SIGN_IN)));
        }
    }
}

/// Whether the method works with sessions. A client that has logged out may still cancel what runs and close what is open. A
/// method that the agent does not have is refused as such. Names with `session/` that the schema does not know, or that a
/// fallback handles, are those of sessions, too.
fn needs_auth<A: Handlers>(connection: &Connection<A>, method: &str) -> bool {
    match method {
        methods::Cancel::NAME | methods::CloseSession::NAME => false,
        methods::NewSession::NAME => true,
        methods::SetSessionConfigOption::NAME if connection.has_options() => true,
        methods::SetSessionMode::NAME if mode::mirrored::<A::Config>().is_some() => true,
        #[cfg(feature = "v2")]
        methods::ListSessions::NAME | methods::LoadSession::NAME | methods::ResumeSession::NAME
            if connection.line.dialect().has_baseline() =>
        {
            true
        }
        _ => {
            method.starts_with("session/")
                && (Block::handle(A::BLOCKS, method) || A::Parts::SERVES.has(method) || is_opened_for::<A>(method))
        }
    }
}

/// Fails to compile when `needs_auth` is given, and nothing lets a client in.
pub const fn lets_in<A: Handlers>() {
    // A handler `authenticate` that nobody can call is an error of its own, in `complete`.
    let is_carried_out = A::IDENTITY.has_agent_auth() || Block::handle(A::BLOCKS, methods::Authenticate::NAME);
    if Block::are_sound(A::BLOCKS) && !is_carried_out && !Block::handle(A::BLOCKS, methods::Initialize::NAME) {
        panic!(
            "`needs_auth` is given, but nothing lets a client in: there is no way to authenticate that the agent carries out
help: add `auth(agent(id = \"..\", name = \"..\"))` and the handler `authenticate`; or offer ways, or look for credentials, in a handler `initialize`"
        );
    }
}
