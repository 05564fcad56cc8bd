use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[derive(ConfigOptions, Clone)]
struct Other {
    #[config_option(default = false)]
    loud: bool,
}

async fn prompt(turn: Turn<Config>, session: SessionHandle<Config>) -> Result<()> {
    turn.set(Other::LOUD, true).await?;
    let _ = session.get(Other::LOUD);
    let mut watch = session.watch(Other::LOUD);
    let _ = (watch.get(), watch.changed().await);
    turn.set(Config::BRAVE, "yes").await
}

fn main() {
    let _ = prompt;
}
