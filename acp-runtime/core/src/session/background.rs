//! Work in the background: tool calls and terminals that go on while their session is idle, and what the client may cancel one by
//! one.
//!
//! See [Background work](https://agentclientprotocol.com/protocol/v2/prompt-lifecycle#background-work).

use std::{
    pin::pin,
    sync::{Arc, Mutex},
};

use super::{
    listed::{Again, WasWork},
    screen::{Screen, lock},
    tool_call::ToolCallHandle,
    update::{SessionOutput, over},
};
use crate::{
    dialect::{Control, Listed, Tells, TerminalSaid},
    rpc::CancellationToken,
    values::{SessionUpdate, TerminalId, ToolCallStatus, ToolCallUpdate},
    wire::{Cancelled, Result},
};

impl SessionOutput {
    /// Lists work that was announced. Tells the client. The end of the session sets `cancel`.
    fn list(&self, listed: Listed, again: Again, cancel: &CancellationToken) -> Result<()> {
        let mut added = Some((listed, again));
        let is_open = self.change_background(&mut |background| {
            if let Some((listed, again)) = added.take() {
                background.ends_with_session(listed.clone(), cancel.clone());
                background.add(listed, again);
            }
        });
        if is_open { Ok(()) } else { Err(over()) }
    }

    /// Lists a terminal that was shown. The end of the session sets `cancel`.
    pub(super) fn list_screen(
        &self,
        id: &TerminalId,
        screen: &Arc<Mutex<Screen>>,
        cancel: &CancellationToken,
    ) -> Result<()> {
        self.list(Listed::Terminal(id.clone()), Again::Terminal(screen.clone()), cancel)
    }

    /// The end of the session sets `cancel`, for work that belongs to no turn.
    pub(super) fn ends_with_session(&self, work: Listed, cancel: &CancellationToken) -> Result<()> {
        let added = self.extra(|late| late.background.get_or_insert_default().ends_with_session(work, cancel.clone()));
        added.ok_or_else(over)
    }

    /// Whether work goes on in the background.
    pub(crate) fn has_background(&self) -> bool {
        self.extra_so_far(|late| late.background.as_ref().is_some_and(|background| background.goes_on())) == Some(true)
    }

    /// Cancels the work in the background: the session ends.
    pub(crate) fn cancel_background(&self) {
        let all: Option<Vec<_>> =
            self.extra_so_far(|late| Some(late.background.as_ref()?.all().cloned().collect())).flatten();
        all.iter().flatten().for_each(CancellationToken::cancel);
    }

    /// The client may cancel this alone from here on.
    pub(super) fn let_cancel(&self, listed: Listed, cancel: &CancellationToken) -> Result<()> {
        let is_known = self.extra(|late| {
            late.background.get_or_insert_default().cancels.push((listed.clone(), cancel.clone()));
        });
        is_known.ok_or_else(over)?;
        self.write_now(&mut |dialect, out| dialect.control(out, self.id(), &listed, Control::Cancellable));
        Ok(())
    }

    /// The client cancels this alone. Returns false if it must not.
    pub(crate) fn cancel_one(&self, wanted: &Listed) -> bool {
        let cancel = self.extra_so_far(|late| {
            let background = late.background.as_ref()?;
            background.cancels.iter().find(|(listed, _)| listed == wanted).map(|(_, cancel)| cancel.clone())
        });
        let cancel = cancel.flatten();
        cancel.iter().for_each(CancellationToken::cancel);
        cancel.is_some()
    }

    /// Whether this update ends a tool call that the client may cancel alone.
    pub(super) fn ends_cancellable(&self, update: &SessionUpdate) -> bool {
        let Some(change) = last_of_call(update) else { return false };
        self.extra_so_far(|late| {
            let is_it = |listed: &Listed| matches!(listed, Listed::ToolCall(id) if *id == change.tool_call_id);
            late.background.as_ref().is_some_and(|all| all.cancels.iter().any(|(listed, _)| is_it(listed)))
        }) == Some(true)
    }

    /// An update was written. If it has ended work that was listed, the client is told what is left.
    pub(super) fn ended(&self, dialect: &dyn Tells, out: &mut Vec<u8>, update: &SessionUpdate) -> Result<()> {
        let Some(change) = last_of_call(update) else { return Ok(()) };
        let ended = self.end_listed(&Listed::ToolCall(change.tool_call_id.clone()));
        if ended.was_listed { self.write_activity(dialect, out) } else { Ok(()) }
    }

