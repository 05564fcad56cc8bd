//! Takes the items of a session until an answer: a turn until the answer to the prompt, a load until its own answer.

use std::{collections::VecDeque, future::ready, pin::pin, sync::Arc, time::Duration};

use acp_peer::rpc::{Then, after};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::time::{Instant, timeout, timeout_at};

use super::Session;
use crate::{
    Error, ErrorKind, Result,
    inbox::{
        cancel::Cancel,
        entry::Entry,
        item::{Item, Outcome},
        question::{Place, Question, ReadQuestion},
    },
    link::Boxed,
};

/// The items of a session until an answer. Its drop cancels the turn or load.
pub(super) struct Taking {
    pub(super) session: Session,
    method: &'static str,
    number: u64,
    cancel: Cancel,
    /// The items that have arrived and were not returned yet.
    taken: VecDeque<Item>,
    pub(super) ended: Option<Result<Box<RawValue>>>,
    /// The time for which the agent may send nothing.
    silence: Option<Duration>,
    cancelled: Option<Cancelled>,
}

/// An item for the holder of a turn or load.
pub(super) enum Taken {
    /// The params of a `session/update`.
    Update(Box<str>),
    /// A question of the agent. It comes only to a holder that takes questions.
    Question(Box<dyn Question>),
}

/// The state of a cancelled turn or load.
struct Cancelled {
    at: Instant,
    /// The time that this client has waited for the agent, without the time that the consumer needed between the calls.
    waited: Duration,
    /// The bytes of the updates that were taken after the time limit.
    late_bytes: usize,
}

impl Cancelled {
    fn now() -> Self {
        Self { at: Instant::now(), waited: Duration::ZERO, late_bytes: 0 }
    }
}

impl Taking {
    /// Waits until the session's turn or load before is over, then sends the request.
    pub(super) async fn begin(
        session: Session,
        method: &'static str,
        request: &(impl Serialize + Sync),
        silence: Option<Duration>,
        takes_questions: Option<ReadQuestion>,
    ) -> Result<Self> {
        let cancel = Cancel::of(method);
        let Some(number) = session.entry().begin(&cancel, takes_questions).await else {
            return Err(lost(&session, method).await);
        };
        let reserved = Reserved { entry: session.entry(), number };
        match cancel.token().run_until_cancelled(session.link().room(method)).await {
            Some(room) => room?,
            None => return Err(lost(&session, method).await),
        }
        reserved.sent();
        let (taken, ended, cancelled) = Default::default();
        // From here on, a drop of `taking` gives the turn up.
        let taking = Self { session, method, number, cancel, taken, ended, silence, cancelled };
        let (line, entry) = (&taking.session.link().line, taking.session.entry());
        let id = line.request(method, request, end_with_answer(entry.clone(), number));
        taking.cancel.sent(line, id);
        entry.await_reader();
        Ok(taking)
    }

    /// The params of the next update; `None` when the answer has come. If the future is dropped before it is ready, no
    /// update is lost.
    pub(super) async fn next(&mut self) -> Result<Option<Box<str>>> {
        loop {
            match self.next_item().await? {
                Some(Taken::Update(update)) => return Ok(Some(update)),
                Some(Taken::Question(_)) => {}
                None => return Ok(None),
            }
        }
    }

    /// As [`next`](Self::next), with the questions for the holder.
    pub(super) async fn next_item(&mut self) -> Result<Option<Taken>> {
        match &self.ended {
            Some(Ok(_)) => return Ok(None),
            Some(Err(error)) => return Err(error.clone()),
            None => {}
        }
        // If an item is always ready, this task would never let the reader run.
        tokio::task::coop::consume_budget().await;
        // The updates before were shown. So the questions behind them, which come first now, may be asked.
        self.session.entry().reader.call();
        let item = loop {
            match self.taken.pop_front() {
                Some(Item::Question(Place::Handler(_))) => {}
                Some(Item::Question(Place::Reader(question))) if question.is_withdrawn() => {}
                Some(Item::Question(Place::Reader(question))) => return Ok(Some(Taken::Question(question))),
                Some(item) => break item,
                None => {
                    if let Err(error) = self.wait().await {
                        // A silent agent may still work on the request, so it is told to stop.
                        self.cancel();
                        self.leave(Err(error.clone()));
                        return Err(error);
                    }
                }
            }
        };
        let link = self.session.link();
        let ended = match item {
            Item::Update(update) => {
                self.session.entry().consumed(&update);
                return Ok(Some(Taken::Update(update)));
            }
            Item::End(Outcome::Answered(raw)) => Ok(raw),
            Item::End(Outcome::Refused(error)) => Err(link.refused(self.method, error)),
            Item::End(Outcome::Flooded) => {
                Err(link.error(ErrorKind::Flooded { bytes: link.options().unread_hard_bytes }))
            }
            Item::End(Outcome::Lost) | Item::Question(_) => Err(lost(&self.session, self.method).await),
        };
        self.leave(ended.clone());
        ended.map(|_| None)
    }

