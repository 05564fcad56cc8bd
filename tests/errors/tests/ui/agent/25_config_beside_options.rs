use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(config = Config)]
struct Coder {
    #[config_option(default = true)]
    shout: bool,
    #[config_option(values("1", "2"), default = "1")]
    times: String,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, _turn: Turn<Config>) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
