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

struct Big {
    id: String,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = Choice::new([Big { id: "a".to_owned() }]))]
    model: Choice<Big>,
}

fn main() {
    let _ = Config::with_default_options();
}
