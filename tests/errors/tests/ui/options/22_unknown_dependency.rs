use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

fn models(_: Model) -> Vec<Model> {
    vec![Model::Fast]
}

#[derive(ConfigOptions, Clone)]
struct Common {
    #[config_option(default = false)]
    brave: bool,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(depends_on(modle), values = models)]
    helper: Model,
    #[config_option(depends_on(common), values = models)]
    reviewer: Model,
    #[config_option(flatten)]
    common: Common,
}

#[acp_agent]
#[derive(Clone)]
struct Echo {
    loud: bool,
    #[config_option(depends_on(loud), values = models)]
    model: Model,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {
    let _ = Config::initial();
}
