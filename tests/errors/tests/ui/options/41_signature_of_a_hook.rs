use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
    #[config_option(values("a", "b"), default = "a")]
    letter: String,
}

#[acp_agent(config = Config)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[on_change()]
    async fn nothing(&self) {}

    #[on_change(Config::BRAVE)]
    #[on_change(Config::LETTER)]
    async fn two(&self) {}

    #[on_change(Config::BRAVE)]
    fn not_async(&self) {}

    #[on_change(Config::BRAVE)]
    async fn no_receiver() {}

    #[on_change(Config::BRAVE)]
    async fn twice(&self, one: &mut Config, other: &mut Config) {
        let _ = (one, other);
    }

    #[on_change(Config::BRAVE)]
    #[ext("_acme.dev/both")]
    async fn both(&self) {}
}

fn main() {
    let _ = Coder;
}
