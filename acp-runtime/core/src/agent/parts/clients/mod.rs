//! Several clients of one session: `clients = "many"`. A client of the host that loads or resumes a session which others have follows it,
//! and ends nothing for them.
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

/// Fails to compile when several clients may follow a session, and nothing has its history for those that come later.
pub const fn has_history<A: Handlers>() {
    if !A::Parts::WORDS.has("store") {
        panic!(
            "`clients = \"many\"` needs `store = ..`: a client that comes later gets the history of the session from it
help: add a field with the store to the struct, and `store = ..` with its name; `acp_runtime::store::MemoryStore` keeps sessions in memory"
        );
    }
}
