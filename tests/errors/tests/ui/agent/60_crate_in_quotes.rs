use acp_runtime as acp;
use acp_runtime::prelude::*;

#[acp_agent(crate = "acp")]
#[derive(Clone)]
struct Echo {
    #[config_option(default = true)]
    loud: bool,
}

#[acp_agent(crate = "acp")]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {
    let _ = Echo::with_default_options();
}
