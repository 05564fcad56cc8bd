//! What a session does, for versions that tell it: the work in the foreground, and the questions that it waits for.
//!
//! Work is a turn, or a command beside it. A session counts them, and is idle
//! when none runs. What is told stands in the order of the wire, because it changes under the lock of the buffer.
//!
//! See [Session states](https://agentclientprotocol.com/protocol/v2/prompt-lifecycle#session-states).

#[cfg(feature = "local")]
use std::{path::Path, sync::Arc};

#[cfg(feature = "local")]
use super::feed::Feed;
use super::{
    activity::Foreground,
    extras::Late,
    handle::SessionHandle,
    listed::Background,
    update::{HasOutput, SessionOutput},
};
use crate::{
    client::{self, Client},
    dialect::{Stop, Tells},
    rpc::CancellationToken,
    values::SessionUpdate,
    wire::Result,
};

impl SessionOutput {
    /// Changes what the session does, and tells it if `change` returns true. Runs `meanwhile` under the lock of the buffer.
    fn change(&self, change: &mut dyn FnMut(&mut Foreground) -> bool, meanwhile: &mut dyn FnMut()) {
        self.write_now(&mut |dialect, out| {
            meanwhile();
            self.told(dialect, out, &mut |late| change(late.foreground.get_or_insert_default()))
        });
    }

    /// Changes the work in the background, and tells what the session does. Returns false if the session is over.
    pub(super) fn change_background(&self, change: &mut dyn FnMut(&mut Background)) -> bool {
        let mut is_open = false;
        self.write_now(&mut |dialect, out| {
            self.told(dialect, out, &mut |late| {
                change(late.background.get_or_insert_default());
                is_open = true;
                true
            })
        });
        is_open
    }

    /// Writes what the session does, if `change` returns true. The lock of the buffer must be held.
    fn told(&self, dialect: &dyn Tells, out: &mut Vec<u8>, change: &mut dyn FnMut(&mut Late) -> bool) -> Result<()> {
        let told = self.extra(|late| {
            change(late).then(|| {
                let foreground = late.foreground.get_or_insert_default();
                foreground.is_told();
                dialect.activity(out, self.id(), &foreground.activity(late.background.as_deref()))
            })
        });
        told.flatten().unwrap_or(Ok(()))
    }

    /// Writes what the session does. The lock of the buffer must be held.
    pub(super) fn write_activity(&self, dialect: &dyn Tells, out: &mut Vec<u8>) -> Result<()> {
        self.told(dialect, out, &mut |_| true)
    }

    /// Tells that work goes on which a question has blocked. The lock of the buffer must be held.
    pub(super) fn resume(&self, dialect: &dyn Tells, out: &mut Vec<u8>) -> Result<()> {
        self.told(dialect, out, &mut |late| late.foreground.get_or_insert_default().go_on())
    }

    /// Whether this update shows that work goes on which a question has blocked.
    pub(super) fn goes_on(&self, update: &SessionUpdate) -> bool {
        let is_of_work = matches!(
            update,
            SessionUpdate::AgentMessageChunk(_)
                | SessionUpdate::AgentThoughtChunk(_)
                | SessionUpdate::ToolCall(_)
                | SessionUpdate::ToolCallUpdate(_)
                | SessionUpdate::Plan(_)
        );
        is_of_work
            && self.extra_so_far(|late| late.foreground.as_deref().is_some_and(Foreground::may_go_on)) == Some(true)
    }

    /// A cancel reaches the work that runs: the turn, which `turn` cancels, and what runs beside it. What ends from here on is told as
    /// cancelled. Under the lock of the buffer, so that no prompt is inserted which the cancel reaches and does not count.
    pub(crate) fn cancel_work(&self, turn: &mut dyn FnMut()) {
        self.write_now(&mut |_, _| {
            turn();
            self.cancel_beside();
            // A cancel counts also where no work has run yet: some may be about to begin.
            self.with_late(|late| late.foreground.get_or_insert_default().cancel());
            Ok(())
        });
    }

