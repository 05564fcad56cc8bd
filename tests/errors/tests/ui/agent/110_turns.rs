use acp_runtime::prelude::*;

/// An unknown word.
#[acp_agent(turns = "parallel")]
#[derive(Clone)]
struct Parallel;

#[acp_agent]
impl Parallel {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

/// A slip, and no second error because of the handler.
#[acp_agent(turns = "ster")]
#[derive(Clone)]
struct Slip;

#[acp_agent]
impl Slip {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn steer(&self) -> Steered {
        Steered::Joined
    }
}

/// No word at all.
#[acp_agent(turns)]
#[derive(Clone)]
struct Silent;

#[acp_agent]
impl Silent {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
