use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, turn: Turn<Self>) -> Result<()> {
        turn.message("Hello.").await
    }
}

fn main() {}