    /// The end of this was told, or is about to be.
    pub(super) fn end_listed(&self, ended: &Listed) -> WasWork {
        if self.extra_so_far(|late| late.background.is_some()) != Some(true) {
            return WasWork::default();
        }
        let was = self.extra(|late| late.background.as_deref_mut().map(|background| background.end(ended)));
        was.flatten().unwrap_or_default()
    }

    fn is_listed(&self, wanted: &Listed) -> bool {
        let listed = self.extra_so_far(|late| {
            let listed = late.background.as_ref()?.listed.as_ref()?;
            Some(listed.iter().any(|(listed, _)| listed == wanted))
        });
        listed.flatten() == Some(true)
    }

    /// Tells all work in the background once more, to a client that has opened the session again.
    pub(super) fn announce_background(&self) {
        for item in self.background_again().0 {
            self.write_now(&mut |dialect, out| item.tell(self, dialect, out));
        }
    }

    /// All work in the background, as it is told again.
    pub(super) fn background_again(&self) -> BackgroundAgain {
        let all = self.extra_so_far(|late| {
            let background = late.background.as_ref()?;
            let is_cancellable = |wanted: &Listed| background.cancels.iter().any(|(listed, _)| listed == wanted);
            let all = background.listed.as_ref()?.iter();
            Some(all.map(|(listed, again)| (listed.clone(), again.clone(), is_cancellable(listed))).collect::<Vec<_>>())
        });
        let item = |(listed, again, is_cancellable)| {
            let told = match again {
                Again::ToolCall(shown) => ToldAgain::ToolCall(Box::new(shown.described())),
                Again::Terminal(screen) => ToldAgain::Terminal(screen),
            };
            ItemAgain { listed, told, is_cancellable }
        };
        BackgroundAgain(all.flatten().unwrap_or_default().into_iter().map(item).collect())
    }
}

/// The work in the background, for a client that does not know it.
pub(super) struct BackgroundAgain(Vec<ItemAgain>);

struct ItemAgain {
    listed: Listed,
    told: ToldAgain,
    is_cancellable: bool,
}

enum ToldAgain {
    ToolCall(Box<SessionUpdate>),
    Terminal(Arc<Mutex<Screen>>),
}

impl BackgroundAgain {
    pub(super) fn tell(&self, output: &SessionOutput, dialect: &dyn Tells, out: &mut Vec<u8>) -> Result<()> {
        self.0.iter().try_for_each(|item| item.tell(output, dialect, out))
    }
}

impl ItemAgain {
    /// The lock of the buffer must be held. It may have ended meanwhile: then nothing is told.
    fn tell(&self, output: &SessionOutput, dialect: &dyn Tells, out: &mut Vec<u8>) -> Result<()> {
        if !output.is_listed(&self.listed) || output.is_over() {
            return Ok(());
        }
        match &self.told {
            ToldAgain::ToolCall(update) => dialect.update(out, output.again(update))?,
            ToldAgain::Terminal(screen) => {
                let mut screen = lock(screen);
                let id = screen.id.clone();
                let mut write = |said: &TerminalSaid<'_>| dialect.terminal(out, output.id(), &id, said);
                match output.followers() {
                    None => screen.state(&mut write)?,
                    Some(_) => screen.shown(&mut write)?,
                }
            }
        }
        match self.is_cancellable {
            true => dialect.control(out, output.id(), &self.listed, Control::Cancellable),
            false => Ok(()),
        }
    }
}

/// The update, if it ends a tool call.
fn last_of_call(update: &SessionUpdate) -> Option<&ToolCallUpdate> {
    match update {
        SessionUpdate::ToolCallUpdate(change) => Some(change)
            .filter(|change| matches!(change.status, Some(ToolCallStatus::Completed | ToolCallStatus::Failed))),
        _ => None,
    }
}

