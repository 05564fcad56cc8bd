use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone, ConfigOptions, Debug)]
struct Echo {
    #[config_option(default = false)]
    shout: bool,
    prefix: String,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {
    let _ = Echo::with_default_options(String::new());
}
