//! Requests for the user's permission.
//!
//! See [Requesting permission](https://agentclientprotocol.com/protocol/v1/tool-calls#requesting-permission).

use serde_json::value::{RawValue, to_raw_value};

use super::{asking::Client, everyone::ParamsFor, line::Line};
use crate::{
    values::{
        PermissionOption, PermissionOptionId, PermissionOptionKind, RequestPermissionOutcome, RequestPermissionRequest,
        RequestPermissionResponse, ToolCallUpdate, methods,
    },
    wire::{Error, Result},
};

/// The user's decision on a tool. [`ToolCallHandle::ask_permission`](crate::session::ToolCallHandle::ask_permission)
/// and similar functions return it.
///
/// The decision is an approval only if the user selected an offered option that allows the tool. A rejection, a
/// cancelled dialogue, an option that was not offered and an error of the client are no approval.
///
/// ```
/// use acp_runtime::prelude::*;
///
/// async fn delete(call: &ToolCallHandle, path: &str) -> Result<bool> {
///     let permission = call.ask_permission().await?;
///     Ok(permission.is_allowed() && std::fs::remove_file(path).is_ok())
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Permission(Decision);

#[derive(Clone, Debug, PartialEq)]
enum Decision {
    Selected(PermissionOption),
    /// The user has decided for good, in an earlier question: whether the tool may run.
    Remembered(bool),
    Dismissed,
    /// The client could not ask the user, or sent an answer of another kind.
    Unasked(Error),
}

impl Permission {
    /// Whether the tool may run.
    pub fn is_allowed(&self) -> bool {
        use PermissionOptionKind::{AllowAlways, AllowOnce};
        match &self.0 {
            Decision::Selected(option) => matches!(option.kind, AllowOnce | AllowAlways),
            Decision::Remembered(is_allowed) => *is_allowed,
            Decision::Dismissed | Decision::Unasked(_) => false,
        }
    }

    /// Whether the user has decided for good, now or [earlier](Self::is_remembered): the user chose "always".
    pub fn is_lasting(&self) -> bool {
        use PermissionOptionKind::{AllowAlways, RejectAlways};
        match &self.0 {
            Decision::Selected(option) => matches!(option.kind, AllowAlways | RejectAlways),
            Decision::Remembered(_) => true,
            Decision::Dismissed | Decision::Unasked(_) => false,
        }
    }

    /// Whether the session [remembered](crate::session::PermissionBuilder::remember) the decision, and did not ask the user.
    pub fn is_remembered(&self) -> bool {
        matches!(self.0, Decision::Remembered(_))
    }

    /// The option that the user selected. `None` if the user selected none, or the decision was remembered.
    pub fn selected(&self) -> Option<&PermissionOption> {
        match &self.0 {
            Decision::Selected(option) => Some(option),
            Decision::Remembered(_) | Decision::Dismissed | Decision::Unasked(_) => None,
        }
    }

    /// The reason why the user could not be asked; `None` if the user was asked, or has decided before.
    pub fn error(&self) -> Option<&Error> {
        match &self.0 {
            Decision::Unasked(error) => Some(error),
            Decision::Selected(_) | Decision::Remembered(_) | Decision::Dismissed => None,
        }
    }

    /// The options "Allow" and "Reject", each for one time.
    pub fn once() -> Vec<PermissionOption> {
        vec![
            PermissionOption::new(PermissionOptionId::from("allow"), "Allow", PermissionOptionKind::AllowOnce),
            PermissionOption::new(PermissionOptionId::from("reject"), "Reject", PermissionOptionKind::RejectOnce),
        ]
    }

    /// The options "Allow" and "Reject", each for one time and for good.
    /// [`PermissionBuilder::remember`](crate::session::PermissionBuilder::remember) offers them, and remembers the decision.
    pub fn once_or_always() -> Vec<PermissionOption> {
        use PermissionOptionKind::{AllowAlways, AllowOnce, RejectAlways, RejectOnce};
        let option = |id, name, kind| PermissionOption::new(PermissionOptionId::from(id), name, kind);
        vec![
            option("allow", "Allow", AllowOnce),
            option("allow_always", "Always allow", AllowAlways),
            option("reject", "Reject", RejectOnce),
            option("reject_always", "Always reject", RejectAlways),
        ]
    }

    /// A decision that the user has made for good, in an earlier question.
    pub(crate) fn remembered(is_allowed: bool) -> Self {
        Self(Decision::Remembered(is_allowed))
    }

