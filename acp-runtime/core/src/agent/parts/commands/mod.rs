//! Slash commands: a prompt whose first text calls a command runs the command's function.

mod first;
mod method;

use std::sync::Arc;

pub use method::command;

use super::Part;
use crate::{
    agent::{
        call::Call,
        connection::Connection,
        expansion::{Handlers, KeptAgent},
        host::SessionOf,
    },
    schema::Method,
    session::{Extras, Opened},
    values::methods,
};

/// The part of agents with `#[command]`.
#[derive(Debug)]
pub struct Commands;

impl<A: Handlers> Part<A> for Commands {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    fn receives<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        let is_prompt = call.method() == methods::Prompt::NAME;
        let arm = if is_prompt { first::command(call.connection, call.params()) } else { None };
        match arm {
            Some(arm) => {
                A::call(call.to(arm));
                None
            }
            None => Some(call),
        }
    }

    fn furnishes(&self, (): &mut (), extras: &mut Option<Box<Extras>>) {
        if !A::COMMANDS.is_empty() {
            extras.get_or_insert_default().offer(A::COMMANDS);
        }
    }

    fn opened_for(&self, _: (&(), &()), _: &Arc<Connection<A>>, session: &Arc<SessionOf<A>>, _: Opened) {
        session.handle.output().announce_commands();
    }
}
