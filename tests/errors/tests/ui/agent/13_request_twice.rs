use acp_runtime::prelude::*;

type Ask = PromptRequest;

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

#[acp_agent]
impl Coder {
    async fn prompt(&self, _request: PromptRequest, _turn: Turn<Config>, _again: Ask) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
