//! Several plans of one session, side by side.

use super::handle::SessionHandle;
use crate::{
    dialect::marks::{self, mark},
    values::{Plan, PlanEntry, PlanEntryStatus, SessionUpdate},
    wire::Result,
};

impl<C> SessionHandle<C> {
    /// Sends a whole plan, beside the other plans of the session. It replaces the previous plan with this id. It comes with the
    /// feature `v2`.
    ///
    /// An entry may be [cancelled](cancelled_entry). [`plan`](Self::plan) is the plan with the id `plan`. On version 1, a session has
    /// one plan: the one that was sent last.
    ///
    /// See [Agent plan](https://agentclientprotocol.com/protocol/v2/agent-plan).
    ///
    /// ```
    /// use acp_runtime::{prelude::*, session::cancelled_entry};
    ///
    /// async fn plan<C>(session: &SessionHandle<C>) -> Result<()> {
    ///     let entry = |text| PlanEntry::new(text, PlanEntryPriority::Medium, PlanEntryStatus::Pending);
    ///     session.plan_with_id("tests", [entry("Write them"), cancelled_entry(entry("Measure them"))]).await?;
    ///     session.plan_with_id("docs", [entry("Write a page")]).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn plan_with_id(
        &self,
        id: impl Into<String>,
        entries: impl IntoIterator<Item = PlanEntry>,
    ) -> Result<()> {
        let mut plan = Plan::new(entries.into_iter().collect::<Vec<_>>());
        mark(&mut plan.meta, marks::PLAN_ID, id.into());
        self.update(SessionUpdate::Plan(plan)).await
    }
}

/// The entry of a plan, as one that was cancelled before it was completed. It comes with the feature `v2`. A client of version 1 sees
/// an entry that is completed.
///
/// ```
/// use acp_runtime::{prelude::*, session::cancelled_entry};
///
/// let entry = PlanEntry::new("Measure", PlanEntryPriority::Low, PlanEntryStatus::Pending);
/// assert_eq!(cancelled_entry(entry).status, PlanEntryStatus::Completed);
/// ```
pub fn cancelled_entry(mut entry: PlanEntry) -> PlanEntry {
    entry.status = PlanEntryStatus::Completed;
    mark(&mut entry.meta, marks::STATUS, "cancelled");
    entry
}
