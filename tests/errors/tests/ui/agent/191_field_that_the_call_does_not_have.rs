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
struct Ask<'c> {
    session: &'c mut Session,
    replay: Replay,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Tries again.
    #[command]
    async fn again(&self, _ask: Ask<'_>) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
