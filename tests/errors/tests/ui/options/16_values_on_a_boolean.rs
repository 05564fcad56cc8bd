use acp_runtime::ConfigOptions;

type Flag = bool;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values("on" = "On", "off" = "Off"), default = "off")]
    brave: bool,
    #[config_option(kind = "boolean", values("on" = "On", "off" = "Off"), default = "off")]
    bold: String,
}

#[derive(ConfigOptions, Clone)]
struct Aliased {
    #[config_option(values("on" = "On", "off" = "Off"), default = "off")]
    brave: Flag,
}

fn main() {
    let _ = (Config::initial(), Aliased::initial());
}
