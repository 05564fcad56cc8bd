//! The functions beside calls: `session_opened` and `session_ended`.
//!
//! A `session_opened` runs beside the handlers, and the session's end stops it. A `session_ended` runs as a task, once for each
//! session, by the call that takes the session out of the table.
//!
//! # What holds, with its tests
//!
//! *Each end is reported once*, after the session's turn and its `session_opened`. When the client is gone, each session that
//! ends with the connection ends as by a call (`wire::life::ended::a_close_and_a_hang_up_at_once_end_a_session_once`,
//! `wire::hosts::a_session_that_nobody_can_open_again_ends_with_its_connection`).
//! `hostile::schedules::a_session_at_random_on_threads` counts the ends.

mod ended;
mod functions;
mod opened;

use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::time::Instant;

pub use ended::session_ended;
pub use opened::session_opened;

use self::{
    ended::EndedCall,
    functions::{OfConnection, OfSession},
};
use crate::{
    agent::{
        kinds::{Active, EndingCall},
        model::{Connection, EndingKept, Handlers, KeptAgent, Part, SessionOf},
        parts::{HasFunctions, called, event::SessionEvent, function},
        work::Work,
    },
    rpc::CancellationToken,
    session::{Ended, OpenedBy},
};

/// The part of agents with `session_opened` or `session_ended`.
#[derive(Debug)]
pub struct Life;

called! {
    life {
        /// Runs when a session was opened.
        session_opened: fn(SessionEvent<A, session_opened>);
        /// Runs when a session has ended.
        session_ended: fn(SessionEvent<A, session_ended>);
    }
}

/// What the part has of a connection.
pub struct Beside<A: Handlers> {
    functions: Arc<OfConnection>,
    /// The sessions that ended late: their handler has failed, and something else took the state.
    late: Mutex<Vec<Late<A>>>,
    /// Drops the functions `session_ended` that are late.
    over: CancellationToken,
}

type Late<A> = (Arc<SessionOf<A>>, Ended, Arc<OfSession>);

impl<A: Handlers> Default for Beside<A> {
    fn default() -> Self {
        Self { functions: Arc::default(), late: Mutex::default(), over: CancellationToken::new() }
    }
}

impl<A: Handlers> Beside<A> {
    fn late(&self) -> MutexGuard<'_, Vec<Late<A>>> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `session_ended` behind this end.
    fn run(&self, connection: &Arc<Connection<A>>, ending: EndingCall<A>, functions: Arc<OfSession>)
    where
        A: HasFunctions,
    {
        if let Some(run) = const { function!(A, life.session_ended) } {
            let end = ending.end();
            run(SessionEvent::new(EndedCall::of(connection, ending, functions, &self.over), end));
        }
    }
}

impl<A: HasFunctions> Part<A> for Life {
    type OfConnection = Beside<A>;
    type OfSession = Arc<OfSession>;
    type OfCall = ();

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    fn opened_for(
        &self,
        (functions, beside): (&Arc<OfSession>, &Beside<A>),
        connection: &Arc<Connection<A>>,
        session: &Arc<SessionOf<A>>,
        how: OpenedBy,
    ) {
        let Some(run) = (const { function!(A, life.session_opened) }) else { return };
        let Some(begun) = beside.functions.begin(functions) else { return };
        // The end of the session may have come before: then it did not see the function.
        if session.handle.options_in_force().is_over() {
            begun.stop().cancel();
        }
        let stop = begun.stop().clone();
        let (mut context, active) = Active::of(connection.clone(), session, Some(begun));
        context.cancel = stop;
        run(SessionEvent::new((context, active), how));
    }

    fn accompanies(functions: &Arc<OfSession>) -> usize {
        functions.running()
    }

    fn ended(functions: &Arc<OfSession>) {
        functions.stop();
    }

    fn ended_late((functions, beside): (&Arc<OfSession>, &Beside<A>), session: &Arc<SessionOf<A>>, end: Ended) {
        if const { function!(A, life.session_ended).is_some() } {
            beside.late().push((session.clone(), end, functions.clone()));
        }
    }

    fn ended_for(
        &self,
        (functions, beside): (&Arc<OfSession>, &Beside<A>),
        connection: &Arc<Connection<A>>,
        kept: EndingKept<A>,
    ) -> Option<EndingKept<A>> {
        if const { function!(A, life.session_ended).is_none() } {
            return Some(kept);
        }
        beside.run(connection, kept.into_call(), functions.clone());
        None
    }

    fn abandons(beside: &Beside<A>) {
        beside.functions.abandon();
    }

    fn disconnects(
        &self,
        (functions, beside): (&Arc<OfSession>, &Beside<A>),
        connection: &Arc<Connection<A>>,
        session: &Arc<SessionOf<A>>,
    ) {
        if const { function!(A, life.session_ended).is_some() } {
            let ending = EndingCall::announce(connection, session.handle.id(), Ended::Disconnected);
            beside.run(connection, ending, functions.clone());
        }
    }

    fn departs(&self, beside: &Beside<A>, connection: &Arc<Connection<A>>) {
        let late = mem::take(&mut *beside.late());
        for (session, end, functions) in late {
            beside.run(connection, EndingCall::done(&session, end), functions);
        }
    }

    fn drains<'w>(
        &'w self,
        beside: &'w Beside<A>,
        _: &'w Arc<Connection<A>>,
        deadline: Instant,
    ) -> Option<Work<'w, ()>> {
        Some(Box::pin(async move {
            // They were told to stop. A function that blocks its thread does not keep the process.
            let _ = tokio::time::timeout_at(deadline, beside.functions.stopped()).await;
            beside.over.cancel();
        }))
    }

    fn over(beside: &Beside<A>) {
        beside.over.cancel();
    }
}
