//! The guard that lends a call to its handler, and answers it.

use std::pin::Pin;

use tracing::Span;

use super::{
    super::{declaration::Handlers, heard::heard_panic},
    parts::Parts,
};
use crate::{
    TARGET,
    agent::{
        commands,
        context::{CallContext, end_dropped_turn, has_life},
        methods::Handled,
    },
    rpc::{Entered, Responder},
    values,
    wire::{Error, Result, quoted::Short},
};

/// Lends the call to its handler, until the call is answered.
pub struct CallGuard<A: Handlers, M: Handled<A>> {
    /// The name of the handler, once the call is lent to it.
    pub(super) handler: &'static str,
    /// `None` once the call is answered.
    pub(super) context: Option<CallContext<A>>,
    pub(super) request: Option<M::Params>,
    pub(super) meta: Option<values::Meta>,
    pub(super) responder: Option<Responder>,
    /// The response that waits for room in the buffer.
    pub(super) concluded: Option<Result<M::Response>>,
    pub(super) _entered: Option<Entered>,
}

impl<A: Handlers, M: Handled<A>> CallGuard<A, M> {
    /// The guard of a function that no message calls.
    pub(in crate::agent::contract) fn of_event(context: CallContext<A>, how: M::Params) -> Self {
        Self {
            handler: "",
            context: Some(context),
            request: Some(how),
            meta: None,
            responder: None,
            concluded: None,
            _entered: None,
        }
    }

    /// Waits until the handler of this name may run. Returns the parts from which the handler's parameters are made.
    ///
    /// # Errors
    ///
    /// The call needs a part that does not exist any more.
    pub async fn lend(&mut self, handler: &'static str) -> Result<Parts<'_, A, M>> {
        self.handler = handler;
        let context = self.context.as_mut().expect("a call is answered once, by `finish`");
        if const { M::IS_TURN && A::IDENTITY.queues() } && context.is_waiting() {
            // Boxed, because it would make the future of each call larger. And so that the program of an agent whose prompts
            // never wait has no code of it.
            let turn: Pin<Box<dyn Future<Output = Result<()>> + Send + '_>> =
                Box::pin(M::turn(context, self.request.as_ref(), &mut self.responder));
            turn.await?;
        }
        M::ready(context).await?;
        if const { M::IS_TURN && A::STORE.is_some() }
            && let Some(request) = &self.request
        {
            context.begin_stored_turn(M::prompt(request)).await?;
        }
        if const { M::IS_TURN && A::IDENTITY.steers() } {
            context.lent();
        }
        let asked_by = self.responder.as_ref().and_then(Responder::id);
        Ok(Parts { handler, lent: context.lend(), request: self.request.take(), meta: self.meta.take(), asked_by })
    }

    /// The span in which the handler runs.
    pub(super) fn span(&self, method: &str) -> Span {
        let id = self.responder.as_ref().and_then(Responder::id).map(|id| tracing::field::display(Short(id.get())));
        match &self.context {
            Some(context) if context.is_turn() => {
                let session = context.session_id.as_ref().map(tracing::field::display);
                tracing::debug_span!(target: TARGET, "turn", id, session)
            }
            _ => tracing::debug_span!(target: TARGET, "request", id, method = %Short(method)),
        }
    }

    /// Concludes the call. Answers it when the buffer has room for the answer.
    pub async fn finish(mut self, answer: Result<M::Answer>) {
        let Some(context) = &mut self.context else { return };
        let mut response = match answer {
            Ok(answer) => M::conclude(context, answer).await,
            Err(error) => M::fail(context, error),
        };
        if const { M::IS_TURN && A::STORE.is_some() }
            && let Err(error) = context.commit_turn().await
        {
            // The handler's own error says more.
            response = response.and(Err(error));
        }
        if let Some(responder) = self.responder.as_ref().filter(|responder| !responder.has_room()) {
            // If the request is withdrawn during this wait, the response is still the answer.
            self.concluded = Some(response);
            // This wait is rare, so it is boxed: it would make the future of each call larger.
            Box::pin(responder.room()).await;
            return;
        }
        self.answer(response);
    }

    fn answer(&mut self, response: Result<M::Response>) {
        let Some(context) = self.context.take() else { return };
        let follows = context.follows::<M>(response.is_ok());
        let opens = const { M::OPENS.is_some() && commands::has_some::<A>() } && response.is_ok();
        // The session of a turn becomes free with the turn's answer. Code that waits for the turn's end, for example to
        // close the session, goes on after the answer.
        let place = if const { M::IS_TURN && A::IDENTITY.queues() } { Some(context.place_in_line()) } else { None };
        let mut kept = context.leave();
        match place {
            None => M::respond(&mut kept, self.responder.take(), response),
            Some(place) => M::respond_in_line(&place, &mut kept, self.responder.take(), response),
        }
        if opens {
            kept.announce_commands();
        }
        if const { has_life::<A>() }
            && let Some(follows) = follows
        {
            follows.start(&mut kept);
        }
    }
}

pub use acp_handlers::PANICKED;

impl<A: Handlers, M: Handled<A>> Drop for CallGuard<A, M> {
    fn drop(&mut self) {
        if let Some(response) = self.concluded.take() {
            return self.answer(response);
        }
        let Some(context) = &mut self.context else { return };
        let error = if std::thread::panicking() {
            heard_panic(self.handler)
        } else if context.cancel.is_cancelled() {
            Error::request_cancelled()
        } else {
            Error::internal_error("the agent's handler ended without an answer")
        };
        if const { M::IS_TURN && A::STORE.is_some() }
            && let Some(context) = self.context.take()
        {
            return end_dropped_turn(context, self.responder.take(), error);
        }
        let Some(context) = &mut self.context else { return };
        let response = M::fail(context, error);
        self.answer(response);
    }
}
