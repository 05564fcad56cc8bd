use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(fallback = "select")]
    model: Model,
    #[config_option(fallback = "omit", values("a", "b"), default = "a")]
    letter: String,
    #[config_option(fallback = "selekt", default = false)]
    brave: bool,
}

fn main() {
    let _ = Config::initial();
}
