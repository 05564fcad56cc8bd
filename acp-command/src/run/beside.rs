//! Questions outside of a turn: they wait until the user takes them up, with `:answer`.

use std::collections::VecDeque;

use acp_client::{
    values::{CreateElicitationRequest, ElicitationAction, RequestPermissionRequest, RequestPermissionResponse},
    versions::permission_title,
};

use super::{
    ask::{Asked, User, note},
    paper::Style,
    question::Waiting,
    show::Show,
};
use crate::exit::Failure;

/// A question of either kind.
pub(super) enum Beside {
    Permission(Waiting<RequestPermissionRequest, RequestPermissionResponse>),
    Form(Waiting<CreateElicitationRequest, ElicitationAction>),
}

impl Beside {
    fn text(&self) -> &str {
        match self {
            Self::Permission(waiting) => permission_title(waiting.asked()),
            Self::Form(waiting) => &waiting.asked().message,
        }
    }

    fn is_withdrawn(&self) -> bool {
        match self {
            Self::Permission(waiting) => waiting.is_withdrawn(),
            Self::Form(waiting) => waiting.is_withdrawn(),
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
