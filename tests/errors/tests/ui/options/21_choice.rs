use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values("a", "b"), default = "a")]
    provider: Choice,
}

#[derive(ConfigOptions, Clone)]
struct NoDefault {
    model: Choice,
}

fn main() {
    let _ = (Config::initial(), NoDefault::initial());
}