    /// The prompt of work is about to be told. The lock of the buffer must be held.
    pub(super) fn insert_work(&self) {
        self.extra(|late| late.foreground.get_or_insert_default().insert());
    }

    /// A prompt that joins the work is about to be told. Returns true if no work runs any more, so that this begins some. The lock of
    /// the buffer must be held.
    pub(super) fn join_work(&self) -> bool {
        self.extra(|late| late.foreground.get_or_insert_default().join()).unwrap_or_default()
    }

    /// Tells that the work of a prompt has begun.
    pub(super) fn begin_inserted(&self) {
        self.change(&mut Foreground::tell_inserted, &mut || {});
    }

    /// How many cancels have reached the work.
    pub(crate) fn cancels(&self) -> u32 {
        self.extra_so_far(|late| late.foreground.as_ref().map_or(0, |foreground| foreground.cancels))
            .unwrap_or_default()
    }

    /// Begins work, unless a cancel has come since there were so many. Returns false then: the cancel has not counted this work.
    pub(crate) fn begin_work_since(&self, cancels: u32) -> bool {
        let mut is_late = false;
        let mut begin = |foreground: &mut Foreground| {
            is_late = foreground.cancels != cancels;
            !is_late && foreground.begin_untold()
        };
        self.change(&mut begin, &mut || {});
        !is_late
    }

    /// Returns whether it was the last work.
    pub(super) fn end_work(&self, stop: Stop, meanwhile: &mut dyn FnMut()) -> bool {
        let (mut stop, mut is_last) = (Some(stop), false);
        let mut end = |foreground: &mut Foreground| {
            let is_told = stop.take().is_some_and(|stop| foreground.end(stop));
            is_last = foreground.works == 0;
            is_told
        };
        self.change(&mut end, meanwhile);
        if !is_last {
            self.change(&mut Foreground::go_on_behind, &mut || {});
        }
        is_last
    }

    /// Ends the output. Work that began too late for the call that ends the session to wait for it is told as cancelled.
    pub(crate) fn leave(&self) {
        self.write_now(&mut |dialect, out| {
            let told = match self.with_late(|late| late.foreground.is_some()) {
                Some(true) => {
                    self.told(dialect, out, &mut |late| late.foreground.as_deref_mut().is_some_and(Foreground::leave))
                }
                _ => Ok(()),
            };
            self.silence();
            told
        });
        // The client may be gone. What the session has beside its output is dropped without the lock.
        self.end();
    }

    /// Tells what the session does, to a client that has opened it again.
    pub(super) fn snapshot(&self) {
        self.announce_background();
        self.change(&mut |_| true, &mut || {});
    }
}

impl<C: Send + Sync + 'static> SessionHandle<C> {
    /// The questions of this client block the session's work.
    pub(crate) fn blocked_by(&self, client: Client) -> Client {
        client.blocking(self.0.clone())
    }
}

impl<T: HasOutput + 'static> client::foreground::Foreground for T {
    fn asks(&self, cancel: &CancellationToken) -> bool {
        let mut asks = false;
        // A cancel that comes meanwhile finds the question told, or the question is not asked.
        let mut ask = |foreground: &mut Foreground| {
            asks = !cancel.is_cancelled();
            asks && foreground.ask()
        };
        self.output().change(&mut ask, &mut || {});
        asks
    }

    fn answered(&self, goes_on: bool) {
        self.output().change(&mut |foreground| foreground.answer(goes_on), &mut || {});
    }

    #[cfg(feature = "local")]
    fn show_command(
        self: Arc<Self>,
        command: &dyn Fn() -> String,
        cwd: &Path,
        cancel: &CancellationToken,
    ) -> Option<Arc<dyn client::foreground::ShowsCommand>> {
        // On version 1, nothing of a terminal is made.
        self.output().shows_terminals().then(|| Feed::begin(self, command(), cwd.to_owned(), cancel)).flatten()
    }
}
