use std::rc::Rc;

use acp_runtime::prelude::*;

#[acp_agent(local)]
#[derive(Clone)]
struct Echo {
    #[config_option(default = false)]
    shout: bool,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        let shared = Rc::new(1);
        std::future::ready(()).await;
        drop(shared);
        StopReason::EndTurn
    }

    #[on_change(Echo::SHOUT)]
    async fn warn(&self) {
        let shared = Rc::new(1);
        std::future::ready(()).await;
        drop(shared);
    }
}

fn main() {
    let _ = Echo::with_default_options();
}
