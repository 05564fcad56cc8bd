//! The agent as a real process, with a client that knows Acme's methods: typed calls in both directions.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::{Arc, Mutex};

use acp_client::values::{ContentBlock, SessionUpdate, StopReason, ToolCallLocation};
use acp_client::{Connection, Endpoint, Update, acp_client};
use acp_vendor::schema::{
    DismissNotification, OpenEditorRequest, OpenEditorResponse, ProgressNotification, ReviewDepth, ReviewRequest,
    methods,
};

/// An editor with windows.
#[derive(Clone, Default)]
struct Editor {
    /// The places that it shows.
    shown: Arc<Mutex<Vec<ToolCallLocation>>>,
    percent: Arc<Mutex<Vec<u8>>>,
}

#[acp_client]
impl Editor {
    #[ext(methods::OpenEditor)]
    async fn open_editor(&self, request: OpenEditorRequest) -> OpenEditorResponse {
        self.shown.lock().unwrap().push(request.location);
        OpenEditorResponse::new(false)
    }

    #[ext(methods::Progress)]
    async fn progress(&self, progress: ProgressNotification) {
        self.percent.lock().unwrap().push(progress.percent);
    }
}

async fn open(editor: &Editor) -> Connection {
    Endpoint::program(env!("CARGO_BIN_EXE_acp-vendor")).connect_as(editor.clone()).await.unwrap()
}

#[tokio::test]
async fn a_client_calls_the_agents_methods() {
    let agent = open(&Editor::default()).await;
    let request = ReviewRequest::new("/src/lib.rs").depth(ReviewDepth::Thorough);
    let review = agent.call::<methods::Review>(&request).await.unwrap();
    let [finding] = &review.findings[..] else { panic!("one file, one finding: {review:?}") };
    // The types are those of the protocol, which the client has, too.
    assert_eq!(finding.content, ContentBlock::from("looks fine, line by line"));
    assert_eq!(finding.location.line, Some(1));
    let relative = agent.call::<methods::Review>(&ReviewRequest::new("lib.rs")).await.unwrap_err();
    assert_eq!(relative.refusal().unwrap().code(), -32602, "{relative}");
    agent.notify::<methods::Dismiss>(&DismissNotification::new("/src/lib.rs"));
    let review = agent.call::<methods::Review>(&request).await.unwrap();
    assert_eq!(review.findings, []);
    agent.close().await.unwrap();
}

#[tokio::test]
async fn the_agent_calls_the_clients_methods_in_a_turn() {
    let editor = Editor::default();
    let agent = open(&editor).await;
    let session = agent.new_session(std::env::temp_dir()).await.unwrap();
    let mut turn = session.prompt("/src/lib.rs").await.unwrap();
    let mut said = Vec::new();
    while let Some(update) = turn.next().await.unwrap() {
        if let Update::Known(SessionUpdate::AgentMessageChunk(chunk)) = update {
            said.push(chunk.content);
        }
    }
    let expected = ["looks fine", "Open the file to see the place."];
    assert_eq!(said, expected.map(ContentBlock::from));
    assert_eq!(turn.finish().await.unwrap().stop_reason, Some(StopReason::EndTurn));
    assert_eq!(*editor.shown.lock().unwrap(), [ToolCallLocation::new("/src/lib.rs").line(1)]);
    agent.close().await.unwrap();
    assert_eq!(*editor.percent.lock().unwrap(), [100]);
}
