use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Inner {
    #[config_option(default = false)]
    brave: bool,
}

#[derive(ConfigOptions, Clone)]
struct Common {
    #[config_option(flatten)]
    inner: Inner,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
    #[config_option(flatten)]
    common: Common,
}

#[derive(ConfigOptions, Clone)]
struct Twice {
    #[config_option(flatten)]
    one: Inner,
    #[config_option(flatten)]
    other: Inner,
}

fn main() {
    let _ = (Config::initial(), Twice::initial());
}
