use acp_runtime::{prelude::*, agent::MethodName};

#[derive(Clone, Default)]
struct Core;

struct Undo;
struct Redo;
struct Git;
struct Others;

#[acp_agent(shared = Core)]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("_acme.dev/undo")]
    async fn undo(&self, _part: Shared<Undo>, _client: Client) {}

    #[ext(notification = "_acme.dev/redo")]
    async fn redo(&self, _part: Shared<Redo>) {}

    #[method(prefix = "_acme.dev/git/")]
    async fn git(&self, _part: Shared<Git>, _method: MethodName) {}

    #[fallback]
    async fn others(&self, _part: Shared<Others>) {}
}

fn main() {}
