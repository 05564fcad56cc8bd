use acp_runtime::prelude::*;

type Text = String;
type Flag = bool;

#[derive(SelectValue, Clone, Copy, PartialEq)]
enum Model {
    Fast,
    Smart,
}

#[derive(Clone)]
enum Forgotten {
    Fast,
}

#[derive(ConfigOptions, Clone)]
struct Kinds {
    #[config_option(kind = "boolean", default = false)]
    text: String,
    #[config_option(kind = "boolean", default = false)]
    alias: Text,
    #[config_option(kind = "boolean", default = false)]
    model: Model,
    #[config_option(kind = "boolean", default = false)]
    flag: Flag,
    #[config_option(kind = "select", default = false)]
    switch: bool,
}

#[derive(ConfigOptions, Clone)]
struct Values {
    #[config_option(values("1", "2"), default = "1")]
    number: u32,
    #[config_option(values("fast", "smart"), default = "fast")]
    model: Model,
    #[config_option(values("1", "2"), default = 1)]
    text: String,
    #[config_option(values("1", "2"), default = "1")]
    alias: Text,
}

#[derive(ConfigOptions, Clone)]
struct Missing {
    values: String,
    #[config_option(kind = "select", default = 1)]
    values_of_a_select: String,
}

#[derive(ConfigOptions, Clone)]
struct Types {
    derive: Forgotten,
    default: Model,
    number: u32,
}

fn main() {
    let _ = (Kinds::initial(), Values::initial(), Missing::initial(), Types::initial());
}
