use std::cell::Cell;

use acp_runtime::prelude::*;

/// The compiler cannot evaluate two promises of the runtime for this type, and they add no error.
#[acp_agent(local, auth(agent(id = "key", name = "API key")), capabilities(mcp_http))]
#[derive(Clone)]
struct Echo {
    turns: Cell<u32>,
    #[config_option(default = false)]
    shout: bool,
}

#[acp_agent]
impl Echo {
    async fn new_session(&self, _request: NewSessionRequest) {}

    async fn authenticate(&self) {}

    async fn prompt(&self, _request: PromptRequest, _turn: Turn<Self>) -> StopReason {
        self.turns.set(self.turns.get() + 1);
        std::future::ready(()).await;
        StopReason::EndTurn
    }

    async fn cancel(&self, _session: SessionHandle<Self>) {}

    #[ext("_acme.dev/turns")]
    async fn turns(&self) -> u32 {
        self.turns.get()
    }

    #[on_change(Echo::SHOUT)]
    async fn shouts(&self, _change: Change<bool>, _config: &mut Echo) -> Result<()> {
        Ok(())
    }
}

fn main() {
    let _ = Echo::with_default_options(Cell::new(0)).serve_stdio();
}
