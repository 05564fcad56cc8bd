//! Answers to permission requests.

use std::collections::VecDeque;

use crate::values::{
    PermissionOptionKind, RequestPermissionOutcome, RequestPermissionRequest, RequestPermissionResponse,
    SelectedPermissionOutcome,
};

/// A user's decision on a request for permission.
///
/// See [Requesting permission](https://agentclientprotocol.com/protocol/v1/tool-calls#requesting-permission).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// The first option of the kind `allow_once`.
    AllowOnce,
    /// The first option of the kind `allow_always`.
    AllowAlways,
    /// The first option of the kind `reject_once`.
    RejectOnce,
    /// The first option of the kind `reject_always`.
    RejectAlways,
    /// The option with this id.
    Select(String),
    /// No option: the outcome `cancelled`.
    Cancelled,
    /// No answer: the question stays open until the turn is cancelled, or the agent withdraws the question.
    Wait,
}

#[derive(Default)]
pub(super) struct Permissions {
    pub(super) in_order: VecDeque<Decision>,
    pub(super) by_title: Vec<(String, Decision)>,
    pub(super) otherwise: Option<Decision>,
}

impl Permissions {
    pub(super) fn next(&mut self, request: &RequestPermissionRequest) -> Option<Decision> {
        let title = request.tool_call.title.as_deref().unwrap_or_default();
        if let Some((_, decision)) = self.by_title.iter().find(|(of, _)| title.contains(&**of)) {
            return Some(decision.clone());
        }
        self.in_order.pop_front().or_else(|| self.otherwise.clone())
    }
}

impl Decision {
    /// The answer. `None` if the decision is to wait; an error if the option is not offered.
    pub(super) fn of(self, request: &RequestPermissionRequest) -> Result<Option<RequestPermissionResponse>, String> {
        let kind = match self {
            Self::Wait => return Ok(None),
            Self::Cancelled => return Ok(Some(RequestPermissionResponse::new(RequestPermissionOutcome::Cancelled))),
            Self::Select(id) => {
                let option = request.options.iter().find(|option| option.option_id.as_ref() == id);
                return selected(option, request, &format!("with the id `{id}`"));
            }
            Self::AllowOnce => PermissionOptionKind::AllowOnce,
            Self::AllowAlways => PermissionOptionKind::AllowAlways,
            Self::RejectOnce => PermissionOptionKind::RejectOnce,
            Self::RejectAlways => PermissionOptionKind::RejectAlways,
        };
        let option = request.options.iter().find(|option| option.kind == kind);
        selected(option, request, &format!("of the kind `{kind}`"))
    }
}

fn selected(
    option: Option<&crate::values::PermissionOption>,
    request: &RequestPermissionRequest,
    wanted: &str,
) -> Result<Option<RequestPermissionResponse>, String> {
    let Some(option) = option else {
        let offered: Vec<_> =
            request.options.iter().map(|option| format!("`{}` ({})", option.option_id, option.kind)).collect();
        return Err(format!("a permission request without an option {wanted}; it offers {}", offered.join(", ")));
    };
    let outcome = SelectedPermissionOutcome::new(option.option_id.clone());
    Ok(Some(RequestPermissionResponse::new(RequestPermissionOutcome::Selected(outcome))))
}
