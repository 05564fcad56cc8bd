use acp_runtime::{ConfigOptions, SelectValue};

#[derive(SelectValue, Clone, Copy, PartialEq)]
enum Model {
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = "fast")]
    model: Model,
    #[config_option(default = 1)]
    brave: bool,
    #[config_option(kind = "boolean", default = "yes")]
    quoted: bool,
    #[config_option(default = "fast")]
    listed: acp_runtime::Choice,
}

fn main() {
    let _ = Config::initial();
}
