//! Policies for the permission that agents ask for.

use std::{
    collections::HashMap,
    fmt,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use acp_runtime_core::Error;

use crate::values::{
    PermissionOption, PermissionOptionId, PermissionOptionKind, RequestPermissionOutcome, RequestPermissionRequest,
    RequestPermissionResponse, SelectedPermissionOutcome, SessionId, ToolCallUpdate, ToolKind,
};

/// So many answers are remembered; more are asked for again.
const REMEMBERED: usize = 4096;

/// What is decided of one request for permission.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// This time.
    AllowOnce,
    /// From now on.
    AllowAlways,
    /// Not this time.
    RejectOnce,
    /// Never.
    RejectAlways,
    /// The option with this id, as the user picked it.
    Pick(PermissionOptionId),
    /// The user left the question alone.
    Dismiss,
}

type Asking = Pin<Box<dyn Future<Output = Decision> + Send>>;
type Ask = Arc<dyn Fn(RequestPermissionRequest) -> Asking + Send + Sync>;

/// Answers `session/request_permission` by a policy. Clones are the same part.
///
/// Only an option that the agent offered is ever selected, and never one that allows more than was decided: where an agent
/// offers nothing but "always", a decision to allow once rejects. Where nothing fits, the answer is a rejection; where none is
/// offered, or two options share an id, it is `cancelled`.
///
/// What is allowed or rejected for good is remembered for the session: the same option, offered again for a tool of the same
/// kind, is selected without asking. A command, and whatever else is not known to read, search, think or edit, must have the
/// same title for that.
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

/// What makes two requests the same question: the option that was selected, and what it is about.
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
    /// Asks a function, which may wait for people. The agent may cancel meanwhile: then what it returned is dropped.
    pub fn ask<F>(ask: impl Fn(RequestPermissionRequest) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Decision> + Send + 'static,
    {
        Self::by(Policy::Ask(Arc::new(move |request| Box::pin(ask(request)))))
    }

    /// Allows tools that read, search or think, by the agent's word for it, and rejects all others.
    pub fn reads_only() -> Self {
        Self::reject().allowing_reads()
    }

    /// Allows everything, once each time: for agents in a sandbox.
    pub fn allow() -> Self {
        Self::by(Policy::Always(Decision::AllowOnce))
    }

    /// Rejects everything.
    pub fn reject() -> Self {
        Self::by(Policy::Always(Decision::RejectOnce))
    }

    fn by(policy: Policy) -> Self {
        Self { policy, allows_reads: false, remembered: Arc::default() }
    }

    /// Allows tools that read, search or think, by the agent's word for it, before anything is asked.
    #[must_use]
    pub fn allowing_reads(mut self) -> Self {
        self.allows_reads = true;
        self
    }

    /// Answers `session/request_permission`.
    ///
    /// # Errors
    ///
    /// None; a handler returns a result.
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

    /// Forgets what was decided for good in a session, which has ended.
    pub fn forget(&self, session: &SessionId) {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }

    /// The option that was selected for good when the same was asked.
    fn recall<'o>(&self, session: &SessionId, call: &ToolCallUpdate, offer: &'o Offer) -> Option<&'o PermissionOption> {
        let remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let answers = remembered.get(session)?;
        // Where the options of both an allowance and a rejection are remembered, the rejection counts.
        let known = |allows| {
            let mut unique = offer.0.iter().filter(|option| offer.is_unique(option));
            unique.find(move |option| answers.get(&Question::of(call, option)) == Some(&allows))
        };
        known(false).or_else(|| known(true))
    }

    fn remember(&self, session: &SessionId, call: &ToolCallUpdate, decision: &Decision, option: &PermissionOption) {
        use PermissionOptionKind::{AllowAlways, RejectAlways};
        // Allowed for good where the agent offers only this once: the next time, the same is selected again.
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

/// What the agent offers.
struct Offer(Vec<PermissionOption>);

impl Offer {
    /// Of two options with one id, nobody can say which is selected.
    fn is_unique(&self, option: &PermissionOption) -> bool {
        self.0.iter().filter(|other| other.option_id == option.option_id).count() == 1
    }

    /// The option for a decision, or a rejection.
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
