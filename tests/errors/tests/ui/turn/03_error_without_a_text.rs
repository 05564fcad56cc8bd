use acp_runtime::prelude::*;

struct Failure;

fn run() -> std::result::Result<String, Failure> {
    Err(Failure)
}

async fn work(call: ToolCallHandle) -> Result<()> {
    call.finish(run()).await
}

fn main() {}
