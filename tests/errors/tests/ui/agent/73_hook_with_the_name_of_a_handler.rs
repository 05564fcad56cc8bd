use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(config = Config)]
struct Coder;

#[acp_agent]
impl Coder {
    #[on_change(Config::BRAVE)]
    async fn prompt(&self, _config: &mut Config) {}

    #[on_change(Config::BRAVE)]
    async fn cancel(&self, _config: &mut Config) {}

    #[on_change(Config::BRAVE)]
    async fn braver(&self, _config: &mut Config) {}
}

fn main() {}
