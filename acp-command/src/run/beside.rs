//! Questions outside of a turn: they wait until the user takes them up, with `:answer`.

use std::collections::VecDeque;

use acp_client::{
    ElicitationQuestion, PermissionQuestion,
    values::{
        CreateElicitationRequest, ElicitationAction, PermissionOptionId, RequestPermissionOutcome,
        RequestPermissionRequest, RequestPermissionResponse, SelectedPermissionOutcome,
    },
    versions::permission_title,
};
use tokio::sync::oneshot;

use super::{
    ask::{Asked, User, note},
    paper::Style,
    show::Show,
};
use crate::exit::Failure;

/// A question that waits for its answer. If it is dropped, the agent is told that nobody answers.
pub(super) struct Waiting<R, A> {
    request: R,
    answer: oneshot::Sender<A>,
}

impl<R, A> Waiting<R, A> {
    /// The question, and the place where its answer comes.
    pub(super) fn new(request: R) -> (Self, oneshot::Receiver<A>) {
        let (answer, answered) = oneshot::channel();
        (Self { request, answer }, answered)
    }
}

/// A question of either kind.
pub(super) enum Beside {
    Permission(Waiting<RequestPermissionRequest, RequestPermissionResponse>),
    Form(Waiting<CreateElicitationRequest, ElicitationAction>),
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

impl Beside {
    fn text(&self) -> &str {
        match self {
            Self::Permission(waiting) => permission_title(&waiting.request),
            Self::Form(waiting) => &waiting.request.message,
        }
    }

    fn is_withdrawn(&self) -> bool {
        match self {
            Self::Permission(waiting) => waiting.answer.is_closed(),
            Self::Form(waiting) => waiting.answer.is_closed(),
        }
    }
}

/// The questions that wait, the oldest first.
#[derive(Default)]
pub(super) struct Questions(VecDeque<Beside>);

impl Questions {
    /// Tells of a question.
    pub(super) fn add(&mut self, show: &mut Show, question: Beside) -> Result<(), Failure> {
        let shown = show.aside((Style::Asking, "ask"), question.text());
        shown.map_err(|error| Failure::output(&error))?;
        note(show, "`:answer` answers it")?;
        self.0.push_back(question);
        Ok(())
    }

    /// Takes up the oldest question that the agent has not withdrawn.
    pub(super) async fn answer(&mut self, user: &mut User, show: &mut Show) -> Result<Asked<()>, Failure> {
        self.0.retain(|question| !question.is_withdrawn());
        match self.0.pop_front() {
            Some(Beside::Permission(waiting)) => user.permission(show, waiting).await,
            Some(Beside::Form(waiting)) => user.form(show, waiting).await,
            None => {
                note(show, "the agent does not ask anything")?;
                Ok(Asked::Withdrawn)
            }
        }
    }
}
