use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(config = Config, session = Vec<String>)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    fn session_opened(&self) {}

    async fn session_ended(&mut self, _session: &mut Vec<String>) {}

    async fn session_opend(&self) {}

    async fn on_session_ended(&self) {}

    async fn opened_session(&self) {}

    #[on_change(Config::BRAVE)]
    async fn session_ended(&self) {}
}

fn main() {}
