use acp_runtime::ConfigOptions;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = 0.5)]
    temperature: f32,
    #[config_option(default = "1")]
    times: String,
    #[config_option(kind = "select", default = Plain::A)]
    plain: Plain,
}

#[derive(Clone)]
enum Plain {
    A,
}

fn main() {
    let _ = Config::initial();
}
