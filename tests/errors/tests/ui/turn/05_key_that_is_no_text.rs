use acp_runtime::prelude::*;

async fn work(call: &ToolCallHandle) -> Result<bool> {
    Ok(call.permission().remember(7).ask().await?.is_allowed())
}

fn main() {}
