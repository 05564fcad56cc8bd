//! Work that an agent does by itself, without a prompt.
//!
//! See [Session states](https://agentclientprotocol.com/protocol/v2/prompt-lifecycle#session-states).

use std::{fmt, ops::Deref};

use super::{
    beside::PromptBeside,
    handle::SessionHandle,
    turn::Turn,
    update::{SessionOutput, over},
};
use crate::{
    TARGET,
    client::Client,
    config::ConfigOptions,
    dialect::Stop,
    rpc::CancellationToken,
    values::{Notice, NoticeSeverity, SessionUpdate, StopReason},
    wire::{Error, Result},
};

/// The title of the notice.
const FAILED: &str = "What the agent did by itself has failed";

impl<C: ConfigOptions> SessionHandle<C> {
    /// Begins work that the agent does by itself: it goes on with a goal, or follows up on a task that has ended in the
    /// background. No prompt asks for it, and the client gets no message of the user. It comes with the feature `v2`.
    ///
    /// On version 2, the client is told that the session runs, and with the end of the [`Work`] that it is idle. Work beside a
    /// turn, or beside other work, makes no difference to the client until the last of them ends. `session/cancel` cancels it,
    /// as a turn. On version 1, the client gets the updates only, because it has no such states.
    ///
    /// A call that closes or opens the session cancels the work, and waits for its end. While a call closes the session, no work
    /// begins.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn follow_up<C: ConfigOptions>(session: &SessionHandle<C>) -> Result<()> {
    ///     let work = session.begin_work().await?;
    ///     work.message("The build has failed. I look at it.").await?;
    ///     let call = work.tool_call("Read the log").kind(ToolKind::Read).start().await?;
    ///     call.finish(std::fs::read_to_string("/tmp/log")).await?;
    ///     work.end(StopReason::EndTurn);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The session is over or is being closed, or the client is gone.
    pub async fn begin_work(&self) -> Result<Work<C>> {
        let output = self.output();
        output.room().await?;
        let (cancel, beside) = loop {
            let cancels = output.cancels();
            let cancel = CancellationToken::new();
            let beside = output.begin_work_beside(&cancel).ok_or_else(over)?;
            // The call that ends the session cancels what it finds, and waits for it. What comes behind would outlive it.
            if self.options_in_force().is_closing() {
                return Err(Error::invalid_request("the session is being closed: no work begins in it"));
            }
            // A cancel in the middle of this has set `cancel`, but it did not count the work. So the work begins behind it.
            if output.begin_work_since(cancels) {
                break (cancel, beside);
            }
        };
        let client = output.asked_by(Client::new(output.line(), Some(self.id().clone()), cancel));
        Ok(Work { turn: Turn::new(self.clone(), client), stop: None, _beside: beside })
    }
}

/// Work of the agent's own; [`SessionHandle::begin_work`] begins it. It is also a [`Turn`], so it has messages, tool calls and
/// questions.
/// Only with the feature `v2`.
///
/// [`end`](Self::end) and [`fail`](Self::fail) end it. If it is dropped, it ends as cancelled if the client has cancelled it, and
/// as a turn that is done if not.
pub struct Work<C> {
    turn: Turn<C>,
    stop: Option<Stop>,
    /// Calls that open or end the session wait for this. It is dropped behind the end of the work.
    _beside: PromptBeside,
}

impl<C> Work<C> {
    /// Ends the work. If the client has cancelled it, the client is told so, whatever the reason is.
    pub fn end(mut self, reason: StopReason) {
        self.stop = Some(Stop::Reason(reason, None));
    }

    /// Ends the work with an error, which a client of version 2 shows as the end of the session's work.
    ///
    /// While a turn or other work goes on, the session has no end that could say so, and version 1 has no such states at all. Then the
    /// client is told by a notice, if it shows notices. The subscriber hears of it in any case.
    pub fn fail(mut self, error: impl Into<Error>) {
        self.stop = Some(Stop::Error(error.into()));
    }
}

impl SessionOutput {
    /// Work has failed. If it was not the last one, or if the client is told no states, only a notice says so.
    fn has_failed(&self, failure: String, is_last: bool) {
        let is_told = is_last && self.line().dialect().inserts_prompts();
        let has_notice = !is_told && self.offers_notices();
        tracing::warn!(
            target: TARGET,
            session = %self.id(),
            is_told = is_told || has_notice,
            "work of the agent's own has failed"
        );
        if has_notice {
            let notice = Notice::new(NoticeSeverity::Error, FAILED.to_owned()).description(failure);
            let notice = SessionUpdate::Notice(notice);
            self.write_now(&mut |dialect, out| self.put(dialect, out, &notice).unwrap_or(Ok(())));
        }
    }
}

impl<C> Deref for Work<C> {
    type Target = Turn<C>;

    fn deref(&self) -> &Turn<C> {
        &self.turn
    }
}

impl<C> fmt::Debug for Work<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("turn", &self.turn).finish_non_exhaustive()
    }
}

impl<C> Drop for Work<C> {
    fn drop(&mut self) {
        let stop = match self.stop.take() {
            _ if self.is_cancelled() => Stop::Reason(StopReason::Cancelled, None),
            None => Stop::Reason(StopReason::EndTurn, None),
            Some(stop) => stop,
        };
        let failure = match &stop {
            Stop::Error(error) => Some(error.message().to_owned()),
            Stop::Reason(..) => None,
        };
        let output = self.turn.output();
        let is_last = output.end_work(stop, &mut || {});
        if let Some(failure) = failure {
            output.has_failed(failure, is_last);
        }
    }
}
