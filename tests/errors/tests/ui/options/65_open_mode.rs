use acp_runtime::{Choice, ConfigOptions};

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "mode", default = Choice::new(["ask", "code"]), open)]
    mode: Choice,
}

fn main() {
    let _ = Config::with_default_options();
}
