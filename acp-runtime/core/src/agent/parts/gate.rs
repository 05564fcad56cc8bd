//! The gate of an agent that declares `needs_auth`: the methods of sessions are for clients that have authenticated.
//!
//! See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).

use crate::{
    agent::{
        call::is_opened_for,
        model::{Block, Connection, Handlers, KeptAgent, Part},
    },
    config::mode,
    schema::Method,
    values::methods,
    wire::{Error, Result},
};

/// The part of agents with `needs_auth`.
#[derive(Debug)]
pub struct Gate;

impl<A: Handlers> Part<A> for Gate {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    fn admits(&self, connection: &Connection<A>, method: &str) -> Result<()> {
        let is_open = !needs_auth(connection, method) || connection.line.authentication.is_done();
        if is_open { Ok(()) } else { Err(Error::auth_required()) }
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
