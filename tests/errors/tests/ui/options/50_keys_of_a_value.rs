use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    #[select_value(group = Small, name = "Fast")]
    Fast,
    #[select_value(group)]
    Smart,
    #[select_value(group = "Large" id = "xl")]
    Large,
    #[select_value(group = "Large", name: "Largest")]
    Largest,
    #[select_value("huge", group = "Large")]
    Huge,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
}

fn main() {
    let _ = Config::initial();
}
