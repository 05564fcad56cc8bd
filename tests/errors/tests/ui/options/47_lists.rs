use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

fn is_shown(_: Model) -> bool {
    true
}

#[derive(ConfigOptions, Clone)]
struct Names {
    model: Model,
    #[config_option(depends_on("model"), shown_if = is_shown, default = true)]
    quoted: bool,
    #[config_option(depends_on = model, shown_if = is_shown, default = true)]
    assigned: bool,
    #[config_option(depends_on = [model], shown_if = is_shown, default = true)]
    brackets: bool,
    #[config_option(depends_on(Names::MODEL), shown_if = is_shown, default = true)]
    key: bool,
    #[config_option(depends_on, shown_if = is_shown, default = true)]
    nothing: bool,
    #[config_option(depends_on(1 + 1), shown_if = is_shown, default = true)]
    wrong: bool,
}

#[derive(ConfigOptions, Clone)]
struct Values {
    #[config_option(values(a, b), default = "a")]
    words: String,
    #[config_option(values(1, 2), default = "1")]
    numbers: String,
    #[config_option(values("a" => "A", "b" => "B"), default = "a")]
    arrows: String,
    #[config_option(values("a": "A"), default = "a")]
    colons: String,
    #[config_option(values("a" = 1), default = "a")]
    label: String,
    #[config_option(values("a" = "A", group = "x"), default = "a")]
    group: String,
    #[config_option(values = ["a", "b"], default = "a")]
    brackets: String,
    #[config_option(values, default = "a")]
    nothing: String,
    #[config_option(values(("a", "A")), default = "a")]
    pairs: String,
}

fn main() {
    let _ = (Names::initial(), Values::initial());
}
