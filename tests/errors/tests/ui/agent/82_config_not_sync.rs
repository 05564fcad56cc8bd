use std::cell::Cell;
use std::rc::Rc;

use acp_runtime::prelude::*;

/// One error. Threads cannot share the config because of a field that is not an option.
#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
    seen: Rc<Cell<u32>>,
}

#[acp_agent(config = Config)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn new_session(&self) -> OpenedSession<(), Config> {
        OpenedSession::new(())
    }

    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.message("yes").await?;
        Ok(StopReason::EndTurn)
    }

    #[on_change(Config::BRAVE)]
    async fn braver(&self, _change: Change<bool>, _config: &mut Config) {}

    #[ext("_acme.dev/seen")]
    async fn seen(&self, session: SessionHandle<Config>) -> u32 {
        session.config().seen.get()
    }
}

/// The same mistake in a config that another config flattens.
#[derive(ConfigOptions, Clone)]
struct Common {
    log: Rc<str>,
}

#[derive(ConfigOptions, Clone)]
struct Outer {
    #[config_option(flatten)]
    common: Common,
}

#[acp_agent(config = Outer)]
struct Reviewer;

#[acp_agent]
impl Reviewer {
    async fn prompt(&self, turn: Turn<Outer>) -> Result<StopReason> {
        turn.message("yes").await?;
        Ok(StopReason::EndTurn)
    }
}

fn main() {
    let _ = Coder.serve_stdio();
    let _ = Reviewer.serve_stdio();
}
