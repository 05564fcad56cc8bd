use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(values = efforts)]
    effort: Model,
    #[config_option(values = Config::tones, default = "plain")]
    tone: String,
    #[config_option(shown_if = thinks, default = false)]
    think: bool,
    #[config_option(values = modes)]
    mode: Model,
}

fn efforts(_: Model) -> Vec<Model> {
    vec![Model::Fast]
}

fn thinks(_: Model) -> bool {
    true
}

fn modes() -> Vec<Model> {
    vec![Model::Fast]
}

impl Config {
    fn tones(&self) -> [&'static str; 1] {
        ["plain"]
    }
}

fn main() {
    let _ = Config::with_default_options();
}
