//! `opens` is for one request: a notification, a prefix and a wrong answer are refused.

use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Silent;

#[acp_agent]
impl Silent {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method("session/fork", opens, notification)]
    async fn fork(&self) {}
}

#[acp_agent]
#[derive(Clone)]
struct Many;

#[acp_agent]
impl Many {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method(prefix = "session/", opens)]
    async fn sessions(&self) {}
}

#[acp_agent]
#[derive(Clone)]
struct Worded;

#[acp_agent]
impl Worded {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method("session/fork", opens, capability = "to fork")]
    async fn fork(&self) {}

    #[method(prefix = "_example.com/", capability = "all")]
    async fn all(&self) {}
}

fn main() {}
