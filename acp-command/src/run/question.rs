//! A question of the agent, in a turn or outside of it: what it asks, and how it is answered.

use acp_client::{
    ElicitationQuestion, PermissionQuestion,
    values::{
        CreateElicitationRequest, ElicitationAction, PermissionOptionId, RequestPermissionOutcome,
        RequestPermissionRequest, RequestPermissionResponse, SelectedPermissionOutcome,
    },
};
use tokio::sync::oneshot;

/// A question that waits for its answer. If it is dropped, the agent is told that nobody answers.
pub(super) struct Waiting<R, A> {
    request: R,
    answer: oneshot::Sender<A>,
}

impl<R, A> Waiting<R, A> {
    pub(super) fn asked(&self) -> &R {
        &self.request
    }

    /// Whether the agent does not wait for the answer any more.
    pub(super) fn is_withdrawn(&self) -> bool {
        self.answer.is_closed()
    }

    /// The question, and the place where its answer comes.
    pub(super) fn new(request: R) -> (Self, oneshot::Receiver<A>) {
        let (answer, answered) = oneshot::channel();
        (Self { request, answer }, answered)
    }
}

/// A request for permission, in a turn or beside it.
pub(super) trait AsksPermission {
    fn request(&self) -> &RequestPermissionRequest;

    fn select(self, option: PermissionOptionId);

    fn withdrawn(&mut self) -> impl Future<Output = ()>;
}

impl AsksPermission for PermissionQuestion {
    fn request(&self) -> &RequestPermissionRequest {
        self.request()
    }

    fn select(self, option: PermissionOptionId) {
        self.select(option);
    }

    async fn withdrawn(&mut self) {
        self.withdrawn().await;
    }
}

impl AsksPermission for Waiting<RequestPermissionRequest, RequestPermissionResponse> {
    fn request(&self) -> &RequestPermissionRequest {
        &self.request
    }

    fn select(self, option: PermissionOptionId) {
        let selected = RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(option));
        // The agent may have withdrawn it just now.
        let _ = self.answer.send(RequestPermissionResponse::new(selected));
    }

    async fn withdrawn(&mut self) {
        self.answer.closed().await;
    }
}

/// A form, in a turn or beside it.
pub(super) trait AsksForm {
    fn request(&self) -> &CreateElicitationRequest;

    fn answer(self, action: ElicitationAction);

    fn withdrawn(&mut self) -> impl Future<Output = ()>;
}

impl AsksForm for ElicitationQuestion {
    fn request(&self) -> &CreateElicitationRequest {
        self.request()
    }

    fn answer(self, action: ElicitationAction) {
        self.answer(action);
    }

    async fn withdrawn(&mut self) {
        self.withdrawn().await;
    }
}

impl AsksForm for Waiting<CreateElicitationRequest, ElicitationAction> {
    fn request(&self) -> &CreateElicitationRequest {
        &self.request
    }

    fn answer(self, action: ElicitationAction) {
        // The agent may have withdrawn it just now.
        let _ = self.answer.send(action);
    }

    async fn withdrawn(&mut self) {
        self.answer.closed().await;
    }
}
