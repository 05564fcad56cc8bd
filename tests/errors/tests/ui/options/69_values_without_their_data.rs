use acp_runtime::{Choice, ConfigOptions};

struct Model;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = Choice::new(["a", "b"]))]
    model: Choice<Model>,
}

fn main() {
    let _ = Config::with_default_options();
}
