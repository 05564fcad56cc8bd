use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

struct Session {
    turns: u32,
}

#[acp_agent(nmae = "coder", config = Config, sesion = Session, colour = "red")]
struct Coder;

#[acp_agent(name = "coder", krate = acp_runtime)]
impl Coder {
    async fn new_session(&self) -> Session {
        Session { turns: 0 }
    }

    async fn prompt(&self, session: &mut Session) -> StopReason {
        session.turns += 1;
        StopReason::EndTurn
    }
}

fn main() {}
