//! Policies for the permission that agents ask for.

use std::{
    collections::HashMap,
    fmt,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use acp_peer::Error;

use crate::values::{
    PermissionOption, PermissionOptionId, PermissionOptionKind, RequestPermissionOutcome, RequestPermissionRequest,
    RequestPermissionResponse, SelectedPermissionOutcome, SessionId, ToolCallUpdate, ToolKind,
};

/// The limit of remembered answers in a session. Above the limit, the user is asked again.
const REMEMBERED: usize = 4096;

/// The decision on one request for permission.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// Allows this call.
    AllowOnce,
    /// Allows this and later calls.
    AllowAlways,
    /// Rejects this call.
    RejectOnce,
    /// Rejects this and later calls.
    RejectAlways,
    /// The option with this id, which the user selected.
    Pick(PermissionOptionId),
    /// The user did not answer.
    Dismiss,
}

type Asking = Pin<Box<dyn Future<Output = Decision> + Send>>;
type Ask = Arc<dyn Fn(RequestPermissionRequest) -> Asking + Send + Sync>;

/// Answers `session/request_permission` by a policy. Clones are the same part.
///
/// The policy decides only about requests that the agent makes. The protocol lets an agent write files and run commands
/// without a request for permission, and the agent itself states the kind and the title of a tool. So a policy is no
/// protection against an agent that you do not trust.
///
/// The part selects only options that the agent offered, and never an option that allows more than the decision. For
/// example, if an agent offers only "always", a decision to allow once becomes a rejection. If no option fits, the part
/// selects a rejection. If the agent offers no rejection, or two options share an id, the answer is `cancelled`.
///
/// A lasting decision is remembered for the session. If the agent offers the same option again for a tool of the same
/// kind, the part selects it without a question. This applies to the kinds read, search, think and edit. For a command
/// and any other kind, the title must be the same, too.
///
/// ```
/// use acp_client::parts::{Decision, Permissions};
///
/// // Reading is allowed; the user is asked about the rest.
/// let permissions = Permissions::ask(|request| async move {
///     match request.tool_call.title.as_deref() {
///         Some("cargo test") => Decision::AllowOnce,
///         _ => Decision::RejectOnce,
///     }
/// })
/// .allowing_reads();
/// # let _ = permissions;
/// ```
///
/// See [Requesting permission](https://agentclientprotocol.com/protocol/v1/tool-calls#requesting-permission).
#[derive(Clone)]
pub struct Permissions {
    policy: Policy,
    allows_reads: bool,
    remembered: Arc<Mutex<HashMap<SessionId, HashMap<Question, bool>>>>,
}

#[derive(Clone)]
enum Policy {
    Ask(Ask),
    Always(Decision),
}

