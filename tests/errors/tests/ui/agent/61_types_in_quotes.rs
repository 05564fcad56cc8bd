use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = true)]
    loud: bool,
}

#[derive(Default)]
struct Session;

#[acp_agent(config = "Config", session = "Session", local = true)]
struct Echo;

#[acp_agent(name = "echo")]
impl Echo {
    async fn prompt(&self, _turn: Turn<Config>, _session: &mut Session) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
