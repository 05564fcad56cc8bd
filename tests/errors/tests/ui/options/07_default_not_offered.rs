use acp_runtime::ConfigOptions;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values("once" = "Once", "twice" = "Twice"), default = "twise")]
    times: String,
    #[config_option(values("1" = "Once", "2" = "Twice"), default = 1)]
    again: String,
}

fn main() {
    let _ = Config::initial();
}
