use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

fn offered(_: Model) -> Vec<&'static str> {
    vec!["a"]
}

fn is_shown(_: Model) -> bool {
    true
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(kind = boolean, default = true)]
    kind: bool,
    #[config_option(category = mode, mirror = "false", values("a", "b"), default = "a")]
    mode: String,
    #[config_option(category = 1 + 1, mirror = false, values("a", "b"), default = "a")]
    other: String,
    #[config_option(fallback = true, default = true)]
    fallback: bool,
    #[config_option(id = 1, name = Loud, default = true)]
    loud: bool,
    #[config_option(depends_on(model), values = offered, default = "a", reset = "first")]
    effort: String,
    #[config_option(depends_on(model), shown_if = "is_shown", default = true)]
    brave: bool,
}

fn main() {
    let _ = Config::initial();
}
