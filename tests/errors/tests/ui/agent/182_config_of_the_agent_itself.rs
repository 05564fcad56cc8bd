use acp_runtime::prelude::*;

#[acp_agent(config = Coder)]
#[derive(ConfigOptions, Clone)]
struct Coder {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, turn: Turn<Self>) -> StopReason {
        let _ = turn.config().brave;
        StopReason::EndTurn
    }
}

#[acp_agent(config = Self)]
#[derive(Clone)]
struct Other {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent]
impl Other {
    async fn prompt(&self, turn: Turn<Other>) -> StopReason {
        let _ = turn.config().brave;
        StopReason::EndTurn
    }
}

mod derived_beside_another {
    use super::*;

    #[derive(ConfigOptions, Clone)]
    struct Config {
        #[config_option(default = false)]
        brave: bool,
    }

    #[acp_agent(config = Config)]
    #[derive(ConfigOptions, Clone)]
    struct Third {
        #[config_option(default = false)]
        fast: bool,
    }

    #[acp_agent]
    impl Third {
        async fn prompt(&self, turn: Turn<Config>) -> StopReason {
            let _ = turn.config().brave;
            StopReason::EndTurn
        }
    }
}

fn main() {}
