use acp_runtime::ConfigOptions;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
    #[config_option(id = "brave", default = true)]
    bold: bool,
}

fn main() {
    let _ = Config::initial();
}
