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
    request: PromptRequest,
    turn: Turn<Config>,
}

#[derive(FromCall)]
struct Outer {
    ask: Ask,
    client: Client,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, _outer: Outer, _request: PromptRequest) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
