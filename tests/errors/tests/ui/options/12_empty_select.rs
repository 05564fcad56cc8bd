use acp_runtime::{ConfigOptions, SelectValue};

#[derive(SelectValue, Clone, Copy, PartialEq)]
enum Model {}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values(), default = "1")]
    times: String,
    #[config_option(values, default = "1")]
    again: String,
}

fn main() {
    let _ = Config::initial();
}
