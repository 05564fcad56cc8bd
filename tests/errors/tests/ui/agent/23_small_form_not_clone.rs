use acp_runtime::prelude::*;

#[acp_agent]
struct Echo {
    #[config_option(default = false)]
    shout: bool,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self, _turn: Turn<Self>) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {
    let _ = Echo::with_default_options().serve_stdio();
}
