//! A client that answers the agents' permission requests like a person, who allows, rejects or does not answer.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use acp_client::{
    acp_client,
    handlers::Error,
    values::{PermissionOptionId, PermissionOptionKind, RequestPermissionRequest},
};
use tokio::sync::watch;

/// The person's next answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Decision {
    Allow,
    Reject,
    /// Never answers.
    Ponder,
}

/// A person at a client. All clones are the same person.
#[derive(Clone)]
pub(crate) struct Person(Arc<Inner>);

struct Inner {
    decision: Mutex<Decision>,
    asked: watch::Sender<Vec<RequestPermissionRequest>>,
    spared: AtomicUsize,
}

impl Person {
    pub(crate) fn new() -> Self {
        let (decision, asked) = (Mutex::new(Decision::Reject), watch::Sender::new(Vec::new()));
        Self(Arc::new(Inner { decision, asked, spared: AtomicUsize::new(0) }))
    }

    fn decision(&self) -> MutexGuard<'_, Decision> {
        self.0.decision.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn decides(&self, decision: Decision) {
        *self.decision() = decision;
    }

    /// All permission requests until now, in order.
    pub(crate) fn asked(&self) -> Vec<RequestPermissionRequest> {
        self.0.asked.borrow().clone()
    }

    /// Waits until the agent has asked this number of times.
    pub(crate) async fn was_asked(&self, times: usize) {
        self.0.asked.subscribe().wait_for(|asked| asked.len() >= times).await.expect("the person is still there");
    }

    /// The number of requests that ended before the person answered.
    pub(crate) fn spared(&self) -> usize {
        self.0.spared.load(Ordering::SeqCst)
    }
}

#[acp_client]
impl Person {
    async fn request_permission(&self, request: RequestPermissionRequest) -> Result<PermissionOptionId, Error> {
        let decision = *self.decision();
        self.0.asked.send_modify(|asked| asked.push(request.clone()));
        let kind = match decision {
            Decision::Allow => PermissionOptionKind::AllowOnce,
            Decision::Reject => PermissionOptionKind::RejectOnce,
            Decision::Ponder => {
                let _spared = CountOnDrop(&self.0.spared);
                std::future::pending().await
            }
        };
        let option = request.options.into_iter().find(|option| option.kind == kind);
        option.map(|option| option.option_id).ok_or_else(|| Error::invalid_params("there is no such option"))
    }
}

struct CountOnDrop<'a>(&'a AtomicUsize);

impl Drop for CountOnDrop<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}
