use std::sync::Arc;

use acp_runtime::{prelude::*, store::SessionStore};

mod parameters {
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

        async fn restore_session(&self, _request: LoadSessionRequest) {}
    }
}

mod answer {
    use super::*;

    #[acp_agent(session = u32, store = store)]
    #[derive(Clone)]
    struct Coder {
        store: Arc<dyn SessionStore>,
    }

    #[acp_agent]
    impl Coder {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }

        async fn restore_session(&self) -> Result<String> {
            Ok(String::new())
        }
    }
}

mod misspelt {
    use super::*;

    #[acp_agent(session = u32, store = store)]
    #[derive(Clone)]
    struct Coder {
        store: Arc<dyn SessionStore>,
    }

    #[acp_agent]
    impl Coder {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }

        async fn restored_session(&self) -> u32 {
            0
        }
    }
}

fn main() {}
