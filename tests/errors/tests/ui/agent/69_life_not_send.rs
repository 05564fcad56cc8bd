use std::rc::Rc;

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

    async fn session_opened(&self, session: SessionHandle<Config>) -> Result<()> {
        let text = Rc::new("hello".to_owned());
        session.message(text.as_str()).await
    }

    async fn session_ended(&self) {
        let text = Rc::new("bye".to_owned());
        tokio::task::yield_now().await;
        drop(text);
    }
}

fn main() {}
