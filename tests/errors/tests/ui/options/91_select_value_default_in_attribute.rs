use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq)]
enum Model {
    #[select_value(default)]
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
}

fn main() {
    let _ = Config::with_default_options();
}
