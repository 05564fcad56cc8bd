use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq)]
enum Model {
    Fast,
    Smart,
}

fn models(_: bool) -> Vec<Model> {
    vec![Model::Fast]
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
    #[config_option(depends_on(brave), values = models, default = true)]
    model: Model,
    #[config_option(depends_on(brave), values = models)]
    helper: Model,
    #[config_option(depends_on(brave), values = models, default = "fast")]
    reviewer: Model,
}

fn main() {
    let _ = Config::initial();
}
