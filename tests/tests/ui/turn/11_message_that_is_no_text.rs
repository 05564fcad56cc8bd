use acp_runtime::{prelude::*, session::Compaction};

async fn say(turn: &Turn<()>, replay: &Replay, report: Compaction) -> Result<()> {
    turn.message(42).await?;
    turn.update("now").await?;
    replay.user(true).await?;
    report.complete(()).await
}

fn main() {}
