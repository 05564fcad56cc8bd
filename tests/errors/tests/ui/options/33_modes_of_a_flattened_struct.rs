use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
struct Common {
    #[config_option(category = "mode")]
    theirs: Model,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "mode")]
    ours: Model,
    #[config_option(flatten)]
    common: Common,
}

fn main() {
    let _ = Config::initial();
}
