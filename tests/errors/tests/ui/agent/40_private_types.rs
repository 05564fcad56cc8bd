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
pub struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, session: &mut Session) -> StopReason {
        session.turns += 1;
        StopReason::EndTurn
    }
}

fn main() {}
