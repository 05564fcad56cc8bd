use std::sync::Arc;

use acp_runtime::{prelude::*, store::SessionStore};

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[derive(Default, serde::Serialize)]
struct Session {
    history: Vec<String>,
}

#[acp_agent(config = Config, session = Session, store = store)]
struct Coder {
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, session: &mut Session) -> StopReason {
        session.history.clear();
        StopReason::EndTurn
    }
}

fn main() {}
