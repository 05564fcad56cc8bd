use acp_runtime::prelude::*;

#[derive(Clone, Default)]
struct Core;

#[derive(Clone)]
struct Store;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(config = Config, shared = Core)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, Shared(_store): Shared<Store>) -> StopReason {
        StopReason::EndTurn
    }

    async fn list_sessions(&self, Shared(_core): Shared<Core>) -> ListSessionsResponse {
        ListSessionsResponse::new(vec![])
    }

    #[ext("_example.com/undo")]
    async fn undo(&self, Shared(_store): Shared<Store>) {}

    #[on_change(Config::BRAVE)]
    async fn brave(&self, Shared(_store): Shared<Store>) {}
}

fn main() {}
