//! The turns of a stored session: each begins with a lease that holds, and its end is told when it is committed.

use std::{
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use super::{CallContext, told};
use crate::{
    TARGET,
    agent::{
        contract::Handlers,
        methods::{Handled, handlers},
    },
    rpc::{Responder, Start},
    session::book::State,
    values::{ContentBlock, PromptRequest},
    wire::{Error, Result},
};

/// How long a turn that is cancelled at its begin waits for the store.
const CANCELLED: Duration = Duration::from_secs(1);

impl<A: Handlers> CallContext<A> {
    /// Renews the lease, and notes the prompt. The prompt of a turn that is cancelled meanwhile is noted, too.
    ///
    /// # Errors
    ///
    /// Another process has the session, or the store fails, or it does not answer and the turn is cancelled. Then the handler
    /// does not run.
    // Boxed, because it would make the future of each call larger.
    pub(crate) fn begin_stored_turn<'c>(
        &'c mut self,
        prompt: &'c [ContentBlock],
    ) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'c>> {
        let (book, session, cancel) = (self.book(), self.session.clone(), self.cancel.clone());
        let unwritten = match &book {
            Some(book) if book.has_unwritten() => Some(self.turn_state()),
            _ => None,
        };
        Box::pin(async move {
            let (Some(book), Some(session)) = (book, session) else { return Ok(()) };
            let mut begin = pin!(book.begin_turn(unwritten));
            let begun = match cancel.run_until_cancelled(begin.as_mut()).await {
                Some(begun) => Some(begun),
                None => tokio::time::timeout(CANCELLED, begin).await.ok(),
            };
            let begun = begun.transpose().map_err(told)?;
            // If the store does not answer, the prompt is kept when it does. One prompt can wait for this.
            if begun.is_some() {
                book.prompted_by(session.handle.output(), prompt).await;
            } else if !book.has_unwritten() {
                session.handle.output().prompted(prompt);
            }
            begun.ok_or_else(Error::request_cancelled)
        })
    }

    /// Commits what the turn has said and changed.
    // Boxed, as above.
    pub(crate) fn commit_turn(&mut self) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'static>> {
        // A prompt that waits has no turn, although its session may have one.
        let has_turn = self.kept.slot.as_ref().is_some_and(|slot| !slot.is_waiting());
        let book = self.book().filter(|book| has_turn && book.ends_turn()).map(|book| (book, self.turn_state()));
        Box::pin(async move {
            match book {
                Some((book, state)) => book.end_turn(state).await.map_err(told),
                None => Ok(()),
            }
        })
    }

    /// Notes the prompt that may become a part of the running turn.
    pub(in crate::agent::context) fn steer_by(&mut self, prompt: &PromptRequest) {
        self.asked().stored = Some(Arc::new(prompt.prompt.clone()));
    }

    /// The running turn has taken the prompt in.
    pub(in crate::agent::context) fn note_steering(&self) {
        let part = self.asked.as_ref().and_then(|asked| asked.stored.as_deref());
        if let (Some(session), Some(prompt)) = (&self.session, part.and_then(|part| part.downcast_ref())) {
            session.handle.output().prompted(Vec::<ContentBlock>::as_slice(prompt));
        }
    }

    /// The state of the session, which the turn has.
    fn turn_state(&mut self) -> State {
        let state = self.kept.slot.as_mut().and_then(|slot| slot.state());
        State::OfTurn(A::STORE.zip(state).map(|(store, state)| store.keep(state)).transpose())
    }
}

/// Ends a turn whose handler panicked or was dropped: commits it, and then answers. This function does not wait.
pub(in crate::agent) fn end_dropped_turn<A: Handlers>(
    mut context: CallContext<A>,
    mut responder: Option<Responder>,
    error: Error,
) {
    let commit = context.commit_turn();
    let connection = context.connection.clone();
    let end = async move {
        let committed = commit.await;
        let response = <handlers::prompt as Handled<A>>::fail(&mut context, error);
        let response = committed.and(response);
        if let Some(waiting) = responder.as_ref().filter(|responder| !responder.has_room()) {
            waiting.room().await;
        }
        let place = const { A::IDENTITY.queues() }.then(|| context.place_in_line());
        let mut kept = context.leave();
        match place {
            None => <handlers::prompt as Handled<A>>::respond(&mut kept, responder.take(), response),
            Some(place) => {
                <handlers::prompt as Handled<A>>::respond_in_line(&place, &mut kept, responder.take(), response);
            }
        }
    };
    // Without a runtime, nothing can wait any more: the drop of the future answers.
    match tokio::runtime::Handle::try_current() {
        Ok(_) => connection.line.tasks.start(end, Start::Task, None),
        Err(_) => tracing::warn!(target: TARGET, "a turn was dropped with its runtime, and is not committed"),
    }
}
