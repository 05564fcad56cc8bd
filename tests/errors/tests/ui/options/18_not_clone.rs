use acp_runtime::ConfigOptions;

#[derive(ConfigOptions)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

fn main() {
    let _ = Config::initial();
}
