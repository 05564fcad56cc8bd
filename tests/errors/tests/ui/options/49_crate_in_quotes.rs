use acp_runtime as acp;
use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
#[config_option(crate = "acp")]
struct Config {
    #[config_option(default = true)]
    loud: bool,
    model: Model,
}

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
#[select_value(crate: acp)]
enum Model {
    #[default]
    Fast,
    Smart,
}

fn main() {
    let _ = (Config::initial(), Model::ALL);
}