    /// Waits until something has arrived, or until the turn or load is cancelled.
    ///
    /// # Errors
    ///
    /// The agent sent nothing for too long; or the turn was cancelled, and its answer did not come in time.
    fn wait(&mut self) -> Boxed<'_, Result<()>> {
        Box::pin(async move {
            let entry = self.session.0.entry.clone();
            if self.cancel.token().is_cancelled() {
                return self.wait_cancelled(&entry).await;
            }
            // After a cancel, another time limit holds.
            let arrived = self.cancel.token().run_until_cancelled(entry.take(&mut self.taken));
            let Some(silence) = self.silence else {
                arrived.await;
                return Ok(());
            };
            let method = self.method.to_owned();
            if within(silence, arrived, &entry).await {
                return Ok(());
            }
            Err(self.session.link().error(ErrorKind::Silent { method, after: silence }))
        })
    }

    /// Waits as [`wait`](Self::wait) does, for a turn or load that is cancelled. The agent gets no more time if it goes
    /// on sending. Updates that it sent in time still count, also when they are consumed late. `on_its_way` bounds
    /// their size, because the reader reads no further. An answer that was read counts, however many updates before it
    /// wait for the client's handlers.
    async fn wait_cancelled(&mut self, entry: &Entry) -> Result<()> {
        let link = self.session.link();
        let (bound, on_its_way) = (link.options().cancel_timeout, link.options().unread_soft_bytes.saturating_mul(2));
        let Cancelled { at, waited, late_bytes } = self.cancelled.get_or_insert_with(Cancelled::now);
        let began = Instant::now();
        if *late_bytes <= on_its_way
            && timeout(bound.saturating_sub(*waited), entry.take_cancelled(&mut self.taken)).await.is_ok()
        {
            *waited += began.elapsed();
            if at.elapsed() > bound {
                let bytes = |item: &Item| if let Item::Update(update) = item { update.len() } else { 0 };
                *late_bytes += self.taken.iter().map(bytes).sum::<usize>();
            }
            return Ok(());
        }
        if entry.is_through(self.number) {
            entry.take_cancelled(&mut self.taken).await;
            return Ok(());
        }
        Err(link.error(ErrorKind::CancelIgnored { method: self.method.to_owned(), after: bound }))
    }

    /// Takes all items until the answer.
    pub(super) async fn finish(&mut self) -> Result<Box<RawValue>> {
        while self.next().await?.is_some() {}
        match &self.ended {
            Some(ended) => ended.clone(),
            None => Err(lost(&self.session, self.method).await),
        }
    }

    pub(super) fn cancel(&self) {
        if self.ended.is_none() && !self.cancel.token().is_cancelled() {
            self.cancel.cancel(&self.session.link().line, self.session.id());
        }
    }

    /// Ends the turn or load on this side. Later messages of the agent about it are dropped.
    fn leave(&mut self, ended: Result<Box<RawValue>>) {
        self.ended = Some(ended);
        self.give_up();
    }

    fn give_up(&mut self) {
        let until = after(Instant::now(), self.session.link().options().cancel_timeout);
        self.session.0.entry.give_up(self.number, &mut self.taken, until);
    }
}

/// Ends the turn or load `number` with the answer to its request.
fn end_with_answer(entry: Arc<Entry>, number: u64) -> Then {
    let mut end = EndOnDrop { entry: Some(entry), number };
    Box::new(move |answer| {
        end.end(match answer {
            Ok(result) => Outcome::Answered(result.to_owned()),
            Err(error) => Outcome::Refused(error),
        });
    })
}

/// Ends a turn or load, also if it is dropped without an answer.
struct EndOnDrop {
    entry: Option<Arc<Entry>>,
    number: u64,
}

impl EndOnDrop {
    fn end(&mut self, outcome: Outcome) {
        if let Some(entry) = self.entry.take() {
            entry.end(self.number, outcome);
        }
    }
}

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.end(Outcome::Lost);
    }
}

/// A turn or load whose request was not sent yet. Its drop frees the session; the agent knows nothing of it.
struct Reserved<'e> {
    entry: &'e Entry,
    number: u64,
}

impl Reserved<'_> {
    fn sent(self) {
        self.entry.sent(self.number);
        std::mem::forget(self);
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.entry.leave_unsent(self.number);
    }
}

/// Returns whether something arrived before the agent was silent for this time. Updates for the client's handlers count
/// too.
async fn within(silence: Duration, arrived: impl Future, entry: &Entry) -> bool {
    let mut arrived = pin!(arrived);
    let mut until = after(Instant::now(), silence);
    while timeout_at(until, arrived.as_mut()).await.is_err() {
        match entry.heard() {
            Some(heard) if after(heard, silence) > until => until = after(heard, silence),
            _ => return false,
        }
    }
    true
}

/// The error of a turn or load that will get no answer.
fn lost<'s>(session: &'s Session, method: &'static str) -> Boxed<'s, Error> {
    if session.entry().is_forgotten() {
        return Box::pin(ready(session.link().session_over(method)));
    }
    session.link().ended(method)
}

impl Drop for Taking {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.cancel();
            self.give_up();
        }
    }
}
