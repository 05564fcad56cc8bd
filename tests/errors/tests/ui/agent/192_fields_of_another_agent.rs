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

#[derive(ConfigOptions, Clone)]
struct Other {
    #[config_option(default = false)]
    brave: bool,
}

#[derive(FromCall)]
struct OfConfig {
    turn: Turn<Other>,
}

#[derive(FromCall)]
struct OfSession<'c> {
    session: &'c mut String,
}

#[derive(FromCall)]
struct OfShared {
    shared: Shared<String>,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, _ask: OfConfig) -> StopReason {
        StopReason::EndTurn
    }

    /// Tries again.
    #[command]
    async fn again(&self, _ask: OfSession<'_>) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(&self, _ask: OfShared) {}
}

fn main() {}
