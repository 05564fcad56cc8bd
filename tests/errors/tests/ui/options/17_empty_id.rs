use acp_runtime::{ConfigOptions, SelectValue};

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    #[select_value(id = "")]
    Fast,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(id = "")]
    model: Model,
    #[config_option(values("" = "None", "1" = "One"), default = "1")]
    times: String,
}

fn main() {
    let _ = Config::initial();
}
