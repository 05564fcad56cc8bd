use acp_runtime::ConfigOptions;

#[derive(ConfigOptions, Clone)]
struct Config {
    /// Run tools without asking first.
    brave: bool,
    #[config_option(values("1" = "Once", "2" = "Twice"))]
    times: String,
}

fn main() {
    let _ = Config::initial();
}
