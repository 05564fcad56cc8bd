//! Cancelling what a session is busy with: a turn by `session/cancel`, a load by the withdrawal of its request.

use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use acp_peer::CancellationToken;

use crate::{
    dialect::line::Line,
    schema::Method,
    values::{CancelNotification, CancelRequestNotification, RequestId, SessionId, methods},
};

/// A turn or load that can be cancelled. Clones cancel the same one.
#[derive(Clone)]
pub(crate) struct Cancel {
    /// Set before the agent is told.
    begun: CancellationToken,
    /// Set when the agent was told.
    token: CancellationToken,
    by: By,
}

#[derive(Clone)]
enum By {
    /// `session/cancel` ends a turn, and nothing else.
    Session,
    /// `$/cancel_request`, which the agent may ignore.
    Request(Arc<Mutex<Request>>),
}

/// The request of a load.
enum Request {
    Unsent,
    Sent(u64),
    Cancelled,
}

impl Cancel {
    pub(crate) fn of(method: &str) -> Self {
        let request = || Arc::new(Mutex::new(Request::Unsent));
        let by = if method == methods::Prompt::NAME { By::Session } else { By::Request(request()) };
        Self { begun: CancellationToken::new(), token: CancellationToken::new(), by }
    }

    pub(crate) fn token(&self) -> &CancellationToken {
        &self.token
    }

    /// Whether the cancel has begun. Nothing that the agent asks for the turn from then on is granted.
    pub(crate) fn has_begun(&self) -> bool {
        self.begun.is_cancelled()
    }

    /// The request has left under this id.
    pub(crate) fn sent(&self, line: &Line, id: u64) {
        let By::Request(request) = &self.by else { return };
        let mut request = request.lock().unwrap_or_else(PoisonError::into_inner);
        match *request {
            Request::Unsent => *request = Request::Sent(id),
            Request::Sent(_) => {}
            Request::Cancelled => withdraw(line, id),
        }
    }

    /// Cancels. A second time, nothing more is sent of a load.
    pub(crate) fn cancel(&self, line: &Line, session: &SessionId) {
        // The agent hears of the cancel first. After that, its open requests are answered `cancelled`. In the other order,
        // the agent would take that answer for a refusal. A request that comes between the two waits for the token.
        self.begun.cancel();
        match &self.by {
            By::Session => {
                let cancel = CancelNotification::new(session.clone());
                line.notify(methods::Cancel::NAME, &cancel);
            }
            By::Request(request) => {
                let mut request = request.lock().unwrap_or_else(PoisonError::into_inner);
                if let Request::Sent(id) = mem::replace(&mut *request, Request::Cancelled) {
                    withdraw(line, id);
                }
            }
        }
        self.token.cancel();
    }
}

/// Withdraws a request whose answer is still waited for: a withdrawn one has an answer, too.
fn withdraw(line: &Line, id: u64) {
    let id = RequestId::Number(i64::try_from(id).unwrap_or(i64::MAX));
    line.notify(methods::CancelRequest::NAME, &CancelRequestNotification::new(id));
}
