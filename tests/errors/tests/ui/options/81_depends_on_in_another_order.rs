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

fn offered(model: Model, brave: bool) -> &'static [Effort] {
    if brave && model == Model::Smart { Effort::ALL } else { &[Effort::Low] }
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(default = false)]
    brave: bool,
    #[config_option(depends_on(brave, model), values = offered)]
    effort: Effort,
}

fn main() {
    let _ = Config::with_default_options();
}
