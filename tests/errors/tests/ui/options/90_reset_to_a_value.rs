use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
enum Effort {
    #[default]
    Low,
    High,
}

fn offered(_: Model) -> &'static [Effort] {
    Effort::ALL
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(depends_on(model), values = offered, reset = Effort::Low)]
    effort: Effort,
}

fn main() {
    let _ = Config::with_default_options();
}
