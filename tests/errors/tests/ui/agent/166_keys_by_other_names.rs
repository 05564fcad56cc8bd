use acp_runtime::prelude::*;

#[derive(Clone, Default)]
struct Core;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(options = Config, state = Core)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, Shared(_core): Shared<Core>, turn: Turn<Config>) -> Result<StopReason> {
        turn.set(Config::BRAVE, true).await?;
        Ok(StopReason::EndTurn)
    }

    async fn cancel(&self, Shared(_core): Shared<Core>) {}

    /// Mends it.
    #[command(input = "what to mend")]
    async fn fix(&self, _what: Arguments) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
