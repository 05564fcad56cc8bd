//! A question of the agent to the user: its place in a queue of updates, and the question itself for a reader who answers it.

use std::fmt;

use acp_runtime_core::Error;
use tokio::sync::oneshot;

use crate::values::{
    CreateElicitationRequest, CreateElicitationResponse, ElicitationAction, PermissionOptionId,
    RequestPermissionOutcome, RequestPermissionRequest, RequestPermissionResponse, SelectedPermissionOutcome,
};

/// A question in a queue of updates.
pub(crate) enum Place {
    /// The drop lets the handler begin.
    Handler(#[expect(dead_code, reason = "its drop is its use")] oneshot::Sender<()>),
    /// The reader itself answers.
    Reader(Box<Question>),
}

/// A question on its way to the reader of a turn.
pub(crate) enum Question {
    Permission(PermissionQuestion),
    Elicitation(ElicitationQuestion),
}

type Answers<T> = oneshot::Sender<std::result::Result<T, Error>>;

/// A request of the agent for permission. If it is dropped without an answer, the answer is `cancelled`.
#[must_use = "a question that is dropped is answered `cancelled`"]
pub struct PermissionQuestion {
    request: RequestPermissionRequest,
    answer: Answers<RequestPermissionResponse>,
}

impl PermissionQuestion {
    pub(crate) fn new(request: RequestPermissionRequest, answer: Answers<RequestPermissionResponse>) -> Self {
        Self { request, answer }
    }

    /// The agent's request: the tool call, and the options of which the user selects one.
    pub fn request(&self) -> &RequestPermissionRequest {
        &self.request
    }

    /// Answers with the id of the option that the user selected.
    pub fn select(self, option: impl Into<PermissionOptionId>) {
        let selected = SelectedPermissionOutcome::new(option.into());
        self.answer(Ok(RequestPermissionResponse::new(RequestPermissionOutcome::Selected(selected))));
    }

    /// Answers with what a handler returns, for example with that of
    /// [`Permissions`](crate::parts::Permissions::request_permission). If the agent has withdrawn the question, nothing
    /// happens.
    pub fn answer(self, answer: std::result::Result<RequestPermissionResponse, Error>) {
        let _ = self.answer.send(answer);
    }

    /// Waits until the agent has withdrawn the question, or the turn was cancelled. The user need not answer it any more.
    pub async fn withdrawn(&mut self) {
        self.answer.closed().await;
    }
}

/// A question of the agent for input: a form, or a page to open. If it is dropped without an answer, the answer is
/// `cancel`.
#[must_use = "a question that is dropped is answered `cancel`"]
pub struct ElicitationQuestion {
    request: CreateElicitationRequest,
    answer: Answers<CreateElicitationResponse>,
}

impl ElicitationQuestion {
    pub(crate) fn new(request: CreateElicitationRequest, answer: Answers<CreateElicitationResponse>) -> Self {
        Self { request, answer }
    }

    /// The agent's request.
    pub fn request(&self) -> &CreateElicitationRequest {
        &self.request
    }

    /// Answers with what the user did. If the agent has withdrawn the question, nothing happens.
    pub fn answer(self, action: ElicitationAction) {
        let _ = self.answer.send(Ok(CreateElicitationResponse::new(action)));
    }

    /// Waits until the agent has withdrawn the question, or the turn was cancelled. The user need not answer it any more.
    pub async fn withdrawn(&mut self) {
        self.answer.closed().await;
    }
}

impl Question {
    /// Whether nobody waits for the answer any more.
    pub(super) fn is_withdrawn(&self) -> bool {
        match self {
            Self::Permission(question) => question.answer.is_closed(),
            Self::Elicitation(question) => question.answer.is_closed(),
        }
    }
}

impl fmt::Debug for PermissionQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PermissionQuestion").field(&self.request).finish()
    }
}

impl fmt::Debug for ElicitationQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ElicitationQuestion").field(&self.request).finish()
    }
}