    fn decided(outcome: RequestPermissionOutcome, options: Vec<PermissionOption>) -> Decision {
        match outcome {
            RequestPermissionOutcome::Selected(selected) => {
                let offered = options.into_iter().find(|option| option.option_id == selected.option_id);
                offered.map_or_else(
                    || Decision::Unasked(Error::internal_error("the client selected an option that was not offered")),
                    Decision::Selected,
                )
            }
            _ => Decision::Dismissed,
        }
    }
}

impl Client {
    /// Asks the user whether a tool may run. In most handlers, use
    /// [`ToolCallHandle::ask_permission`](crate::session::ToolCallHandle::ask_permission) instead. For a core that asks before it
    /// begins a call, use [`ToolCallBuilder::permission`](crate::session::ToolCallBuilder::permission).
    ///
    /// # Errors
    ///
    /// The call was cancelled, the client is gone, or two options have the same id. After any other failure, the result
    /// is a [`Permission`] that does not allow the tool.
    pub async fn request_permission(
        &self,
        tool_call: ToolCallUpdate,
        options: Vec<PermissionOption>,
    ) -> Result<Permission> {
        if options.is_empty() {
            return Err(Error::internal_error("a request for permission needs options that the user can select"));
        }
        if let Some(id) = twice(&options) {
            return Err(Error::internal_error(format!("two options of one permission have the id `{id}`")));
        }
        let request = RequestPermissionRequest::new(self.session()?, tool_call, options.clone()).meta(self.meta());
        #[cfg(feature = "v2")]
        let _question = self.question()?;
        let answer = match &self.everyone {
            Some(all) => self.ask_everyone::<methods::RequestPermission, _>(all, for_each(request), decides).await,
            None => self.ask_one(&request).await,
        };
        if self.cancellation().is_cancelled() {
            return Err(Error::request_cancelled());
        }
        Ok(Permission(match answer {
            Ok(response) => Permission::decided(response.outcome, options),
            Err(error) => Decision::Unasked(error),
        }))
    }

    async fn ask_one(&self, request: &RequestPermissionRequest) -> Result<RequestPermissionResponse> {
        #[cfg(feature = "v2")]
        if let Some(params) = self.dialect().permission(request)? {
            return self.request_as::<methods::RequestPermission, _>(&params).await;
        }
        self.request::<methods::RequestPermission>(request).await
    }
}

/// The params for each client.
fn for_each(request: RequestPermissionRequest) -> ParamsFor {
    Box::new(move |line| Some(params_for(line, &request)))
}

/// Whether this answer selects something. A client that cannot ask its user answers `cancelled`, and others may still ask theirs.
fn decides(answer: &RawValue) -> bool {
    #[derive(serde::Deserialize)]
    struct Answer<'a> {
        #[serde(borrow)]
        outcome: Outcome<'a>,
    }
    #[derive(serde::Deserialize)]
    struct Outcome<'a> {
        #[serde(borrow)]
        outcome: std::borrow::Cow<'a, str>,
    }
    serde_json::from_str::<Answer<'_>>(answer.get()).is_ok_and(|answer| answer.outcome.outcome != "cancelled")
}

/// The params in the version of a client.
fn params_for(line: &Line, request: &RequestPermissionRequest) -> Result<Box<RawValue>> {
    #[cfg(feature = "v2")]
    if let Some(params) = line.dialect().permission(request)? {
        return Ok(params);
    }
    let _ = line;
    Ok(to_raw_value(request)?)
}

/// An id that more than one option has. An answer with such an id would be ambiguous.
fn twice(options: &[PermissionOption]) -> Option<&PermissionOptionId> {
    let mut options = options.iter().map(|option| &option.option_id);
    std::iter::from_fn(|| options.next().map(|id| (id, options.clone())))
        .find_map(|(id, mut rest)| rest.any(|other| other == id).then_some(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::SelectedPermissionOutcome;

    fn answered(outcome: RequestPermissionOutcome) -> Permission {
        Permission(Permission::decided(outcome, Permission::once()))
    }

    fn selected(id: &str) -> RequestPermissionOutcome {
        RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(PermissionOptionId::from(id)))
    }

    #[test]
    fn only_an_offered_allowing_option_is_an_approval() {
        assert!(answered(selected("allow")).is_allowed());
        assert!(!answered(selected("reject")).is_allowed());
        assert!(!answered(selected("made_up")).is_allowed());
        assert!(answered(selected("made_up")).error().is_some());
        assert!(!answered(RequestPermissionOutcome::Cancelled).is_allowed());
    }

    #[test]
    fn an_id_stands_for_one_option() {
        let mut options = Permission::once();
        assert_eq!(twice(&options), None);
        options[1].option_id = options[0].option_id.clone();
        assert_eq!(twice(&options), Some(&PermissionOptionId::from("allow")));
    }
}
