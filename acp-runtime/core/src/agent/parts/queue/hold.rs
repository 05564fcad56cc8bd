//! Prompts that arrive during a turn, on a version that answers a prompt when its message is inserted: they wait, also in an agent
//! that refuses them on version 1. An agent whose prompts always wait has its own places for them.

use std::sync::{Arc, OnceLock};

use super::{
    answered,
    places::{Arriving, Places},
    take_turn,
};
use crate::{
    agent::{
        model::{Arrival, CallContext, KeptAgent, Part, SessionOf, SlotOf},
        parts::HasFunctions,
        work::{Try, Work},
    },
    rpc::{CancellationToken, Responder},
    values::{PromptRequest, PromptResponse, StopReason},
    wire::{Error, Result},
};

/// The part of all agents.
#[derive(Debug)]
pub struct Hold;

/// The places of a session, once a prompt has needed one.
#[derive(Default)]
pub struct Held(OnceLock<Arc<Places>>);

impl Held {
    fn places(&self) -> Option<&Arc<Places>> {
        self.0.get()
    }
}

impl<A: HasFunctions> Part<A> for Hold {
    type OfConnection = ();
    type OfSession = Held;
    type OfCall = ();

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    fn arrives(&self, own: &Held, arrival: &Arrival<'_, A>, slot: &mut SlotOf<A>) -> Result<bool> {
        let Arrival { connection, cancel, .. } = arrival;
        if !connection.line.dialect().inserts_prompts() {
            return Ok(false);
        }
        let arriving = Arriving {
            steers: false,
            needs_place: false,
            is_rejected_at_once: true,
            most: connection.limits.waiting_prompts,
        };
        own.0.get_or_init(Arc::default).arrive::<A>(slot, cancel, arriving)?;
        Ok(true)
    }

    fn cancels(own: &Held, _: &SessionOf<A>) {
        own.places().into_iter().for_each(|places| places.cancel());
    }

    async fn takes_turn(
        &self,
        own: &Held,
        context: &CallContext<A>,
        slot: &mut SlotOf<A>,
        prompt: Option<&PromptRequest>,
        responder: &mut Option<Responder>,
    ) -> Result<()> {
        match own.places() {
            Some(places) => take_turn(places, context, slot, prompt, responder).await,
            None => Ok(()),
        }
    }

    fn ends(&self, own: &Held, slot: &SlotOf<A>) -> Option<Try<'static>> {
        answered::<A>(own.places()?, slot)
    }

    fn frees(own: &Held, end: &Result<StopReason>, free: &mut dyn FnMut()) {
        match own.places() {
            Some(places) => places.turn_ended(end, free),
            None => free(),
        }
    }

    fn never_began(own: &Held, call: &CancellationToken, error: Error) -> Result<PromptResponse> {
        let verdict = own.places().and_then(|places| places.verdict(call));
        verdict.unwrap_or(Err(error)).map(PromptResponse::new)
    }

    fn leaves(own: &Held, call: &CancellationToken) {
        own.places().into_iter().for_each(|places| places.leave(call));
    }

    fn passes(own: &Held, _: &SessionOf<A>) -> Option<Work<'static, ()>> {
        let emptied = own.places()?.emptied()?;
        Some(Box::pin(async move { emptied.cancelled().await }))
    }
}
