use acp_runtime::prelude::*;

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
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(&self, _session: &mut Session) {}

    #[ext("_acme.dev/stats")]
    async fn stats(&self, _session: &mut Session) {}
}

fn main() {}
