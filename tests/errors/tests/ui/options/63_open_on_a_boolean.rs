use acp_runtime::ConfigOptions;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false, open)]
    brave: bool,
}

fn main() {
    let _ = Config::with_default_options();
}
