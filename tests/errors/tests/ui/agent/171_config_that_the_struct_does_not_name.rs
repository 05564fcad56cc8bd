use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        if turn.config().brave {
            turn.message("I am.").await?;
        }
        Ok(StopReason::EndTurn)
    }

    /// Tries again.
    #[command]
    async fn again(&self, _turn: Turn<Config>) -> Result<StopReason> {
        Ok(StopReason::EndTurn)
    }

    async fn cancel(&self, _session: SessionHandle<Config>) {}

    #[on_change(Config::BRAVE)]
    async fn brave(&self, _change: Change<bool>, _config: &mut Config) {}

    #[on_change]
    async fn any(&self, _changes: Changes<Config>) {}
}

// The error about this struct says that the options may be those of another one.
#[acp_agent]
struct Other;

#[acp_agent]
impl Other {
    async fn prompt(&self, _turn: Turn<Config>) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(&self, _session: SessionHandle<Config>) {}
}

fn main() {}
