//! What the client does when the agent asks: permission is a question for whoever shows the turn, so that it comes behind what the
//! turn has told before. Files are written.

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

/// The agent asks for permission.
pub(crate) struct Question {
    request: RequestPermissionRequest,
    answer: oneshot::Sender<PermissionOptionId>,
}

impl Editor {
    /// The client, and what it is asked.
    pub(crate) fn new(screen: &Arc<Screen>) -> (Self, mpsc::UnboundedReceiver<Question>) {
        let (questions, asked) = mpsc::unbounded_channel();
        (Self { screen: screen.clone(), questions }, asked)
    }
}

impl Question {
    /// Shows the question, and allows it once. Dropped unanswered, permission is not given.
    pub(crate) fn allow(self, screen: &Screen) {
        let Self { request, answer } = self;
        let offered: Vec<_> = request.options.iter().map(|option| option.name.as_str()).collect();
        screen.line(&format!("the agent asks for permission: {}?", offered.join(" or ")));
        if let Some(allow) = request.options.iter().find(|option| option.kind == PermissionOptionKind::AllowOnce) {
            screen.line(&screen.paint(Tone::Good, &format!("granted: {}", allow.name)));
            // The agent may have withdrawn it.
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
