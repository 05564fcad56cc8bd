use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(kind = "boolean" default = true)]
    no_comma: bool,
    #[config_option(kind = "boolean"; default = true)]
    semicolon: bool,
    #[config_option(kind: "boolean", default = true)]
    colon: bool,
    #[config_option(kind "boolean", default = true)]
    no_sign: bool,
    #[config_option(kind = "boolean", default(true))]
    parentheses: bool,
    #[config_option(kind = "boolean",, default = true)]
    two_commas: bool,
    #[config_option(default)]
    no_value: bool,
    #[config_option(default = )]
    half_typed: bool,
    #[config_option("boolean", default = true)]
    no_key: bool,
    #[config_option(kind = "boolean", kind = "select", default = true)]
    twice: bool,
    #[config_option = "boolean"]
    assigned: Switch,
}

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Switch {
    #[default]
    On,
    Off,
}

fn main() {
    let _ = (Config::initial(), Config::HALF_TYPED);
}
