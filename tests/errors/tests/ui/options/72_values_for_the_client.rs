//! A value for the client is the id of a value, a boolean or an enum's value, and a change returns `()` or a `Result`.

use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = Choice::new(["fast", "smart"]))]
    model: Choice,
}

async fn number(session: &SessionHandle<Config>) -> Result<()> {
    session.set_for_client(Config::MODEL, 7).await
}

async fn choice(session: &SessionHandle<Config>) -> Result<()> {
    session.set_for_client(Config::MODEL, Choice::new(["fast"])).await
}

async fn value(session: &SessionHandle<Config>) -> Result<bool> {
    session.update_config_for_client(|config| config.model.id() == "fast").await
}

async fn option(session: &SessionHandle<Config>) -> Result<()> {
    session.update_config_for_client(|config| Some(config.model.select("fast"))).await?;
    Ok(())
}

fn main() {}
