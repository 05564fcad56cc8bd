use acp_runtime::{ConfigOptions, SelectValue};

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Gpt,
    GPT,
    #[select_value(id = "gpt")]
    Other,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(values("1" = "Once", "1" = "Twice"), default = "1")]
    times: String,
}

fn main() {
    let _ = (Config::initial(), Model::Gpt, Model::GPT, Model::Other);
}
