use std::cell::Cell;
use std::rc::Rc;

use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

/// Without a hook, threads need not share the agent.
#[acp_agent(local, config = Config)]
struct Counter {
    turns: Cell<u32>,
}

#[acp_agent]
impl Counter {
    async fn prompt(&self, _turn: Turn<Config>) -> StopReason {
        self.turns.set(self.turns.get() + 1);
        StopReason::EndTurn
    }
}

/// A hook runs on any thread.
#[acp_agent(local, config = Config)]
struct Coder {
    notes: Rc<str>,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.message(&*self.notes).await?;
        Ok(StopReason::EndTurn)
    }

    #[on_change(Config::BRAVE)]
    async fn braver(&self) {}
}

/// The agent that is its own config is copied into its sessions, which any thread may change.
#[acp_agent(local)]
#[derive(Clone)]
struct Echo {
    last: Rc<str>,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(&*self.last).await?;
        Ok(StopReason::EndTurn)
    }
}

fn main() {
    let _ = Counter { turns: Cell::new(0) }.serve_stdio();
    let _ = Coder { notes: Rc::from("") }.serve_stdio();
}
