use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "mode")]
    first: Model,
    #[config_option(category = "mode", mirror = false)]
    aside: Model,
    #[config_option(category = "mode", default = false)]
    flag: bool,
    #[config_option(category = "mode")]
    second: Model,
}

fn main() {
    let _ = Config::initial();
}
