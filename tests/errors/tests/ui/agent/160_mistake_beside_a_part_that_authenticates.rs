use acp_runtime::{prelude::*, values::AuthMethodAgent};

#[acp_agent(needs_auth)]
#[derive(Clone)]
struct Coder;

#[acp_agent(parts(accounts))]
impl Coder {
    // Because of the mistake, the macro tells the compiler of no handler in this block, and so not of this one.
    async fn initialize(&self) -> Initialized {
        Initialized::new().auth_method(AuthMethodAgent::new("browser", "Sign in"))
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    fn greeting(&self) -> &'static str {
        "hello"
    }
}

mod accounts {
    use super::*;

    #[acp_agent(part = accounts)]
    impl Coder {
        async fn authenticate(&self) {}

        async fn logout(&self) {}
    }
}

fn main() {}
