use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

fn flags(_: Model) -> Vec<bool> {
    vec![true]
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(depends_on(model), values = flags, default = false)]
    brave: bool,
    #[config_option(depends_on(model), values = |_| vec![Model::Fast])]
    helper: Model,
}

fn main() {
    let _ = Config::initial();
}
