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

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = 3)]
    retries: u8,
}

fn main() {
    let _ = Config::with_default_options();
}