impl ToolCallHandle {
    /// Lets the tool go on in the background, also when the turn has ended. It comes with the feature `v2`.
    ///
    /// From here on, the turn's cancel does not reach this call and its questions, and you may keep the handle beyond the turn.
    /// Its end is the end of the work: [`complete`](Self::complete), [`fail`](Self::fail), or the drop of the handle, which reports
    /// a failure. To let the client end it, make it [cancellable](Self::cancellable).
    ///
    /// The end of the session cancels the call: a close, a delete, or a client that hangs up. [`until_cancelled`](Self::until_cancelled)
    /// then drops its work, and questions of the call are withdrawn. Nothing of the call is sent any more. What runs beside
    /// `until_cancelled`, such as a task or a process of your own, is yours to stop.
    ///
    /// On version 2, the call is in the list of background work that the client gets with each state of the session, until it ends.
    /// A client that opens the active session again is told of the call. On version 1, there is no list; the client gets the
    /// updates of the call, also when no turn runs.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn watch<C: ConfigOptions>(turn: &Turn<C>) -> Result<()> {
    ///     let call = turn.tool_call("Watch the tests").kind(ToolKind::Execute).start().await?;
    ///     let call = call.into_background().await?.cancellable().await?;
    ///     tokio::spawn(async move {
    ///         match call.until_cancelled(tokio::time::sleep(std::time::Duration::from_secs(60))).await {
    ///             Ok(()) => call.complete("All pass.").await,
    ///             Err(cancelled) => call.cancel().await,
    ///         }
    ///     });
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The session is over, or the client is gone.
    pub async fn into_background(mut self) -> Result<Self> {
        self.output().room().await?;
        self.detach();
        let cancel = self.client().cancellation();
        self.output().list(Listed::ToolCall(self.id().clone()), Again::ToolCall(self.shared()), cancel)?;
        Ok(self)
    }

    /// Lets the client cancel this call alone, until it ends. [`is_cancelled`](Self::is_cancelled) and
    /// [`until_cancelled`](Self::until_cancelled) tell. It comes with the feature `v2`.
    ///
    /// On version 2, the client is told that it may. On version 1, it has no way to do so.
    ///
    /// See [Cancelling tool calls](https://agentclientprotocol.com/protocol/v2/tool-calls#cancelling-tool-calls).
    ///
    /// # Errors
    ///
    /// The session is over, or the client is gone.
    pub async fn cancellable(mut self) -> Result<Self> {
        self.output().room().await?;
        let cancel = self.own_cancellation().clone();
        self.output().let_cancel(Listed::ToolCall(self.id().clone()), &cancel)?;
        Ok(self)
    }

    /// Whether the client has cancelled this call alone, or the turn of a call that is not in the background; or the session has ended.
    pub fn is_cancelled(&self) -> bool {
        self.client().cancellation().is_cancelled() || self.cancellation().is_some_and(CancellationToken::is_cancelled)
    }

    /// Waits for `work`. If the client cancels this call, or its turn, or the session ends, `work` is dropped.
    ///
    /// # Errors
    ///
    /// [`Cancelled`](crate::Cancelled).
    pub async fn until_cancelled<F: Future>(&self, work: F) -> Result<F::Output, Cancelled> {
        unless_cancelled(self.client().cancellation(), self.cancellation(), work).await
    }

    /// Ends the call as cancelled: its tool has stopped before it was done. It comes with the feature `v2`. A client of version 1
    /// sees a call that has failed.
    ///
    /// # Errors
    ///
    /// The client is gone.
    pub async fn cancel(self) -> Result<()> {
        self.close(Control::Cancelled).await
    }

    /// Reports that the tool waits, and goes on when something resumes it: [`in_progress`](Self::in_progress) says so. It comes with
    /// the feature `v2`. A client of version 1 sees a call in progress.
    ///
    /// # Errors
    ///
    /// The client is gone.
    pub async fn pause(&self) -> Result<()> {
        self.in_progress_as(Control::Paused).await
    }
}

/// Waits for `work`, unless its turn or the work alone is cancelled.
pub(super) async fn unless_cancelled<F: Future>(
    of_turn: &CancellationToken,
    own: Option<&CancellationToken>,
    work: F,
) -> Result<F::Output, Cancelled> {
    if of_turn.is_cancelled() || own.is_some_and(CancellationToken::is_cancelled) {
        return Err(Cancelled);
    }
    let work = pin!(work);
    let Some(own) = own else { return of_turn.run_until_cancelled(work).await.ok_or(Cancelled) };
    of_turn.run_until_cancelled(pin!(own.run_until_cancelled(work))).await.flatten().ok_or(Cancelled)
}
