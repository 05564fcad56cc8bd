use acp_runtime::{ConfigOptions, SelectValue};

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(kind = "boolean", default = Model::Fast)]
    model: Model,
}

fn main() {
    let _ = Config::initial();
}
