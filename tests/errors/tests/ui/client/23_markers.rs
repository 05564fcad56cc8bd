use acp_client::{
    Connection, acp_client,
    values::{
        CreateTerminalRequest, CreateTerminalResponse, PromptRequest, PromptResponse, ReadTextFileRequest, StopReason, methods,
    },
};

struct OfTheAgent;

#[acp_client]
impl OfTheAgent {
    #[ext(methods::Prompt)]
    async fn prompt(&self, _request: PromptRequest) -> PromptResponse {
        PromptResponse::new(StopReason::EndTurn)
    }
}

struct OfTheProtocol;

#[acp_client]
impl OfTheProtocol {
    #[ext(methods::CreateTerminal)]
    async fn create(&self, _request: CreateTerminalRequest) -> CreateTerminalResponse {
        CreateTerminalResponse::new("t")
    }
}

async fn calls(connection: &Connection, read: &ReadTextFileRequest, prompt: &PromptRequest) {
    let _ = connection.call::<methods::ReadTextFile>(read).await;
    connection.notify::<methods::Prompt>(prompt);
}

fn main() {}
