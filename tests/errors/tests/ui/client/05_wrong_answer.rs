//! The types of these answers do not fit their methods.
use acp_client::{acp_client, values::*};

struct Editor;

#[acp_client]
impl Editor {
    async fn read_text_file(&self) -> u32 {
        1
    }

    async fn write_text_file(&self) -> Result<String, acp_client::handlers::Error> {
        Ok(String::new())
    }

    async fn request_permission(&self) {}

    async fn tool_call(&self, _call: ToolCall) -> bool {
        true
    }

    async fn plan(&self, _plan: Plan) -> Result<bool, acp_client::handlers::Error> {
        Ok(true)
    }
}

fn main() {}
