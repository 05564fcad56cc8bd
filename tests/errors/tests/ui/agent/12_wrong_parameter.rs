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
    async fn new_session(&self, _turn: Turn<Config>) -> Session {
        Session { turns: 0 }
    }

    async fn prompt(&self, _request: NewSessionRequest, _turn: Turn<Config>) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(&self, _count: u32) {}

    async fn close_session(&self, _session: Session) {}
}

fn main() {}
