use acp_runtime::prelude::*;

#[derive(Clone)]
struct Plain {
    brave: bool,
}

#[derive(ConfigOptions, Clone)]
struct Underived {
    #[config_option(flatten)]
    common: Plain,
}

#[acp_agent]
#[derive(Clone)]
struct Echo {
    count: u32,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[derive(ConfigOptions, Clone)]
struct NotWhole {
    #[config_option(flatten)]
    echo: Echo,
}

#[derive(ConfigOptions, Clone)]
struct WithKeys {
    #[config_option(flatten, name = "Common", default = true)]
    common: NotWhole,
}

fn main() {
    let _ = (Underived::initial(), NotWhole::initial(), WithKeys::initial());
}
