use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
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

    #[on_change]
    async fn configure(&self, _changes: Changes<Config>) {}

    #[on_change]
    async fn count(&self) {}
}

#[acp_agent(config = Config)]
struct Other;

#[acp_agent]
impl Other {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[on_change]
    async fn configure(&self) {}

    #[cfg(not(windows))]
    #[on_change]
    async fn count(&self) {}
}

fn main() {}
