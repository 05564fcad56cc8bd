//! The client's answers to the agent's requests. It writes files. It passes a request for permission on as a question
//! to the code that shows the turn, so that the question stands after the updates before it.

use std::sync::Arc;

use acp_client::{
    acp_client,
    values::{PermissionOptionId, PermissionOptionKind, RequestPermissionRequest, WriteTextFileRequest},
};
use tokio::sync::{mpsc, oneshot};

use crate::screen::{Screen, Tone};

/// The client's side of the connection.
pub(crate) struct Editor {
    screen: Arc<Screen>,
    questions: mpsc::UnboundedSender<Question>,
}

/// A request of the agent for permission.
pub(crate) struct Question {
    request: RequestPermissionRequest,
    answer: oneshot::Sender<PermissionOptionId>,
}

impl Editor {
    /// The client, and the receiver of its questions.
    pub(crate) fn new(screen: &Arc<Screen>) -> (Self, mpsc::UnboundedReceiver<Question>) {
        let (questions, asked) = mpsc::unbounded_channel();
        (Self { screen: screen.clone(), questions }, asked)
    }
}

impl Question {
    /// Shows the question, and allows the tool once. If a question is dropped, the tool is not allowed.
    pub(crate) fn allow(self, screen: &Screen) {
        let Self { request, answer } = self;
        let offered: Vec<_> = request.options.iter().map(|option| option.name.as_str()).collect();
        screen.line(&format!("the agent asks for permission: {}?", offered.join(" or ")));
        if let Some(allow) = request.options.iter().find(|option| option.kind == PermissionOptionKind::AllowOnce) {
            screen.line(&screen.paint(Tone::Good, &format!("granted: {}", allow.name)));
            // This send fails if the agent has withdrawn its request.
            let _ = answer.send(allow.option_id.clone());
        }
    }
}

#[acp_client]
impl Editor {
    async fn request_permission(&self, request: RequestPermissionRequest) -> Option<PermissionOptionId> {
        let (answer, answered) = oneshot::channel();
        self.questions.send(Question { request, answer }).ok()?;
        answered.await.ok()
    }

    async fn write_text_file(&self, request: WriteTextFileRequest) -> std::io::Result<()> {
        std::fs::write(&request.path, &request.content)?;
        self.screen.line(&format!("the client writes {} for the agent", request.path.display()));
        Ok(())
    }
}
