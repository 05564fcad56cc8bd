//! The guard that lends a call to its handler, and answers it.

use tracing::Span;

use super::{Handled, Parts};
use crate::{
    TARGET,
    agent::{
        heard::heard_panic,
        kinds::Kind,
        model::{CallContext, Handlers},
        work::Work,
    },
    rpc::{CancellationToken, Entered, Responder, Start},
    values,
    wire::{Error, Result, quoted::Short},
};

/// Lends the call to its handler, until the call is answered.
pub struct CallGuard<A: Handlers, M: Handled<A>> {
    /// The name of the handler, once the call is lent to it.
    handler: &'static str,
    /// `None` once the call is answered.
    call: Option<(CallContext<A>, M::Admitted)>,
    request: Option<M::Params>,
    meta: Option<values::Meta>,
    responder: Option<Responder>,
    /// The response that waits for room in the buffer.
    concluded: Option<Result<M::Response>>,
    /// While this lives, the client may withdraw the request.
    entered: Option<Entered>,
}

impl<A: Handlers, M: Handled<A>> CallGuard<A, M> {
    pub(in crate::agent) fn new(
        context: CallContext<A>,
        admitted: M::Admitted,
        request: M::Params,
        responder: Option<Responder>,
    ) -> Self {
        let id = responder.as_ref().and_then(Responder::id);
        let entered = id.map(|id| context.connection.line.enter(id, &context.cancel));
        let (call, request) = (Some((context, admitted)), Some(request));
        Self { handler: "", call, request, meta: None, responder, concluded: None, entered }
    }

    /// Waits until the handler of this name may run. Returns the parts from which the handler's parameters are made.
    ///
    /// # Errors
    ///
    /// The call needs a part that does not exist any more.
    pub async fn lend(&mut self, handler: &'static str) -> Result<Parts<'_, A, M>> {
        self.handler = handler;
        let (context, admitted) = self.call.as_mut().expect("a call is answered once, by `finish`");
        M::ready(context, admitted, self.request.as_ref(), &mut self.responder).await?;
        // A prompt that was answered when it was inserted cannot be withdrawn any more: that would cancel its turn.
        self.entered = self.entered.take().filter(|_| self.responder.is_some());
        let asked_by = self.responder.as_ref().and_then(Responder::id);
        Ok(Parts::new(handler, context, admitted.lend(), self.request.take(), self.meta.take(), asked_by))
    }

    pub(super) fn admitted(&mut self) -> Option<&mut M::Admitted> {
        self.call.as_mut().map(|(_, admitted)| admitted)
    }

    /// The way to start the handler, and what drops it.
    pub(super) fn start(&self) -> (Start, Option<CancellationToken>) {
        // A cancelled turn must end by itself. Other handlers are dropped at their next `.await`.
        if M::Admitted::IS_TURN {
            return (Start::Task, None);
        }
        let way = self.responder.as_ref().and_then(Responder::way).cloned();
        (Start::Here(way), self.call.as_ref().map(|(context, _)| context.cancel.clone()))
    }

    /// The span in which the handler runs.
    pub(super) fn span(&self, method: &str) -> Span {
        let id = self.responder.as_ref().and_then(Responder::id).map(|id| tracing::field::display(Short(id.get())));
        match &self.call {
            Some((_, admitted)) if M::Admitted::IS_TURN => {
                let session = admitted.session_id().map(tracing::field::display);
                tracing::debug_span!(target: TARGET, "turn", id, session)
            }
            _ => tracing::debug_span!(target: TARGET, "request", id, method = %Short(method)),
        }
    }

    /// Concludes the call. Answers it when the buffer has room for the answer.
    pub async fn finish(mut self, answer: Result<M::Answer>) {
        let Some((context, admitted)) = &mut self.call else { return };
        let mut response = match answer {
            Ok(answer) => M::conclude(context, admitted, answer).await,
            Err(error) => M::fail(context, admitted, error),
        };
        if let Some(work) = M::settle(context, admitted)
            && let Err(error) = work.await
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
        if let Some((context, admitted)) = self.call.take() {
            let connection = context.connection.clone();
            // The session of a turn becomes free with the turn's answer. Code that waits for the turn's end, for example to
            // close the session, goes on after the answer.
            M::respond(&connection, admitted.leave(context), self.responder.take(), response);
        }
    }

    /// Answers a call that was dropped when its work is done.
    fn answer_behind(&mut self, work: Work<'static, Result<()>>, error: Error) {
        let Some((mut context, mut admitted)) = self.call.take() else { return };
        let (connection, responder) = (context.connection.clone(), self.responder.take());
        let end: Work<'static, ()> = Box::pin(async move {
            let settled = work.await;
            let response = settled.and(M::fail(&mut context, &mut admitted, error));
            if let Some(waiting) = responder.as_ref().filter(|responder| !responder.has_room()) {
                waiting.room().await;
            }
            let connection = context.connection.clone();
            M::respond(&connection, admitted.leave(context), responder, response);
        });
        // Without a runtime, nothing can wait any more: the drop of the future answers.
        match tokio::runtime::Handle::try_current() {
            Ok(_) => connection.line.tasks.start(end, Start::Task, None),
            Err(_) => tracing::warn!(target: TARGET, "a turn was dropped with its runtime, and its end is not kept"),
        }
    }
}

/// The call is withdrawn, or its handler has panicked.
impl<A: Handlers, M: Handled<A>> Drop for CallGuard<A, M> {
    fn drop(&mut self) {
        if let Some(response) = self.concluded.take() {
            return self.answer(response);
        }
        let Some((context, admitted)) = &mut self.call else { return };
        let error = if std::thread::panicking() {
            heard_panic(self.handler)
        } else if context.cancel.is_cancelled() {
            Error::request_cancelled()
        } else {
            Error::internal_error("the agent's handler ended without an answer")
        };
        if const { M::Admitted::IS_TURN }
            && let Some(work) = M::settle(context, admitted)
        {
            return self.answer_behind(work, error);
        }
        let response = M::fail(context, admitted, error);
        self.answer(response);
    }
}
