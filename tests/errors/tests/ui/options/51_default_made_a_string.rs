use acp_runtime::prelude::*;

fn offered() -> Vec<&'static str> {
    vec!["a"]
}

const fn constant(id: &'static str) -> &'static str {
    id
}

#[derive(SelectValue, Clone, Copy, PartialEq)]
enum Size {
    #[select_value(group = "?")]
    Small,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values("a", "b"), default = "a".to_string())]
    method: String,
    #[config_option(values("a", "b"), default = String::from("a"))]
    function: String,
    #[config_option(values = offered, default = "a".into())]
    offered: String,
    #[config_option(values("a", "b"), default = constant("a"))]
    right: String,
    #[config_option(default = "true")]
    quoted: bool,
    #[config_option = "boolean"]
    assigned: bool,
    size: Size,
}

fn main() {
    let _ = Config::initial();
}
