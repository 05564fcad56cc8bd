use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

/// The turn has its own handle, and ends for its own reason.
#[acp_agent(config = Config, turns = "steer")]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn steer(&self, _turn: Turn<Config>) -> StopReason {
        StopReason::EndTurn
    }
}

/// The turn has the session's state.
#[acp_agent(config = Config, session = Vec<String>, turns = "steer")]
struct Holding;

#[acp_agent]
impl Holding {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn steer(&self, _session: &mut Vec<String>) -> Steered {
        Steered::Joined
    }
}

/// The request is there once.
#[acp_agent(config = Config, turns = "steer")]
struct Twice;

#[acp_agent]
impl Twice {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn steer(&self, _one: PromptRequest, _two: PromptRequest) -> Steered {
        Steered::Joined
    }
}

/// Its name is nearly right.
#[acp_agent]
#[derive(Clone)]
struct Nearly;

#[acp_agent]
impl Nearly {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn on_steer(&self) -> Steered {
        Steered::Joined
    }
}

fn main() {}
