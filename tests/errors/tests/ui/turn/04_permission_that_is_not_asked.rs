use acp_runtime::prelude::*;

fn read(call: &ToolCallHandle) -> bool {
    call.permission().remember("cargo test").is_allowed()
}

fn main() {}
