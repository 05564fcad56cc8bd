use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent(parts(models))]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

mod models {
    use super::*;

    #[acp_agent(part = models)]
    impl Coder {
        async fn close_session(&self, _request: u32) {}
    }
}

mod git {
    use super::*;

    #[acp_agent(part = git)]
    impl Coder {
        async fn cancel(&self, _notification: u32) {}
    }
}

fn main() {}
