use std::sync::Arc;

use acp_runtime::{prelude::*, store::MemoryStore};

mod misspelt {
    use super::*;

    #[acp_agent(store = stor)]
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

mod quoted {
    use super::*;

    #[acp_agent(store = "store")]
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

mod of_itself {
    use super::*;

    #[acp_agent(store = self.store)]
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

mod lone_version {
    use super::*;

    #[acp_agent(store_version = 2)]
    #[derive(Clone)]
    struct Coder {
        store: Arc<MemoryStore>,
    }

    #[acp_agent]
    impl Coder {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }

        async fn restore_session(&self) {}
    }
}

mod large_version {
    use super::*;

    #[acp_agent(store = store, store_version = 5_000_000_000)]
    #[derive(Clone)]
    struct Coder {
        store: Arc<MemoryStore>,
    }

    #[acp_agent]
    impl Coder {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }

        async fn restore_session(&self) {}
    }
}

fn main() {}
