use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

fn models(_: Model) -> Vec<Model> {
    vec![Model::Fast]
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(depends_on(model), values = models)]
    model: Model,
    #[config_option(depends_on(model, model), values = models)]
    helper: Model,
}

fn main() {
    let _ = Config::initial();
}
