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
    async fn new_session(&self) -> Result<NewSessionRequest> {
        unimplemented!()
    }

    async fn prompt(&self) -> Result<bool> {
        Ok(true)
    }

    async fn cancel(&self) -> StopReason {
        StopReason::Cancelled
    }

    async fn list_sessions(&self) {}
}

fn main() {}
