use acp_runtime::{FromCall, prelude::*};

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[derive(Default)]
struct Session {
    turns: u32,
}

#[acp_agent(config = Config, session = Session)]
struct Coder;

#[derive(FromCall)]
struct Tuple<'c>(&'c mut Session, Turn<Config>);

#[derive(FromCall)]
enum Choice {
    Of(Client),
}

#[derive(FromCall)]
union Either {
    id: u32,
}

#[derive(FromCall)]
struct Empty {}

#[derive(FromCall)]
struct Generic<C> {
    turn: Turn<C>,
}

#[derive(FromCall)]
struct TwoLifetimes<'c, 's> {
    id: &'c SessionId,
    session: &'s mut Session,
}

#[derive(FromCall)]
#[from_call(krate = acp_runtime)]
struct Misspelt {
    client: Client,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, _tuple: Tuple<'_>) -> StopReason {
        StopReason::EndTurn
    }

    /// Tries again.
    #[command]
    async fn again(&self, _generic: Generic<Config>, _empty: Empty, _choice: Choice) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(&self, _misspelt: Misspelt, _either: Either) {}

    async fn close_session(&self, _two: TwoLifetimes<'_, '_>) {}
}

fn main() {}
