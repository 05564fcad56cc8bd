use std::rc::Rc;

use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
    #[config_option(values("a", "b"), default = "a")]
    letter: String,
}

#[acp_agent(config = Config)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[on_change(Config::BRAVE)]
    async fn answer(&self) -> bool {
        true
    }

    #[on_change(Config::BRAVE)]
    async fn value(&self) -> Result<bool> {
        Ok(true)
    }
}

#[acp_agent(config = Config)]
struct Shared;

#[acp_agent]
impl Shared {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[on_change(Config::BRAVE)]
    async fn not_send(&self) {
        let shared = Rc::new(1);
        tokio::task::yield_now().await;
        drop(shared);
    }
}

fn main() {
    let _ = (Coder, Shared);
}
