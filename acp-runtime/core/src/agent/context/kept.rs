//! The values of a call that live until its answer.

use std::sync::Arc;

use crate::{
    agent::contract::Handlers,
    config::order,
    rpc::Responder,
    session::{
        Ending, Session, TurnSlot,
        table::{Transition, TransitionTurn},
    },
    values::PromptResponse,
    wire::Result,
};

/// The values that live until the call's answer is in the buffer. Code that waits for one of them must go on only after
/// the answer. The fields are dropped in this order. Only the runtime can make this value.
pub struct Kept<A: Handlers> {
    /// Only set for a turn. When it is dropped, code that waits for the turn's end goes on.
    pub(super) slot: Option<TurnSlot<A::Config, A::Session>>,
    /// While it lives, no other change of the options is published. It lives until the answer.
    pub(super) options: Option<order::Turn>,
    /// The turn, and then its place in the queue of transitions.
    pub(super) turn: Option<TransitionTurn>,
    pub(super) transition: Option<Box<Transition<A::Config, A::Session>>>,
    /// The state that a new state has replaced, or the state of a session that has ended. Its drop may take long, and
    /// may panic.
    pub(super) state: Option<(A::Session, A::KeptShared)>,
    pub(super) ending: Option<Ending<A::Config, A::Session>>,
    pub(super) session: Option<Arc<Session<A::Config, A::Session>>>,
}

impl<A: Handlers> Kept<A> {
    /// Admits turns of the session that this call has opened, because the client may prompt it as soon as it gets the
    /// answer.
    pub(crate) fn admit_turns(&mut self) {
        if let Some(transition) = &mut self.transition {
            transition.conclude();
        }
    }

    /// The session that the call has opened or entered.
    pub(in crate::agent) fn session(&self) -> Option<&Arc<Session<A::Config, A::Session>>> {
        self.session.as_ref()
    }

    /// Ends the turn. The session becomes free for another turn at the moment when the client is told of the end. So
    /// the next turn is reported after this end, and a client that knows of the end finds the session free.
    pub(crate) fn turn_ended(&mut self, responder: Option<Responder>, outcome: Result<PromptResponse>) {
        let Self { slot: Some(slot), session: Some(session), .. } = self else { return };
        let output = session.handle.output();
        output.line().dialect().turn_ended(output, responder, outcome, &mut || slot.free());
    }
}
