//! The turns of a stored session: each begins with a lease that holds, and its end is told when it is committed.

use std::{pin::pin, time::Duration};

use super::{book_of, told};
use crate::{
    agent::{
        model::{Handlers, SlotOf},
        parts::store::HasStore,
        work::Try,
    },
    rpc::CancellationToken,
    session::book::State,
    values::ContentBlock,
    wire::Error,
};

/// How long a turn that is cancelled at its begin waits for the store.
const CANCELLED: Duration = Duration::from_secs(1);

/// Renews the lease, and notes the prompt. The prompt of a turn that is cancelled meanwhile is noted, too.
///
/// # Errors
///
/// Another process has the session, or the store fails, or it does not answer and the turn is cancelled. Then the handler
/// does not run.
pub(super) fn begin<'w, A: Handlers + HasStore>(
    slot: &SlotOf<A>,
    cancel: &CancellationToken,
    prompt: &'w [ContentBlock],
) -> Option<Try<'w>> {
    let (session, cancel) = (slot.session().clone(), cancel.clone());
    let book = book_of(&session.handle)?;
    let unwritten = book.has_unwritten().then(|| state::<A>(slot));
    Some(Box::pin(async move {
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
    }))
}

/// Commits what the turn has said and changed.
pub(super) fn end<A: Handlers + HasStore>(slot: &SlotOf<A>) -> Option<Try<'static>> {
    // A prompt that waits has no turn, although its session may have one.
    if slot.is_waiting() {
        return None;
    }
    let book = book_of(&slot.session().handle).filter(|book| book.ends_turn())?;
    let state = state::<A>(slot);
    Some(Box::pin(async move { book.end_turn(state).await.map_err(told) }))
}

/// The state of the session, which the turn has.
fn state<A: Handlers + HasStore>(slot: &SlotOf<A>) -> State {
    State::OfTurn(slot.state().map(|state| A::STORE.keep(state)).transpose())
}
