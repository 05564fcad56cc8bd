//! A method with `opens` answers a session, and one without it does not.

use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Wrong;

#[acp_agent]
impl Wrong {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method("session/fork", opens)]
    async fn fork(&self) -> Result<String> {
        Ok("forked".to_owned())
    }
}

#[acp_agent]
#[derive(Clone)]
struct Forgotten;

#[acp_agent]
impl Forgotten {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method("session/fork")]
    async fn fork(&self) -> Result<OpenedSession<(), Self>> {
        Ok(OpenedSession::new(()))
    }
}

fn main() {}
