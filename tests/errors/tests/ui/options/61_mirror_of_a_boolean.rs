use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "mode", mirror = true, default = false)]
    careful: bool,
    #[config_option(category = "mode", mirror = false, kind = "boolean", default = false)]
    thorough: bool,
    #[config_option(category = "mode", default = false)]
    only_shown_there: bool,
}

fn main() {}
