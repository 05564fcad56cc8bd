//! A client of the host loads or resumes a session which others have: with `clients = "many"` it follows the session, and ends nothing for
//! them; with `clients = "first"` it is refused.
//!
//! `follow` is the call that lets a client in. What is told to the clients stands in `session/followers`.

mod follow;

use std::sync::Arc;

use crate::{
    agent::{
        model::{Call, Handlers, KeptAgent, Part},
        names::Names,
    },
    schema::Method,
    session::{Extras, followers::Shared},
    values::methods,
    wire::{Error, quoted::Short},
};

/// The part of agents with `clients = "many"`.
#[derive(Debug)]
pub struct Clients;

impl<A: Handlers> Part<A> for Clients {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    const WORDS: Names = Names::These(&["clients"]);

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    fn furnishes(&self, (): &mut (), extras: &mut Option<Box<Extras>>) {
        extras.get_or_insert_default().follow_by(Arc::new(Shared::default()));
    }

    fn receives<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        match call.method() {
            methods::LoadSession::NAME | methods::ResumeSession::NAME => follow::receive(call),
            _ => Some(call),
        }
    }
}

/// The part of agents with `clients = "first"`.
#[derive(Debug)]
pub struct FirstClient;

impl<A: Handlers> Part<A> for FirstClient {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    const WORDS: Names = Names::These(&["clients"]);

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    fn furnishes(&self, (): &mut (), extras: &mut Option<Box<Extras>>) {
        extras.get_or_insert_default().follow_by(Arc::new(Shared::default()));
    }

    fn receives<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        let opens = matches!(call.method(), methods::LoadSession::NAME | methods::ResumeSession::NAME);
        let Some(session) = opens.then(|| follow::followed_by_others(&call)).flatten() else { return Some(call) };
        call.refuse(Error::invalid_request(format!(
            "another client has the session `{}` open: it opens here when that client has left",
            Short(session.handle.id().as_ref())
        )));
        None
    }
}

/// Fails to compile when several clients may follow a session, and nothing has its history for those that come later.
pub const fn has_history<A: Handlers>() {
    if !A::Parts::WORDS.has("store") {
        panic!(
            "`clients = \"many\"` needs `store = ..`: a client that comes later gets the history of the session from it
help: add a field with the store to the struct, and `store = ..` with its name; `acp_runtime::store::MemoryStore` keeps sessions in memory"
        );
    }
}
