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
pub type Clients = Others<true>;

/// The part of agents with `clients = "first"`.
pub type FirstClient = Others<false>;

/// What becomes of a client that opens a session of others: it `FOLLOWS` the session, or is refused.
#[derive(Debug)]
pub struct Others<const FOLLOWS: bool>;

impl<A: Handlers, const FOLLOWS: bool> Part<A> for Others<FOLLOWS> {
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
            methods::LoadSession::NAME | methods::ResumeSession::NAME if FOLLOWS => follow::receive(call),
            methods::LoadSession::NAME | methods::ResumeSession::NAME => refuse(call),
            _ => Some(call),
        }
    }
}

/// Refuses the call if its session is one of others. Returns any other call.
fn refuse<'l, A: Handlers>(call: Call<'l, A>) -> Option<Call<'l, A>> {
    let Some(session) = follow::followed_by_others(&call) else { return Some(call) };
    call.refuse(Error::invalid_request(format!(
        "another client has the session `{}` open: it opens here when that client has left",
        Short(session.handle.id().as_ref())
    )));
    None
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
