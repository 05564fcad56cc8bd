use acp_runtime::ConfigOptions;

const TIMES: &str = "3";

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values("1" = "Once", "2" = "Twice"), default = TIMES)]
    times: String,
}

fn main() {
    let _ = Config::initial();
}
