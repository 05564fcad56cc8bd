use std::rc::Rc;

use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[derive(ConfigOptions, Clone)]
struct Wrong {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(config = Config)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[on_change]
    async fn every(&self, _change: Change<bool>) {}

    #[on_change(Config::BRAVE)]
    async fn one(&self, _changes: Changes<Config>) {}

    #[on_change(Config::BRAVE)]
    async fn other(&self, _session: SessionHandle<Wrong>) {}
}

#[acp_agent(local, config = Config, shared = Rc<u8>)]
struct Other;

#[acp_agent]
impl Other {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[on_change]
    async fn every(&self, Shared(_core): Shared<Rc<u8>>) {}
}

fn main() {}
