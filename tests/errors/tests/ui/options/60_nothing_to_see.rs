use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(id = " ", default = false)]
    shout: bool,
    #[config_option(name = "", default = false)]
    quiet_mode: bool,
    #[config_option(category = " ", default = false)]
    loud: bool,
    #[config_option(values("a" = "", " " = "B", "c"), default = "c")]
    letter: String,
}

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    #[select_value(id = " ")]
    Fast,
    #[select_value(name = "  ")]
    VeryGood,
}

fn main() {}
