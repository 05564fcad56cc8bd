use acp_runtime::prelude::*;

async fn awaited(call: &ToolCallHandle) -> Result<bool> {
    Ok(call.permission().remember("cargo test").await?.is_allowed())
}

fn read(call: &ToolCallHandle) -> bool {
    call.permission().remember("cargo test").is_allowed()
}

fn main() {}
