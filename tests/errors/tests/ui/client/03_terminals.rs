//! A client must handle all five terminal methods, or none of them.
use acp_client::{acp_client, values::*};

struct Editor;

#[acp_client]
impl Editor {
    async fn create_terminal(&self, _request: CreateTerminalRequest) -> TerminalId {
        TerminalId::from("1")
    }

    async fn terminal_output(&self) -> TerminalOutputResponse {
        TerminalOutputResponse::new("", false)
    }

    async fn kill_terminal(&self) {}
}

fn main() {}
