//! `on_demand` needs something that resumes a session, and has no value.

use acp_runtime::prelude::*;

#[acp_agent(on_demand)]
#[derive(Clone)]
struct Forgets;

#[acp_agent]
impl Forgets {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(on_demand = true)]
#[derive(Clone)]
struct Valued;

#[acp_agent]
impl Valued {
    async fn resume_session(&self) {}

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
