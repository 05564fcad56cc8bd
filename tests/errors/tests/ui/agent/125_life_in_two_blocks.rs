use acp_runtime::{prelude::*, session::{Ended, OpenedBy}};

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent(parts(life, watch))]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

mod life {
    use super::*;

    #[acp_agent(part = life)]
    impl Coder {
        async fn session_opened(&self) {}

        async fn session_ended(&self, _end: Ended) {}

        async fn initialize(&self) -> Initialized {
            Initialized::new()
        }
    }
}

mod watch {
    use super::*;

    #[acp_agent(part = watch)]
    impl Coder {
        async fn session_opened(&self, _how: OpenedBy) {}

        async fn session_ended(&self) {}

        async fn initialize(&self) -> Initialized {
            Initialized::new()
        }
    }
}

fn main() {}
