use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(config = Config)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[on_change(Config::MODEL)]
    async fn calm(&self, change: Change<bool>) {
        let _ = change;
    }
}

fn main() {}
