use std::sync::Arc;

use acp_runtime::{prelude::*, store::SessionStore};

mod one {
    use super::*;

    #[acp_agent(store = store)]
    #[derive(Clone)]
    struct Coder {
        store: Arc<dyn SessionStore>,
    }

    #[acp_agent]
    impl Coder {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }

        async fn load_session(&self) {}
    }
}

mod other {
    use super::*;

    #[acp_agent(store = store)]
    #[derive(Clone)]
    struct Coder {
        store: Arc<dyn SessionStore>,
    }

    #[acp_agent]
    impl Coder {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }

        async fn list_sessions(&self, _request: ListSessionsRequest) -> ListSessionsResponse {
            ListSessionsResponse::new(vec![])
        }
    }
}

fn main() {}
