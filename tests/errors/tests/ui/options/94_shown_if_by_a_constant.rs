use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
enum Effort {
    #[default]
    Low,
    High,
}

const IS_SHOWN: bool = true;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(shown_if = IS_SHOWN, default = false)]
    brave: bool,
}

fn main() {
    let _ = Config::with_default_options();
}
