use acp_runtime::{Choice, ConfigOptions};

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = Choice::new(["small"]), open, reset = first)]
    model: Choice,
}

fn main() {
    let _ = Config::with_default_options();
}
