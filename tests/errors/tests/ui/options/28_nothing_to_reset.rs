use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(reset = first, default = false)]
    brave: bool,
    #[config_option(values("a", "b"), reset = default, default = "a")]
    letter: String,
}

fn main() {
    let _ = Config::initial();
}
