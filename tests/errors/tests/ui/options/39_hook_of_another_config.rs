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

#[derive(ConfigOptions, Clone)]
struct Other {
    #[config_option(default = false)]
    loud: bool,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[on_change(Other::LOUD)]
    async fn hush(&self, change: Change<bool>) {
        let _ = change;
    }

    #[on_change(Config::BARVE)]
    async fn warn(&self) {}
}

fn main() {
    let _ = Coder;
}
