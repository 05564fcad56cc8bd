use std::rc::Rc;

use acp_runtime::prelude::*;

/// One error. The uses of the refused config in the agent and its handlers add none.
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

/// Two mistakes: the agent is not a struct, and threads cannot share its field. Each gives one error.
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
