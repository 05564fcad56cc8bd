use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

fn two(_: Model, _: bool) -> Vec<Model> {
    vec![Model::Fast]
}

fn other(_: bool) -> Vec<Model> {
    vec![Model::Fast]
}

fn numbers(_: Model) -> Vec<u8> {
    vec![1]
}

fn model(_: Model) -> Model {
    Model::Fast
}

fn flag(_: Model, _: Model) -> bool {
    true
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(depends_on(model), values = two)]
    arity: Model,
    #[config_option(depends_on(model), values = other)]
    argument: Model,
    #[config_option(depends_on(model), values = numbers)]
    list: Model,
    #[config_option(depends_on(model), values = numbers, default = "1")]
    text: String,
    #[config_option(depends_on(model), shown_if = model, default = false)]
    shown: bool,
    #[config_option(depends_on(model), values = Config::models, reset = flag)]
    reset: Model,
    #[config_option(depends_on(model), values = Config::models, default = Choice::new(["a"]))]
    choice: Choice,
}

impl Config {
    fn models(_: Model) -> Vec<Model> {
        vec![Model::Fast]
    }
}

fn main() {
    let _ = Config::initial();
}
