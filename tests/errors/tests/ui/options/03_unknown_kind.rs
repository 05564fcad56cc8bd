use acp_runtime::ConfigOptions;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(kind = "bool", default = false)]
    brave: bool,
    #[config_option(kind = "number", default = 1)]
    depth: u32,
}

fn main() {
    let _ = Config::initial();
}
