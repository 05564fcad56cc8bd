//! In this configuration, the client handles only four of the five terminal methods.
use acp_client::{acp_client, values::*};

struct Editor;

#[acp_client]
impl Editor {
    async fn create_terminal(&self) -> TerminalId {
        TerminalId::from("1")
    }

    async fn terminal_output(&self) -> TerminalOutputResponse {
        TerminalOutputResponse::new("", false)
    }

    async fn wait_for_terminal_exit(&self) -> TerminalExitStatus {
        TerminalExitStatus::new()
    }

    async fn kill_terminal(&self) {}

    #[cfg(any())]
    async fn release_terminal(&self) {}
}

fn main() {}
