use acp_runtime::prelude::*;

async fn work(call: ToolCallHandle) -> Result<()> {
    call.finish("done").await
}

fn main() {}
