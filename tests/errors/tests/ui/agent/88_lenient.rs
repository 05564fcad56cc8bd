use acp_runtime::prelude::*;

/// An unknown word, a slip, and a word twice.
#[acp_agent(lenient(versions, mcp_server, content, content))]
#[derive(Clone)]
struct Easygoing;

#[acp_agent]
impl Easygoing {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

/// Leniency is said of each thing.
#[acp_agent(lenient)]
#[derive(Clone)]
struct Careless;

#[acp_agent]
impl Careless {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
