use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent(parts(git))]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

mod git {
    use super::*;

    #[acp_agent]
    impl Coder {
        #[ext("_acme.dev/push")]
        async fn push(&self) {}
    }
}

fn main() {
    let _ = Coder.serve_stdio();
}
