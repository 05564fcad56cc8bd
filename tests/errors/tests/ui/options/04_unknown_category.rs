use acp_runtime::{ConfigOptions, SelectValue};

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "thought")]
    effort: Model,
    #[config_option(category = "colour")]
    model: Model,
    #[config_option(category = "")]
    other: Model,
    #[config_option(category = "_acme_colour")]
    fine: Model,
}

fn main() {
    let _ = Config::initial();
}
