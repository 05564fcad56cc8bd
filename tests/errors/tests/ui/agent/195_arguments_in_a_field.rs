use acp_runtime::{FromCall, prelude::*};

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[derive(Default)]
struct Session {
    turns: u32,
}

#[acp_agent(config = Config, session = Session)]
struct Coder;

#[derive(FromCall)]
struct Ask {
    arguments: Arguments,
    turn: Turn<Config>,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Tries again.
    #[command]
    async fn again(&self, _ask: Ask) -> StopReason {
        StopReason::EndTurn
    }

    /// Fixes it.
    #[command(hint = "what to fix")]
    async fn fix(&self, _ask: Ask) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
