//! Requests wait here until they can be admitted: a part has work before them, because it looks for credentials, or opens a session
//! that the request names. Those of one session keep their order, and what arrives behind them waits, too.
//!
//! An agent without such a part has no code of this.
//!
//! # What holds, with its tests
//!
//! - *Order.* What a session is sent while a request of it waits comes behind this request, a cancel too
//!   (`wire::departures::on_demand::a_cancel_reaches_what_waits_before_it_and_nothing_else`,
//!   `wire::departures::credentials::the_requests_of_a_session_keep_their_order_while_the_question_is_open`).
//! - *Nobody else waits.* (`wire::departures::on_demand::other_sessions_do_not_wait`).

use std::{collections::VecDeque, sync::Arc};

use serde_json::value::RawValue;

use super::held::{Asked, Waiting};
use crate::{
    agent::{
        declaration::Threading,
        model::{Connection, Handlers, Part},
        params,
        work::Try,
    },
    rpc::{CancellationToken, Responder},
    wire::Error,
};

impl<A: Handlers> Connection<A> {
    /// Keeps a request until it can be admitted. Returns its responder if it can be admitted now.
    pub(super) fn hold(
        self: &Arc<Self>,
        responder: Responder,
        [sent, method]: [&str; 2],
        params: Option<&RawValue>,
    ) -> Option<Responder> {
        let session = params.and_then(params::session_id).map(|id| id.to_string());
        let mut held = self.held.lock();
        let behind = session.as_ref().and_then(|session| held.get_mut(session));
        let work = if behind.is_none() { self.host.parts.prepares(self, method, params) } else { None };
        if behind.is_none() && work.is_none() {
            return Some(responder);
        }
        // A request without an id is answered already.
        let Some(id) = responder.id() else { return Some(responder) };
        let withdrawn = CancellationToken::new();
        let entered = self.line.enter(id, &withdrawn);
        let waiting = Waiting {
            sent: sent.to_owned(),
            method: method.to_owned(),
            params: params.map(ToOwned::to_owned),
            asked: Some(Asked { responder, withdrawn, entered }),
        };
        match (behind, work) {
            (Some(behind), _) => behind.push_back(waiting),
            (None, Some(work)) => {
                if let Some(session) = &session {
                    held.insert(session.clone(), VecDeque::new());
                }
                drop(held);
                A::Threading::run(&self.line.tasks, self.clone().admit_in_order(session, waiting, work));
            }
            (None, None) => {}
        }
        None
    }

    /// Keeps a notification behind the requests of its session that wait. Returns false if there are none.
    pub(super) fn hold_behind(&self, session: &str, sent: &str, params: Option<&RawValue>) -> bool {
        let mut held = self.held.lock();
        let Some(behind) = held.get_mut(session) else { return false };
        let params = params.map(ToOwned::to_owned);
        behind.push_back(Waiting { sent: sent.to_owned(), method: sent.to_owned(), params, asked: None });
        true
    }

    /// Admits the requests of a session one after the other, each behind its work.
    async fn admit_in_order(self: Arc<Self>, session: Option<String>, first: Waiting, work: Try<'static>) {
        let mut next = Some((first, Some(work)));
        while let Some((waiting, work)) = next.take() {
            self.admit_behind(waiting, work).await;
            self.line.outbox.flush();
            let Some(session) = &session else { return };
            let mut held = self.held.lock();
            let Some(waiting) = held.get_mut(session).and_then(VecDeque::pop_front) else {
                // What arrives from here on finds none before it.
                held.remove(session);
                return;
            };
            drop(held);
            let work = self.host.parts.prepares(&self, &waiting.method, waiting.params.as_deref());
            next = Some((waiting, work));
        }
    }

    async fn admit_behind(self: &Arc<Self>, waiting: Waiting, work: Option<Try<'static>>) {
        let Waiting { sent, method, params, asked } = waiting;
        let params = params.as_deref();
        let Some(Asked { responder, withdrawn, entered }) = asked else {
            return self.notified(&sent, params);
        };
        let mut work = work;
        let done = match &mut work {
            Some(work) => withdrawn.run_until_cancelled(work).await,
            None => (!withdrawn.is_cancelled()).then_some(Ok(())),
        };
        // The call enters by itself.
        drop(entered);
        match done {
            Some(Ok(())) => self.asked(responder, [&sent, &method], params),
            Some(Err(error)) => responder.respond::<()>(Err(error)),
            None => {
                responder.respond::<()>(Err(Error::request_cancelled()));
                self.line.outbox.flush();
                // What waits behind it may need the work, too.
                if let Some(work) = work {
                    let _ = work.await;
                }
            }
        }
    }
}
