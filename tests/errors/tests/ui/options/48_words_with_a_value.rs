use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Common {
    #[config_option(default = true)]
    loud: bool,
}

#[derive(ConfigOptions, Clone)]
struct More {
    #[config_option(default = true)]
    brave: bool,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(flatten = true)]
    common: Common,
    #[config_option(flatten(true))]
    more: More,
}

fn main() {
    let _ = Config::COMMON;
}
