//! The smallest agent on the official SDK: it repeats the prompt. It exists to measure the cost of its build.

use agent_client_protocol::v1::schema::*;
use agent_client_protocol::{Agent, Result, Stdio, on_receive_request};

fn text(prompt: &[ContentBlock]) -> String {
    let texts = prompt.iter().filter_map(|block| match block {
        ContentBlock::Text(block) => Some(block.text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    Agent
        .v1()
        .name("minimal")
        .on_receive_request(
            async |request: InitializeRequest, responder, _cx| {
                responder.respond(InitializeResponse::new(request.protocol_version))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async |_: NewSessionRequest, responder, _cx| responder.respond(NewSessionResponse::new("only")),
            on_receive_request!(),
        )
        .on_receive_request(
            async |request: PromptRequest, responder, cx| {
                let chunk = ContentChunk::new(text(&request.prompt).into());
                let update = SessionUpdate::AgentMessageChunk(chunk);
                cx.send_notification(SessionNotification::new(request.session_id, update))?;
                responder.respond(PromptResponse::new(StopReason::EndTurn))
            },
            on_receive_request!(),
        )
        .connect_to(Stdio::new())
        .await
}
