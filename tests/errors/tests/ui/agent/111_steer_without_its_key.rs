use acp_runtime::prelude::*;

/// Prompts during a turn are refused.
#[acp_agent]
#[derive(Clone)]
struct Refusing;

#[acp_agent]
impl Refusing {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn steer(&self, _request: PromptRequest) -> Steered {
        Steered::Joined
    }
}

/// They wait.
#[acp_agent(turns = "queue")]
#[derive(Clone)]
struct Queueing;

#[acp_agent]
impl Queueing {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn steer(&self) -> Steered {
        Steered::Joined
    }
}

fn main() {}
