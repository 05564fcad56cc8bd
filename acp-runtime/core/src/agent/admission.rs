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

use std::{collections::VecDeque, sync::Arc};

use serde_json::value::RawValue;

use super::held::{self, Asked, Behind, Waiting};
use crate::{
    agent::{
        call::route::comes_as_prompt,
        declaration::Threading,
        model::{Connection, Handlers, Part},
        params,
        work::Try,
    },
    rpc::{CancellationToken, Responder},
    schema::Method,
    values::methods,
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
        let (cancel, withdrawn) = (CancellationToken::new(), CancellationToken::new());
        let mut held = self.held.lock();
        let behind = session.as_ref().and_then(|session| held.get_mut(session));
        let given_up = CancellationToken::new();
        let work = match behind {
            None => self.host.parts.prepares(self, method, params, &given_up),
            Some(_) => None,
        };
        if behind.is_none() && work.is_none() {
            return Some(responder);
        }
        // A request without an id is answered already.
        let Some(id) = responder.id() else { return Some(responder) };
        let (entered, over) = (self.line.enter(id, &withdrawn), CancellationToken::new());
        let waiting = Waiting {
            sent: sent.to_owned(),
            method: method.to_owned(),
            params: params.map(ToOwned::to_owned),
            asked: Some(Asked { responder, withdrawn: withdrawn.clone(), entered, over: over.clone().drop_guard() }),
        };
        match (behind, session, work) {
            (Some(behind), Some(session), _) => {
                behind.waiting.push_back(waiting);
                drop(held);
                A::Threading::run(&self.line.tasks, self.clone().withdraw_held(session, withdrawn, over));
            }
            (_, session, Some(work)) => {
                if let Some(session) = &session {
                    let cancel = cancel.clone();
                    held.insert(session.clone(), Behind { waiting: VecDeque::new(), cancel, withdrawn });
                }
                drop(held);
                let first = (waiting, Some((work, given_up)), cancel);
                A::Threading::run(&self.line.tasks, self.clone().admit_in_order(session, first));
            }
            _ => {}
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
        let Some(behind) = session.and_then(|session| held.get_mut(session)) else { return };
        behind.cancel.cancel();
        let prompts = behind.take(|waiting, _| is_prompt::<A>(&waiting.method));
        drop(held);
        for Waiting { method, asked, .. } in prompts {
            asked.into_iter().for_each(|asked| held::cancelled(self.line.dialect(), &method, asked.responder));
        }
    }

    /// Refuses all that waits: nothing is read any more.
    pub(super) fn refuse_held(&self) {
        let mut taken = Vec::new();
        for behind in self.held.lock().values_mut() {
            behind.cancel.cancel();
            behind.withdrawn.cancel();
            taken.extend(behind.take(|_, _| true));
        }
        for waiting in taken {
            let Some(asked) = waiting.asked else { continue };
            match is_prompt::<A>(&waiting.method) {
                true => held::cancelled(self.line.dialect(), &waiting.method, asked.responder),
                false => held::withdrawn(asked.responder),
            }
        }
    }

    /// Answers a request behind the first one, if it is withdrawn.
    async fn withdraw_held(self: Arc<Self>, session: String, withdrawn: CancellationToken, over: CancellationToken) {
        if over.run_until_cancelled(withdrawn.cancelled()).await.is_none() {
            return;
        }
        let taken = match self.held.lock().get_mut(&session) {
            Some(behind) => behind.take(|_, asked| asked.withdrawn.is_cancelled()),
            None => Vec::new(),
        };
        taken.into_iter().filter_map(|waiting| waiting.asked).for_each(|asked| held::withdrawn(asked.responder));
    }

    /// Admits the requests of a session one after the other, each behind its work.
    async fn admit_in_order(self: Arc<Self>, session: Option<String>, first: First) {
        // If the work panics, what waits is answered with an error.
        let mut end = End { connection: self.clone(), session: session.clone() };
        let mut next = Some(first);
        while let Some(first) = next.take() {
            self.admit_behind(first).await;
            self.line.outbox.flush();
            let Some(session) = &session else { return };
            let mut held = self.held.lock();
            let Some(behind) = held.get_mut(session) else { return };
            let Some(waiting) = behind.waiting.pop_front() else {
                // What arrives from here on finds none before it.
                held.remove(session);
                end.session = None;
                return;
            };
            behind.cancel = CancellationToken::new();
            if let Some(asked) = &waiting.asked {
                behind.withdrawn = asked.withdrawn.clone();
            }
            let cancel = behind.cancel.clone();
            drop(held);
            let given_up = CancellationToken::new();
            let work = self.host.parts.prepares(&self, &waiting.method, waiting.params.as_deref(), &given_up);
            next = Some((waiting, work.map(|work| (work, given_up)), cancel));
        }
    }

    async fn admit_behind(self: &Arc<Self>, (waiting, work, cancel): First) {
        let Waiting { sent, method, params, asked } = waiting;
        let params = params.as_deref();
        let Some(Asked { responder, withdrawn, entered, over: _over }) = asked else {
            return self.notified(&sent, params);
        };
        let is_prompt = is_prompt::<A>(&method);
        let cancel = if is_prompt { cancel } else { CancellationToken::new() };
        if let Some((mut work, given_up)) = work {
            match cancel.run_until_cancelled(withdrawn.run_until_cancelled(&mut work)).await.flatten() {
                Some(Ok(())) => {}
                Some(Err(error)) => return responder.respond::<()>(Err(error)),
                None => {
                    let is_cancelled = cancel.is_cancelled();
                    if is_cancelled {
                        held::cancelled(self.line.dialect(), &method, responder)
                    } else {
                        held::withdrawn(responder)
                    }
                    self.line.outbox.flush();
                    given_up.cancel();
                    let _ = work.await;
                    return;
                }
            }
        }
        if withdrawn.is_cancelled() {
            return held::withdrawn(responder);
        }
        if is_prompt {
            self.admit_prompt(responder, [&sent, &method], params, &cancel);
        } else {
            self.asked(responder, [&sent, &method], params);
        }
        // Until here: the call has entered by itself.
        drop(entered);
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
            held::cancelled(self.line.dialect(), names[1], responder);
        } else {
            self.asked(responder, names, params);
        }
    }
}

/// Whether a cancel of the session reaches a request of this method.
fn is_prompt<A: Handlers>(method: &str) -> bool {
    method == methods::Prompt::NAME || comes_as_prompt::<A>(method)
}

/// The first request that waits, with its work and what gives it up, and the cancel of its session.
type First = (Waiting, Option<(Try<'static>, CancellationToken)>, CancellationToken);

/// The end of an order of requests, before its time if the work has panicked.
struct End<A: Handlers> {
    connection: Arc<Connection<A>>,
    session: Option<String>,
}

impl<A: Handlers> Drop for End<A> {
    fn drop(&mut self) {
        let Some(session) = self.session.take() else { return };
        // The drop of a responder answers.
        let left = self.connection.held.lock().remove(&session);
        drop(left);
    }
}
