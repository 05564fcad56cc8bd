//! A question of the agent to the user: its place in a queue of updates, and the question itself for a reader who answers it.

use std::{fmt, pin::Pin};

use acp_peer::Error;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::oneshot;

use crate::{
    dialect::params::object,
    schema::Method,
    update::Update,
    values::{
        CreateElicitationRequest, CreateElicitationResponse, ElicitationAction, PermissionOptionId,
        RequestPermissionOutcome, RequestPermissionRequest, RequestPermissionResponse, SelectedPermissionOutcome,
        methods,
    },
};

/// A question in a queue of updates.
pub(crate) enum Place {
    /// The drop lets the handler begin.
    Handler(#[expect(dead_code, reason = "its drop is its use")] oneshot::Sender<()>),
    /// The reader itself answers.
    Reader(Box<dyn Question>),
}

/// A question on its way to the reader of a turn. A client that begins no such turn has no code of the types of questions.
pub(crate) trait Question: Send {
    /// Whether nobody waits for the answer any more.
    fn is_withdrawn(&self) -> bool;

    fn event(self: Box<Self>) -> TurnEvent;
}

/// The reader's answer to a question.
pub(crate) type Answered = Pin<Box<dyn Future<Output = Result<Box<RawValue>, Error>> + Send>>;

/// Reads a question for the reader of its turn, and what waits for the reader's answer.
pub(crate) type ReadQuestion = fn(&str, Option<&RawValue>) -> Result<(Box<dyn Question>, Answered), Error>;

/// Whether a method asks the user. The answers to all others come from the client itself, so they wait for nothing.
pub(crate) fn is_question(method: &str) -> bool {
    method == methods::RequestPermission::NAME || method == methods::CreateElicitation::NAME
}

/// The answer of a user who permits nothing.
pub(crate) fn not_permitted() -> RequestPermissionResponse {
    RequestPermissionResponse::new(RequestPermissionOutcome::Cancelled)
}

/// An update of a turn, or a question of the agent to the user.
#[derive(Debug)]
#[non_exhaustive]
pub enum TurnEvent {
    /// An update.
    Update(Update),
    /// A request for permission.
    Permission(PermissionQuestion),
    /// A form, or a page to open.
    Elicitation(ElicitationQuestion),
}

/// Reads the questions of a turn whose reader answers them.
pub(crate) fn read(method: &str, params: Option<&RawValue>) -> Result<(Box<dyn Question>, Answered), Error> {
    if method == methods::RequestPermission::NAME {
        let (request, (answer, answered)) = (object(method, params)?, oneshot::channel());
        Ok((Box::new(PermissionQuestion { request, answer }), after(answered, not_permitted)))
    } else {
        let (request, (answer, answered)) = (object(method, params)?, oneshot::channel());
        let dropped = || CreateElicitationResponse::new(ElicitationAction::Cancel);
        Ok((Box::new(ElicitationQuestion { request, answer }), after(answered, dropped)))
    }
}

/// The answer; for a reader that drops the question, that of `dropped`.
fn after<T: Serialize + Send + 'static>(answered: oneshot::Receiver<Result<T, Error>>, dropped: fn() -> T) -> Answered {
    Box::pin(async move { Ok(to_raw_value(&answered.await.unwrap_or_else(|_| Ok(dropped()))?)?) })
}

type Answers<T> = oneshot::Sender<Result<T, Error>>;

/// A request of the agent for permission, among the updates of a turn: [`TurnEvents`](crate::TurnEvents) shows an example. If it is
/// dropped without an answer, the answer is `cancelled`.
#[must_use = "a question that is dropped is answered `cancelled`"]
pub struct PermissionQuestion {
    request: RequestPermissionRequest,
    answer: Answers<RequestPermissionResponse>,
}

impl PermissionQuestion {
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
    pub fn answer(self, answer: Result<RequestPermissionResponse, Error>) {
        let _ = self.answer.send(answer);
    }

    /// Waits until the agent has withdrawn the question, or the turn was cancelled. The user need not answer it any more.
    pub async fn withdrawn(&mut self) {
        self.answer.closed().await;
    }
}

/// A question of the agent for input: a form, or a page to open. It comes as a [`PermissionQuestion`] does. If it is dropped
/// without an answer, the answer is `cancel`.
#[must_use = "a question that is dropped is answered `cancel`"]
pub struct ElicitationQuestion {
    request: CreateElicitationRequest,
    answer: Answers<CreateElicitationResponse>,
}

impl ElicitationQuestion {
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

impl Question for PermissionQuestion {
    fn is_withdrawn(&self) -> bool {
        self.answer.is_closed()
    }

    fn event(self: Box<Self>) -> TurnEvent {
        TurnEvent::Permission(*self)
    }
}

impl Question for ElicitationQuestion {
    fn is_withdrawn(&self) -> bool {
        self.answer.is_closed()
    }

    fn event(self: Box<Self>) -> TurnEvent {
        TurnEvent::Elicitation(*self)
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
