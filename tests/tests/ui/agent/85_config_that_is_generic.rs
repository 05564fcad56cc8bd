use std::rc::Rc;

use acp_runtime::prelude::*;

/// One error: the agent and its handlers find options that are none.
#[derive(ConfigOptions, Clone)]
struct Config<T> {
    #[config_option(default = false)]
    brave: T,
}

#[acp_agent(config = Config<bool>)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, turn: Turn<Config<bool>>) -> Result<StopReason> {
        turn.message("yes").await?;
        Ok(StopReason::EndTurn)
    }
}

/// Two mistakes: of an agent that is no struct, what threads cannot share is told once, too.
#[acp_agent(config = Config<bool>)]
enum Either {
    One(Rc<str>),
}

#[acp_agent]
impl Either {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {
    let _ = Coder.serve_stdio();
    let _ = Either::One("".into()).serve_stdio();
}
