use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "model", mirror = false)]
    model: Model,
    #[config_option(mirror = true)]
    helper: Model,
}

fn main() {
    let _ = Config::initial();
}
