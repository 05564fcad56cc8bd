use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo<T> {
    #[config_option(default = false)]
    shout: bool,
    prefix: T,
}

#[acp_agent]
impl<T: Clone + ToString> Echo<T> {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent]
struct CallGuard<'a> {
    store: &'a str,
}

#[acp_agent]
impl CallGuard<'_> {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
