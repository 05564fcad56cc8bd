use std::sync::MutexGuard;

use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(config = Config)]
struct Coder {
    held: MutexGuard<'static, u32>,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, _turn: Turn<Config>) -> StopReason {
        std::future::ready(()).await;
        if *self.held == 0 { StopReason::EndTurn } else { StopReason::Refusal }
    }

    async fn cancel(&self) {}

    #[on_change(Config::BRAVE)]
    async fn braver(&self) {}
}

async fn serve(coder: Coder) -> Result<()> {
    coder.serve_stdio().await
}

fn main() {
    let _ = serve;
}
