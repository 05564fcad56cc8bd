//! Slash commands: a prompt whose first text calls a command runs the command's function. It is a turn (`method`), or runs
//! beside a turn (`during`).

mod checks;
mod during;
mod first;
mod method;
mod request;

use std::{marker::PhantomData, sync::Arc};

use acp_handlers::each;

pub use checks::{takes_arguments, takes_no_arguments};
pub use during::command_during_turns;
pub use method::command;

use crate::{
    agent::{
        model::{Call, Connection, Handlers, KeptAgent, Part, SessionOf},
        parts::HasFunctions,
        work::Work,
    },
    constant::{Text, same},
    schema::Method,
    session::{DeclaredCommand, Extras, OpenedBy},
    values::methods,
};

/// The part of agents with `#[command]`.
#[derive(Debug)]
pub struct Commands;

/// The commands of one block.
pub(in crate::agent) struct Functions<A>(pub(super) &'static [DeclaredCommand], PhantomData<A>);

impl<A> Functions<A> {
    pub(super) const NONE: Self = Self(&[], PhantomData);
}

impl<A> Clone for Functions<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Functions<A> {}

impl<A: Handlers> super::Functions<A> {
    /// The functions with `#[command]`.
    pub const fn commands(mut self, commands: &'static [DeclaredCommand]) -> Self {
        self.commands.0 = commands;
        self
    }
}

const fn has_commands<A: HasFunctions>() -> bool {
    each!(block in A::FUNCTIONS, {
        if !block.commands.0.is_empty() {
            return true;
        }
    });
    false
}

const fn has_during_turns<A: HasFunctions>() -> bool {
    each!(block in A::FUNCTIONS, {
        each!(one in block.commands.0, {
            if one.is_during_turns() {
                return true;
            }
        });
    });
    false
}

/// Fails to compile when a command of the last block has the name of one before it.
pub(super) const fn once<A: Handlers>(blocks: &[super::Functions<A>]) {
    let [before @ .., last] = blocks else { return };
    each!(block in before, {
        each!(one in block.commands.0, {
            each!(other in last.commands.0, {
                if same(one.name(), other.name()) {
                    let text = Text::EMPTY.push("the command `/").push(one.name()).push("` has two functions");
                    panic!("{}", text.push("\nhelp: remove one of them").as_str());
                }
            });
        });
    });
}

impl<A: HasFunctions> Part<A> for Commands {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    const HAS_ARMS: bool = has_commands::<A>();

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

    fn passes((): &(), session: &SessionOf<A>) -> Option<Work<'static, ()>> {
        if const { has_during_turns::<A>() } { session.handle.output().ended_beside() } else { None }
    }

    fn furnishes(&self, (): &mut (), extras: &mut Option<Box<Extras>>) {
        if const { has_commands::<A>() } {
            let blocks = A::FUNCTIONS.iter().map(|functions| functions.commands.0);
            extras.get_or_insert_default().offer(blocks.filter(|commands| !commands.is_empty()).collect());
        }
    }

    fn opened_for(&self, _: (&(), &()), _: &Arc<Connection<A>>, session: &Arc<SessionOf<A>>, _: OpenedBy) {
        session.handle.output().announce_commands();
    }
}
