use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = true)]
    loud: bool,
    #[config_option(default = true)]
    brave: bool,
}

#[acp_agent(config = Config)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self, _turn: Turn<Config>) -> StopReason {
        StopReason::EndTurn
    }

    #[on_change(Config::LOUD, Config::BRAVE)]
    async fn both(&self) {}

    #[on_change("loud")]
    async fn quoted(&self) {}

    #[on_change(option = Config::LOUD)]
    async fn assigned(&self) {}

    #[on_change = Config::LOUD]
    async fn equals(&self) {}
}

fn main() {}
