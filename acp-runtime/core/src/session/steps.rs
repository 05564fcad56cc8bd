//! A plan that the agent ticks off, step by step.

use std::fmt;

use super::handle::SessionHandle;
use crate::{
    values::{PlanEntry, PlanEntryPriority, PlanEntryStatus},
    wire::{Error, Result},
};

/// A plan whose steps the agent ticks off. [`SessionHandle::steps`] shows it to the client.
///
/// The protocol has no update for one step: the client replaces its plan by the next one. So each change sends the whole plan.
/// Steps are counted from 0. Several may be in progress at once. The end of a turn changes no step.
///
/// See [Agent plan](https://agentclientprotocol.com/protocol/v1/agent-plan).
///
/// ```
/// use acp_runtime::prelude::*;
///
/// async fn mend<C>(turn: &Turn<C>) -> Result<()> {
///     let mut plan = turn.steps(["Read the code", "Write the change"]).await?;
///     plan.start(0).await?;
///     // ..
///     plan.done(0).await?;
///     plan.start(1).await?;
///     let test = plan.add("Run the tests").await?;
///     plan.done(1).await?;
///     plan.start(test).await?;
///     plan.done(test).await
/// }
/// ```
///
/// The handler of the next turn has a plan of its own. A plan that lasts longer than its turn belongs into the session's state.
pub struct Steps<C> {
    session: SessionHandle<C>,
    entries: Vec<PlanEntry>,
}

impl<C> fmt::Debug for Steps<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Steps").field("session", &self.session).field("entries", &self.entries).finish()
    }
}

impl<C> SessionHandle<C> {
    /// Shows a plan of these steps, all of them pending, and returns it: [`Steps`] then sends each change. It replaces the previous
    /// plan.
    ///
    /// Each step has the priority `medium`. [`steps_of`](Self::steps_of) takes entries with others.
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn steps(&self, steps: impl IntoIterator<Item = impl Into<String>>) -> Result<Steps<C>> {
        let entries: Vec<_> = steps.into_iter().map(pending).collect();
        self.steps_of(entries).await
    }

    /// Shows a plan of these entries, and returns it, as [`steps`](Self::steps) does.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn begin<C>(turn: &Turn<C>) -> Result<()> {
    ///     let step = |text, priority| PlanEntry::new(text, priority, PlanEntryStatus::Pending);
    ///     let steps = [step("Mend it", PlanEntryPriority::High), step("Tidy up", PlanEntryPriority::Low)];
    ///     turn.steps_of(steps).await?.start(0).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`steps`](Self::steps).
    pub async fn steps_of(&self, entries: impl IntoIterator<Item = PlanEntry>) -> Result<Steps<C>> {
        let steps = Steps { session: self.clone(), entries: entries.into_iter().collect() };
        steps.show().await?;
        Ok(steps)
    }
}

impl<C> Steps<C> {
    /// Shows that the agent works on this step.
    ///
    /// # Errors
    ///
    /// The plan has no step of this number. Then nothing changes. Or the session is over, its stream is closed, or the client is gone.
    pub async fn start(&mut self, step: usize) -> Result<()> {
        self.step(step)?.status = PlanEntryStatus::InProgress;
        self.show().await
    }

    /// Shows that this step is completed.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start).
    pub async fn done(&mut self, step: usize) -> Result<()> {
        self.step(step)?.status = PlanEntryStatus::Completed;
        self.show().await
    }

    /// Shows that the steps in progress are completed, and that the first pending step is in progress. Returns the number of that
    /// step, or `None` if no step is left. It is one update.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn read<C>(turn: &Turn<C>, names: &[&str]) -> Result<()> {
    ///     let mut plan = turn.steps(names.iter().map(|name| format!("Read {name}"))).await?;
    ///     while let Some(step) = plan.next().await? {
    ///         let text = turn.client().read_text_file(turn.cwd().join(names[step])).await?;
    ///         turn.thought(text).await?;
    ///     }
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn next(&mut self) -> Result<Option<usize>> {
        for entry in &mut self.entries {
            if entry.status == PlanEntryStatus::InProgress {
                entry.status = PlanEntryStatus::Completed;
            }
        }
        let next = self.entries.iter().position(|entry| entry.status == PlanEntryStatus::Pending);
        if let Some(next) = next {
            self.entries[next].status = PlanEntryStatus::InProgress;
        }
        self.show().await?;
        Ok(next)
    }

    /// Adds a pending step at the end of the plan. Returns its number.
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn add(&mut self, step: impl Into<String>) -> Result<usize> {
        self.entries.push(pending(step));
        self.show().await?;
        Ok(self.entries.len() - 1)
    }

    /// Shows that this step was cancelled before it was completed. It comes with the feature `v2`. A client of version 1 sees a
    /// step that is completed.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start).
    #[cfg(feature = "v2")]
    pub async fn cancel(&mut self, step: usize) -> Result<()> {
        let entry = self.step(step)?;
        *entry = super::cancelled_entry(entry.clone());
        self.show().await
    }

    /// The steps as the client sees them.
    pub fn entries(&self) -> &[PlanEntry] {
        &self.entries
    }

    fn step(&mut self, step: usize) -> Result<&mut PlanEntry> {
        let count = self.entries.len();
        self.entries.get_mut(step).ok_or_else(|| {
            Error::internal_error(format!(
                "the plan has no step {step}: it has {count} steps, and the first one is step 0. `add` adds one"
            ))
        })
    }

    async fn show(&self) -> Result<()> {
        self.session.plan(self.entries.iter().cloned()).await
    }
}

fn pending(step: impl Into<String>) -> PlanEntry {
    PlanEntry::new(step, PlanEntryPriority::Medium, PlanEntryStatus::Pending)
}
