use acp_runtime::prelude::*;

use self::elsewhere::default;

mod elsewhere {
    pub fn default(_: &str) -> &'static str {
        "b"
    }
}

fn letters() -> [&'static str; 2] {
    ["a", "b"]
}

fn first(_: &str) -> &'static str {
    "b"
}

#[derive(ConfigOptions, Clone)]
struct Words {
    #[config_option(values = letters, reset = first, default = "a")]
    one: String,
    #[config_option(values = letters, reset = default, default = "a")]
    two: String,
}

#[derive(ConfigOptions, Clone)]
struct Paths {
    #[config_option(values = letters, reset = self::first, default = "a")]
    one: String,
    #[config_option(values = letters, reset = elsewhere::default, default = "a")]
    two: String,
}

fn main() {
    let _ = default("a");
}
