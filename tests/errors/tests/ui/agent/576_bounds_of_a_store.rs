use std::sync::Arc;

use acp_runtime::{prelude::*, store::MemoryStore};

mod without_a_store {
    use super::*;

    #[acp_agent(kept_for = "30d")]
    #[derive(Clone)]
    struct Coder;

    #[acp_agent]
    impl Coder {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }
    }
}

mod without_a_unit {
    use super::*;

    #[acp_agent(store = store, kept_for = "30")]
    #[derive(Clone)]
    struct Coder {
        store: Arc<MemoryStore>,
    }

    #[acp_agent]
    impl Coder {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }
    }
}

mod no_text {
    use super::*;

    #[acp_agent(store = store, kept_for = 30)]
    #[derive(Clone)]
    struct Coder {
        store: Arc<MemoryStore>,
    }

    #[acp_agent]
    impl Coder {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }
    }
}

mod none_at_all {
    use super::*;

    #[acp_agent(store = store, kept_at_most = 0)]
    #[derive(Clone)]
    struct Coder {
        store: Arc<MemoryStore>,
    }

    #[acp_agent]
    impl Coder {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }
    }
}

mod far_too_many {
    use super::*;

    #[acp_agent(store = store, replayed_at_most = 5_000_000_000)]
    #[derive(Clone)]
    struct Coder {
        store: Arc<MemoryStore>,
    }

    #[acp_agent]
    impl Coder {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }
    }
}

fn main() {}