/// The identity of a question: the offered option, and the subject of the request.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    option: PermissionOptionId,
    name: String,
    about: About,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum About {
    Kind(&'static str),
    Title(&'static str, String),
}

impl Permissions {
    /// Asks a function, which may wait for people. If the agent cancels meanwhile, the function's future is dropped.
    ///
    /// The function is called when the loop that reads the turn has taken the updates before the request. A loop that takes none for a
    /// second, or waits for another answer, is not waited for: see
    /// [the order of questions and updates](crate::Turn#questions-to-the-user).
    pub fn ask<F>(ask: impl Fn(RequestPermissionRequest) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Decision> + Send + 'static,
    {
        Self::by(Policy::Ask(Arc::new(move |request| Box::pin(ask(request)))))
    }

    /// Allows tools that read, search or think, by the kind that the agent declares. Rejects all others.
    ///
    /// The answers alone bind only agents that ask. A [`Workspace`](super::Workspace) with this policy offers neither
    /// writes nor terminals, so the agent cannot change anything through the client.
    pub fn reads_only() -> Self {
        Self::reject().allowing_reads()
    }

    /// Allows every request, each time once: for agents in a sandbox.
    pub fn allow() -> Self {
        Self::by(Policy::Always(Decision::AllowOnce))
    }

    /// Rejects every request. A [`Workspace`](super::Workspace) with this policy offers neither writes nor terminals.
    pub fn reject() -> Self {
        Self::by(Policy::Always(Decision::RejectOnce))
    }

    /// Whether some request for an edit or a command could be allowed.
    #[cfg(feature = "files")]
    pub(super) fn may_allow_changes(&self) -> bool {
        !matches!(self.policy, Policy::Always(Decision::RejectOnce))
    }

    fn by(policy: Policy) -> Self {
        Self { policy, allows_reads: false, remembered: Arc::default() }
    }

    /// Allows tools that read, search or think, by the kind that the agent declares. The policy decides about all other
    /// tools.
    #[must_use]
    pub fn allowing_reads(mut self) -> Self {
        self.allows_reads = true;
        self
    }

    /// Answers `session/request_permission`.
    ///
    /// # Errors
    ///
    /// There are no errors. The function returns a `Result` because handlers do.
    pub async fn request_permission(
        &self,
        request: RequestPermissionRequest,
    ) -> Result<RequestPermissionResponse, Error> {
        let offer = Offer(request.options.clone());
        let (session, call) = (request.session_id.clone(), request.tool_call.clone());
        if let Some(option) = self.recall(&session, &call, &offer) {
            return Ok(selected(option));
        }
        let reads = matches!(call.kind, Some(ToolKind::Read | ToolKind::Search | ToolKind::Think));
        let decision = match &self.policy {
            _ if reads && self.allows_reads => Decision::AllowOnce,
            Policy::Always(decision) => decision.clone(),
            Policy::Ask(ask) => ask(request).await,
        };
        if decision == Decision::Dismiss {
            return Ok(RequestPermissionResponse::new(RequestPermissionOutcome::Cancelled));
        }
        let Some(option) = offer.fitting(&decision) else {
            return Ok(RequestPermissionResponse::new(RequestPermissionOutcome::Cancelled));
        };
        self.remember(&session, &call, &decision, option);
        Ok(selected(option))
    }

    /// Forgets the lasting decisions of a session that has ended.
    pub fn forget(&self, session: &SessionId) {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }

    /// The option that an earlier lasting decision on the same question selected.
    fn recall<'o>(&self, session: &SessionId, call: &ToolCallUpdate, offer: &'o Offer) -> Option<&'o PermissionOption> {
        let remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let answers = remembered.get(session)?;
        // If both an allowance and a rejection are remembered, the rejection counts.
        let known = |allows| {
            let mut unique = offer.0.iter().filter(|option| offer.is_unique(option));
            unique.find(move |option| answers.get(&Question::of(call, option)) == Some(&allows))
        };
        known(false).or_else(|| known(true))
    }

    fn remember(&self, session: &SessionId, call: &ToolCallUpdate, decision: &Decision, option: &PermissionOption) {
        use PermissionOptionKind::{AllowAlways, RejectAlways};
        // The user may decide for good although the agent offers the option only once. Then the same option is selected
        // the next time.
        let for_good = match decision {
            Decision::AllowAlways => allows(option),
            Decision::RejectAlways => !allows(option),
            Decision::Pick(id) => option.option_id == *id && matches!(option.kind, AllowAlways | RejectAlways),
            _ => false,
        };
        if for_good {
            let mut remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
            let answers = remembered.entry(session.clone()).or_default();
            if answers.len() < REMEMBERED {
                answers.insert(Question::of(call, option), allows(option));
            }
        }
    }
}

impl fmt::Debug for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policy: &dyn fmt::Debug = match &self.policy {
            Policy::Ask(_) => &"ask",
            Policy::Always(decision) => decision,
        };
        f.debug_struct("Permissions")
            .field("policy", policy)
            .field("allows_reads", &self.allows_reads)
            .finish_non_exhaustive()
    }
}

fn allows(option: &PermissionOption) -> bool {
    matches!(option.kind, PermissionOptionKind::AllowOnce | PermissionOptionKind::AllowAlways)
}

fn selected(option: &PermissionOption) -> RequestPermissionResponse {
    let outcome = SelectedPermissionOutcome::new(option.option_id.clone());
    RequestPermissionResponse::new(RequestPermissionOutcome::Selected(outcome))
}

impl Question {
    fn of(call: &ToolCallUpdate, option: &PermissionOption) -> Self {
        let title = |kind| About::Title(kind, call.title.clone().unwrap_or_default());
        let about = match call.kind {
            Some(ToolKind::Read) => About::Kind("read"),
            Some(ToolKind::Search) => About::Kind("search"),
            Some(ToolKind::Think) => About::Kind("think"),
            Some(ToolKind::Edit) => About::Kind("edit"),
            Some(ToolKind::Execute) => title("execute"),
            Some(ToolKind::Delete) => title("delete"),
            Some(ToolKind::Move) => title("move"),
            Some(ToolKind::Fetch) => title("fetch"),
            Some(ToolKind::SwitchMode) => title("switch_mode"),
            _ => title("other"),
        };
        Self { option: option.option_id.clone(), name: option.name.clone(), about }
    }
}

/// The options that the agent offers.
struct Offer(Vec<PermissionOption>);

impl Offer {
    /// Whether no other option has this id. With a second one, a selection would be ambiguous.
    fn is_unique(&self, option: &PermissionOption) -> bool {
        self.0.iter().filter(|other| other.option_id == option.option_id).count() == 1
    }

    /// The option for a decision. If none fits, a rejection; `None` if there is no rejection either.
    fn fitting(&self, decision: &Decision) -> Option<&PermissionOption> {
        use PermissionOptionKind::{AllowAlways, AllowOnce, RejectAlways, RejectOnce};
        let kinds: &[_] = match decision {
            Decision::AllowOnce => &[AllowOnce],
            Decision::AllowAlways => &[AllowAlways, AllowOnce],
            Decision::RejectAlways => &[RejectAlways],
            _ => &[],
        };
        let unique = self.0.iter().filter(|option| self.is_unique(option));
        if let Decision::Pick(id) = decision
            && let Some(option) = unique.clone().find(|option| option.option_id == *id)
        {
            return Some(option);
        }
        kinds
            .iter()
            .chain(&[RejectOnce, RejectAlways])
            .find_map(|kind| unique.clone().find(|option| option.kind == *kind))
    }
}

#[cfg(test)]
#[path = "permissions_tests.rs"]
mod tests;
