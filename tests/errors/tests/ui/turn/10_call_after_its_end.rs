use acp_runtime::prelude::*;

async fn work(call: ToolCallHandle) -> Result<()> {
    call.finish(Ok::<_, Error>("done")).await?;
    call.show("It is done.").await
}

fn main() {}
