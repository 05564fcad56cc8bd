use acp_runtime::{FromCall, prelude::*};

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

#[derive(FromCall)]
struct Ask<'c> {
    session: &'c mut Session,
    turn: Turn<Config>,
    again: &'c mut Session,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, _ask: Ask<'_>, _client: Client) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
