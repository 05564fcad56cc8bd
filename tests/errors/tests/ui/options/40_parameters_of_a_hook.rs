use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
    #[config_option(values("a", "b"), default = "a")]
    letter: String,
}

#[acp_agent(config = Config)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[on_change(Config::BRAVE)]
    async fn value(&self, change: Change<String>) {
        let _ = change;
    }

    #[on_change(Config::LETTER)]
    async fn session(&self, session: Turn<Config>) {
        let _ = session;
    }

    #[on_change(Config::LETTER)]
    async fn config(&self, config: &mut Coder) {
        let _ = config;
    }
}

fn main() {
    let _ = Coder;
}
