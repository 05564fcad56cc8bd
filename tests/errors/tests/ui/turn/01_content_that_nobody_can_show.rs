use acp_runtime::prelude::*;

async fn work(first: ToolCallHandle, second: ToolCallHandle) -> Result<()> {
    first.complete(42).await?;
    second.finish(Ok::<_, Error>(42)).await
}

fn main() {}
