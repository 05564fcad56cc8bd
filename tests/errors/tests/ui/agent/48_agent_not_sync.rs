use std::cell::Cell;

use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(config = Config)]
struct Coder {
    turns: Cell<u32>,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, _turn: Turn<Config>) -> StopReason {
        self.turns.set(self.turns.get() + 1);
        StopReason::EndTurn
    }

    async fn cancel(&self) {}
}

fn main() {}
