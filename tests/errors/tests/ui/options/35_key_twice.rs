use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "_a", id = "one", category = "_b", id = "two", default = false)]
    brave: bool,
}

fn main() {
    let _ = Config::initial();
}
