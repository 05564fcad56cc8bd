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
    #[config_option(depends_on(model), shown_if = |model| model == Model::Smart, default = true)]
    closure: bool,
    #[config_option(depends_on(model), shown_if = is_shown(model), default = true)]
    call: bool,
    #[config_option(depends_on(model), shown_if = &is_shown, default = true)]
    reference: bool,
    #[config_option(depends_on(model), shown_if(is_shown), default = true)]
    parentheses: bool,
    #[config_option(depends_on(model), shown_if, default = true)]
    nothing: bool,
    #[config_option(depends_on(model), values = offered(model), default = "a")]
    values: String,
    #[config_option(depends_on(model), values = "offered", default = "a")]
    quoted: String,
    #[config_option(depends_on(model), values = |_| vec!["a"], default = "a")]
    inline: String,
    #[config_option(depends_on(model), values = offered, reset = |_, _| "a", default = "a")]
    reset: String,
}

fn main() {
    let _ = Config::initial();
}
