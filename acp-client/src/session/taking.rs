//! Whoever takes what arrives until an answer: a turn until that of its prompt, a load until its own.

use std::{collections::VecDeque, time::Duration};

use acp_runtime_core::__role::CancellationToken;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::time::{Instant, timeout, timeout_at};

use super::{
    Session,
    inbox::{Item, Outcome},
};
use crate::{
    Error, ErrorKind, Result,
    schema::Method,
    values::{CancelNotification, methods},
};

/// What arrives of a session until an answer. Dropped, it is cancelled.
pub(super) struct Taking {
    pub(super) session: Session,
    method: &'static str,
    number: u64,
    cancel: CancellationToken,
    /// Arrived, and not given to anyone yet.
    taken: VecDeque<Item>,
    pub(super) ended: Option<Result<Box<RawValue>>>,
    /// How long nothing may arrive.
    silence: Option<Duration>,
    /// When it is given up, once it is cancelled.
    until: Option<Instant>,
}

impl Taking {
    /// Asks, when what the session is busy with is over.
    pub(super) async fn begin(
        session: Session,
        method: &'static str,
        request: &(impl Serialize + Sync),
        silence: Option<Duration>,
    ) -> Result<Self> {
        let cancel = CancellationToken::new();
        let Some(number) = session.entry().begin(&cancel).await else {
            return Err(session.link().ended(method).await);
        };
        let (taken, ended, until) = Default::default();
        // From here on a drop gives it up.
        let taking = Self { session, method, number, cancel, taken, ended, silence, until };
        taking.session.link().request_queued(method, request, taking.session.entry(), number).await?;
        Ok(taking)
    }

    /// The params of the next update; `None` when the answer has come. Given up before it is ready, nothing is lost.
    pub(super) async fn next(&mut self) -> Result<Option<Box<str>>> {
        match &self.ended {
            Some(Ok(_)) => return Ok(None),
            Some(Err(error)) => return Err(error.clone()),
            None => {}
        }
        // Whoever always finds something would never let the reader run.
        tokio::task::coop::consume_budget().await;
        while self.taken.is_empty() {
            if let Err(error) = self.wait().await {
                self.leave(Err(error.clone()));
                return Err(error);
            }
        }
        let link = self.session.link();
        let ended = match self.taken.pop_front() {
            Some(Item::Update(update)) => {
                self.session.entry().consumed(&update);
                return Ok(Some(update));
            }
            Some(Item::End(Outcome::Answered(raw))) => Ok(raw),
            Some(Item::End(Outcome::Refused(error))) => Err(link.refused(self.method, error)),
            Some(Item::End(Outcome::Flooded)) => {
                Err(Error::new(ErrorKind::Flooded { bytes: link.options().unread_hard_bytes }))
            }
            Some(Item::End(Outcome::Lost)) | None => Err(link.ended(self.method).await),
        };
        self.leave(ended.clone());
        ended.map(|_| None)
    }

    /// Waits until something has arrived, or until it is cancelled.
    ///
    /// # Errors
    ///
    /// It was cancelled, and there is no answer; or nothing came for too long.
    async fn wait(&mut self) -> Result<()> {
        let entry = self.session.0.entry.clone();
        let bound = self.session.link().options().cancel_timeout;
        let arrived = entry.take(&mut self.taken);
        let (in_time, after) = if self.cancel.is_cancelled() {
            let until = *self.until.get_or_insert_with(|| Instant::now() + bound);
            (timeout_at(until, arrived).await.is_ok(), bound)
        } else {
            // A cancel begins another time.
            let arrived = self.cancel.run_until_cancelled(arrived);
            match self.silence {
                None => {
                    arrived.await;
                    (true, bound)
                }
                Some(silence) => (timeout(silence, arrived).await.is_ok(), silence),
            }
        };
        if in_time { Ok(()) } else { Err(self.session.link().timed_out(self.method, after)) }
    }

    /// Takes all until the answer.
    pub(super) async fn finish(&mut self) -> Result<Box<RawValue>> {
        while self.next().await?.is_some() {}
        match &self.ended {
            Some(ended) => ended.clone(),
            None => Err(self.session.link().ended(self.method).await),
        }
    }

    pub(super) fn cancel(&self) {
        if self.ended.is_none() && !self.cancel.is_cancelled() {
            cancel(&self.session, &self.cancel);
        }
    }

    /// It is over for this client, whatever the agent still sends of it.
    fn leave(&mut self, ended: Result<Box<RawValue>>) {
        self.ended = Some(ended);
        self.give_up();
    }

    fn give_up(&mut self) {
        let until = Instant::now() + self.session.link().options().cancel_timeout;
        self.session.0.entry.give_up(self.number, &mut self.taken, until);
    }
}

/// Cancels what a session is busy with.
pub(super) fn cancel(session: &Session, token: &CancellationToken) {
    // First what this side does for it: permission that comes meanwhile is not asked for.
    token.cancel();
    session.link().notify_now(methods::Cancel::NAME, &CancelNotification::new(session.id().clone()));
}

impl Drop for Taking {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.cancel();
            self.give_up();
        }
    }
}
