use std::cell::RefCell;
use std::rc::Rc;

use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

/// One field, one error. The agent is not `Send` because of the same field.
#[acp_agent(config = Config)]
struct Coder {
    notes: Rc<str>,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.message(&*self.notes).await?;
        Ok(StopReason::EndTurn)
    }
}

/// Two fields, two errors. The agent is its own config here.
#[acp_agent]
#[derive(Clone)]
struct Echo {
    handle: *mut u8,
    last: RefCell<String>,
    #[config_option(default = false)]
    shout: bool,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self, request: PromptRequest, _turn: Turn<Self>) -> StopReason {
        *self.last.borrow_mut() = request.text();
        if self.handle.is_null() { StopReason::Refusal } else { StopReason::EndTurn }
    }

    #[on_change(Echo::SHOUT)]
    async fn shouts(&self, _change: Change<bool>) {}
}

fn main() {
    let _ = Coder { notes: Rc::from("") }.serve_stdio();
    let _ = Echo::with_default_options(std::ptr::null_mut(), RefCell::default()).serve_stdio();
}
