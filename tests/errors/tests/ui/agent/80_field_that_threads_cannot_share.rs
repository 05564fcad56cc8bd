use std::cell::Cell;
use std::rc::Rc;
use std::sync::{Arc, OnceLock, RwLock};

use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

/// One error at the field. A lock of an `Rc` is neither `Send` nor `Sync`, and both have one cause.
#[acp_agent(config = Config)]
struct Coder {
    notes: RwLock<Rc<str>>,
    parent: Option<Arc<Self>>,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.message(&**self.notes.read().expect("a lock")).await?;
        Ok(StopReason::EndTurn)
    }
}

/// The small form, with a mistake in each of two fields. The third field is not compiled.
#[acp_agent]
#[derive(Clone)]
struct Echo {
    last: OnceLock<Rc<str>>,
    turns: Cell<u32>,
    #[cfg(any())]
    absent: Rc<str>,
    #[config_option(default = false)]
    shout: bool,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self, _turn: Turn<Self>) -> StopReason {
        std::future::ready(()).await;
        if self.last.get().is_none() { StopReason::Refusal } else { StopReason::EndTurn }
    }
}

fn main() {
    let _ = Coder { notes: RwLock::new("".into()), parent: None }.serve_stdio();
    let _ = Echo::with_default_options(OnceLock::new(), Cell::new(0)).serve_stdio();
}
