use acp_runtime::prelude::*;

#[acp_agent(shared)]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn new_session(&self) -> Result<((), String)> {
        Ok(((), String::new()))
    }

    async fn prompt(&self, _names: Shared<String>) -> StopReason {
        StopReason::EndTurn
    }
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

struct Session;

#[acp_agent(config, session)]
struct Other;

#[acp_agent]
impl Other {
    async fn new_session(&self) -> Result<Session> {
        Ok(Session)
    }

    async fn prompt(&self, _turn: Turn<Config>, _session: &mut Session) -> StopReason {
        StopReason::EndTurn
    }

    #[on_change(Config::BRAVE)]
    async fn brave(&self) {}
}

fn main() {}
