use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, request: PromptRequest) -> String {
        request.text()
    }
}

fn main() {}
