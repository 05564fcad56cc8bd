//! Work of the agent's own, which a session has beside its turns: calls that open or end the session wait for its end.

use crate::agent::{
    model::{Handlers, KeptAgent, Part, SessionOf},
    work::Work,
};

/// The part of all agents.
#[derive(Debug)]
pub struct OwnWork;

impl<A: Handlers> Part<A> for OwnWork {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    fn passes((): &(), session: &SessionOf<A>) -> Option<Work<'static, ()>> {
        // Work may have begun since the call has arrived that this is for.
        session.cancel_work_beside();
        session.handle.output().ended_beside()
    }
}
