//! Plans: each has an id, and an entry may be cancelled.
//!
//! See [Agent plan](https://agentclientprotocol.com/protocol/v2/agent-plan).

use serde::{Serialize, Serializer};

use crate::{
    dialect::marks::{self, Unmarked, marked},
    values::{Plan, PlanEntry, PlanEntryPriority},
};

/// The id of a plan that has none.
const PLAN: &str = "plan";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlanUpdate<'a> {
    session_update: &'static str,
    plan: Items<'a>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Unmarked<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Items<'a> {
    r#type: &'static str,
    plan_id: &'a str,
    entries: Entries<'a>,
}

struct Entries<'a>(&'a [PlanEntry]);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Entry::of))
    }
}

#[derive(Serialize)]
struct Entry<'a> {
    content: &'a str,
    priority: PlanEntryPriority,
    status: &'a str,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Unmarked<'a>>,
}

impl<'a> Entry<'a> {
    fn of(entry: &'a PlanEntry) -> Self {
        let PlanEntry { content, priority, status, meta, .. } = entry;
        let status = marked(meta, marks::STATUS).and_then(|status| status.as_str()).unwrap_or(status.as_str());
        Self { content, priority: *priority, status, meta: Unmarked::of(meta) }
    }
}

/// The whole plan.
pub(super) fn whole(plan: &Plan) -> PlanUpdate<'_> {
    let Plan { entries, meta, .. } = plan;
    let plan_id = marked(meta, marks::PLAN_ID).and_then(|id| id.as_str()).unwrap_or(PLAN);
    let items = Items { r#type: "items", plan_id, entries: Entries(entries) };
    PlanUpdate { session_update: "plan_update", plan: items, meta: Unmarked::of(meta) }
}
