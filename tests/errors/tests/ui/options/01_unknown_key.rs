use acp_runtime::ConfigOptions;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(defualt = false, colour = "red")]
    brave: bool,
    #[config_option(valeus("1" = "Once", "2" = "Twice"), default = "1", default = "2")]
    times: String,
}

fn main() {
    // The keys still exist, so the code that uses them causes no further error.
    let _ = (Config::BRAVE, Config::TIMES, Config::initial());
}
