use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, _: Arguments) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command]
    async fn text(&self, text: String) -> StopReason {
        drop(text);
        StopReason::EndTurn
    }

    /// Mends it.
    #[command]
    async fn nothing(&self) {}

    async fn cancel(&self, arguments: Arguments) {
        drop(arguments);
    }
}

fn main() {}
