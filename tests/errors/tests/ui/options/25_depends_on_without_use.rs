use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(depends_on(model))]
    helper: Model,
    #[config_option(depends_on = model, default = false)]
    brave: bool,
}

fn main() {
    let _ = Config::initial();
}
