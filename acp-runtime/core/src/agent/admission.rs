//! Requests wait here until they can be admitted: a part has work before them, because it looks for credentials, or opens a session
//! that the request names. Those of one session keep their order, and what arrives behind them waits, too.
//!
//! An agent without such a part has no code of this.
//!
//! # What holds, with its tests
//!
//! - *Order.* What a session is sent while a request of it waits comes behind this request. A cancel reaches what is before it,
//!   at once (`wire::departures::on_demand::a_cancel_reaches_what_waits_before_it_and_nothing_else`,
//!   `wire::departures::credentials::the_requests_of_a_session_keep_their_order_while_the_question_is_open`,
//!   `wire::departures::credentials::a_cancel_does_not_wait_for_the_question`).
//! - *Nobody else waits.* (`wire::departures::on_demand::other_sessions_do_not_wait`).

use std::sync::Arc;

use serde_json::value::RawValue;

use super::held::{Asked, Behind, Waiting};
use crate::{
    agent::{
        declaration::Threading,
        model::{Connection, Handlers, Part},
        params,
        work::Try,
    },
    rpc::{CancellationToken, Responder},
    schema::Method,
    values::{PromptResponse, StopReason, methods},
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
        if method == methods::Cancel::NAME {
            self.cancel_held(session.as_deref());
            return Some(responder);
        }
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
        let waiting = |cancel| Waiting {
            sent: sent.to_owned(),
            method: method.to_owned(),
            params: params.map(ToOwned::to_owned),
            asked: Some(Asked { responder, withdrawn, cancel, entered }),
        };
        match (behind, work) {
            (Some(behind), _) => {
                let cancel = behind.cancel.clone();
                behind.waiting.push_back(waiting(cancel));
            }
            (None, Some(work)) => {
                let cancel = CancellationToken::new();
                if let Some(session) = &session {
                    held.insert(session.clone(), Behind { cancel: cancel.clone(), ..Behind::default() });
                }
                drop(held);
                A::Threading::run(&self.line.tasks, self.clone().admit_in_order(session, waiting(cancel), work));
            }
            (None, None) => {}
        }
        None
    }

    /// Keeps a notification behind the requests of its session that wait. Returns false if there are none. A cancel does not
    /// wait: it reaches the prompts that wait, and then the turn that runs.
    pub(super) fn hold_behind(&self, session: &str, method: &str, params: Option<&RawValue>) -> bool {
        if method == methods::Cancel::NAME {
            self.cancel_held(Some(session));
            return false;
        }
        let mut held = self.held.lock();
        let Some(behind) = held.get_mut(session) else { return false };
        let params = params.map(ToOwned::to_owned);
        let (sent, method) = (method.to_owned(), method.to_owned());
        behind.waiting.push_back(Waiting { sent, method, params, asked: None });
        true
    }

    /// Cancels the prompts of a session that wait.
    fn cancel_held(&self, session: Option<&str>) {
        let mut held = self.held.lock();
        if let Some(behind) = session.and_then(|session| held.get_mut(session)) {
            std::mem::take(&mut behind.cancel).cancel();
        }
    }

    /// Admits the requests of a session one after the other, each behind its work.
    async fn admit_in_order(self: Arc<Self>, session: Option<String>, first: Waiting, work: Try<'static>) {
        let mut next = Some((first, Some(work)));
        while let Some((waiting, work)) = next.take() {
            self.admit_behind(waiting, work).await;
            self.line.outbox.flush();
            let Some(session) = &session else { return };
            let mut held = self.held.lock();
            let Some(waiting) = held.get_mut(session).and_then(|behind| behind.waiting.pop_front()) else {
                // What arrives from here on finds none before it.
                held.remove(session);
                return;
            };
            drop(held);
            let work = self.host.parts.prepares(&self, &waiting.method, waiting.params.as_deref());
            next = Some((waiting, work));
        }
    }

    async fn admit_behind(self: &Arc<Self>, waiting: Waiting, mut work: Option<Try<'static>>) {
        let Waiting { sent, method, params, asked } = waiting;
        let params = params.as_deref();
        let Some(Asked { responder, withdrawn, cancel, entered }) = asked else {
            return self.notified(&sent, params);
        };
        let is_prompt = method == methods::Prompt::NAME;
        let cancel = if is_prompt { cancel } else { CancellationToken::new() };
        let done = match &mut work {
            Some(work) => cancel.run_until_cancelled(withdrawn.run_until_cancelled(work)).await.flatten(),
            None => Some(Ok(())),
        };
        // The call enters by itself.
        drop(entered);
        let is_over = done.is_some();
        match done {
            _ if withdrawn.is_cancelled() && !cancel.is_cancelled() => {
                responder.respond::<()>(Err(Error::request_cancelled()));
            }
            Some(Err(error)) => responder.respond::<()>(Err(error)),
            _ if is_prompt => self.admit_prompt(responder, [&sent, &method], params, &cancel),
            _ => self.asked(responder, [&sent, &method], params),
        }
        self.line.outbox.flush();
        // What waits behind it may need the work, too.
        if let (Some(work), false) = (work, is_over) {
            let _ = work.await;
        }
    }

    /// Admits a prompt, unless it is cancelled. A cancel comes before, or it finds the turn of the prompt.
    fn admit_prompt(
        self: &Arc<Self>,
        responder: Responder,
        names: [&str; 2],
        params: Option<&RawValue>,
        cancel: &CancellationToken,
    ) {
        let _no_cancel = self.held.lock();
        if cancel.is_cancelled() {
            return responder.respond(Ok(PromptResponse::new(StopReason::Cancelled)));
        }
        self.asked(responder, names, params);
    }
}
