use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(parts(git, models))]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

mod git {
    use super::*;

    #[acp_agent(part = git)]
    impl Coder {
        #[on_change]
        async fn configure(&self) {}
    }
}

mod models {
    use super::*;

    #[acp_agent(part = models)]
    impl Coder {
        #[on_change]
        async fn count(&self) {}
    }
}

fn main() {}
