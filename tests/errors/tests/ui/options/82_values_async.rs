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

async fn offered() -> Vec<String> {
    vec!["a".to_owned()]
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values = offered, default = "a")]
    effort: String,
}

fn main() {
    let _ = Config::with_default_options();
}
