use acp_runtime::prelude::*;

/// A function of a library.
async fn answer(mut show: impl AsyncFnMut(String) -> Result<()>) -> Result<()> {
    show("Four.".to_owned()).await
}

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        answer(async |piece| turn.message(piece).await).await?;
        Ok(StopReason::EndTurn)
    }
}

fn main() {}
