//! Work in the foreground: `state_update` brackets it, and a cancellation ends it.

use super::{
    super::{
        activity::{Foreground, Stopping},
        connection::Judge,
        rules,
        state::{ARRIVES, Asked, Cancel, Outcome, State, session_of, text},
    },
    SAID_BY_AGENT, is_question,
};
use crate::{tape::Party, value::Value};

impl Judge {
    pub(super) fn state_update(&mut self, id: &str, update: &Value<'_>) {
        self.background(id, &update["background"]);
        if self.session(id).activity.foreground == Foreground::Blocked {
            self.weigh(&rules::ACTION, Party::Agent);
        }
        let activity = &mut self.session(id).activity;
        activity.unblocked = None;
        match text(update, "state") {
            "idle" => return self.idle(id, update["stopReason"].as_str()),
            "requires_action" => activity.foreground = Foreground::Blocked,
            // A client takes a state that it does not know as busy.
            _ => activity.foreground = Foreground::Running,
        }
        activity.due = None;
        // The work that was cancelled has ended, and this is other work.
        if activity.useless_since.is_some() {
            self.left_open(id);
        }
    }

    /// Called when no work is in the foreground any more, or the agent repeats that there is none.
    fn idle(&mut self, id: &str, stop: Option<&str>) {
        let agent = Party::Agent;
        let now = self.now;
        // A client that hangs up cancels what it has begun.
        let hung_up = self.client_ended.is_some();
        let is_closing = self.is_closing(id);
        // What comes for a session that is closed comes too late, and may be the end of what it did before.
        let is_closed = self.session(id).state == State::Closed;
        let activity = &mut self.session(id).activity;
        // The session may have worked where this tape does not reach.
        let is_snapshot = activity.resume.is_some();
        let was = std::mem::take(&mut activity.foreground);
        let is_cancelled = stop == Some("cancelled");
        let last = activity.stop.clone();
        if stop.is_some() {
            activity.stop = stop.map(ToOwned::to_owned);
        }
        if was == Foreground::Idle {
            let is_due = activity.due.is_some();
            let is_repeated = stop.is_none() || is_snapshot || stop == last.as_deref() && !is_due;
            let may_be = is_cancelled && activity.may_cancel;
            if stop.is_some() {
                activity.due = None;
            }
            return self.check(is_repeated || may_be || is_closed, &rules::WORK, agent, || {
                format!("reports the end of work as {}, and did not report that it began", stop.unwrap_or_default())
            });
        }
        self.weigh(&rules::WORK, agent);
        self.session(id).history.ended(stop);
        let activity = &mut self.session(id).activity;
        activity.idle_since = now;
        // The work that the first of two cancellations ends may have ended before the second one arrived.
        let may_cancel = std::mem::replace(&mut activity.may_cancel, std::mem::take(&mut activity.is_stopped_again));
        if !activity.useless.is_empty() {
            activity.useless_since = Some(now);
        }
        match activity.stopping.take() {
            Some(stopping) if stop.is_none() && !is_snapshot || stop.is_some() && !is_cancelled => {
                let has_arrived = stopping.is_proven || now.saturating_sub(stopping.at) >= ARRIVES;
                let told = stop.map_or_else(|| "without a stop reason".to_owned(), |stop| format!("with `{stop}`"));
                let (rule, text) = match stopping.by_close {
                    false => (&rules::CANCELLED, format!("cancelled work ends {told}")),
                    true => (&rules::CLOSE, format!("the work of a closed session ends {told}")),
                };
                if has_arrived {
                    self.find(rule, agent, text);
                } else {
                    self.doubt(rule, agent, text);
                    // The cancellation may arrive when other work has begun.
                    self.session(id).activity.may_cancel = true;
                }
            }
            Some(stopping) if is_cancelled => {
                self.weigh(if stopping.by_close { &rules::CLOSE } else { &rules::CANCELLED }, agent);
            }
            Some(_) => {}
            None => {
                let may_be = may_cancel || is_snapshot || hung_up || is_closing;
                self.check(!is_cancelled || may_be, &rules::NOT_CANCELLED, agent, || {
                    "work ends with `cancelled`, and nobody cancelled it".to_owned()
                });
                self.check(stop.is_some() || is_snapshot, &rules::STOP_REASON, agent, || {
                    "work ends without a stop reason".to_owned()
                });
            }
        }
        self.unsaid(id);
    }

    /// Called for what an agent says or does: a message, a plan, a new tool call, or one that goes on.
    pub(super) fn in_work(&mut self, id: &str, kind: &str, is_replay: bool) {
        let agent = Party::Agent;
        let is_asking = self.has_open_question(id);
        let session = self.session(id);
        // Background work says something at any time.
        if is_replay || session.state != State::Open || session.activity.has_background() {
            return;
        }
        match session.activity.foreground {
            Foreground::Running => self.weigh(&rules::IN_WORK, agent),
            Foreground::Blocked => {
                let goes_on = SAID_BY_AGENT.contains(&kind) || kind == "tool_call_update";
                self.check(!goes_on || is_asking, &rules::ACTION, agent, || {
                    format!("sends `{kind}` in `requires_action`, and asks the user nothing")
                });
            }
            Foreground::Idle if session.activity.due.is_some() => {
                self.find(&rules::WORK, agent, format!("sends `{kind}` for a prompt, and is not `running`"));
            }
            Foreground::Idle => self.find(&rules::IN_WORK, agent, format!("sends `{kind}` while it is idle")),
        }
    }

    /// Whether a request of the agent to the user is open.
    fn has_open_question(&self, session: &str) -> bool {
        self.open.iter().any(|((from, _), asked)| {
            *from == Party::Agent && is_question(&asked.method) && session_of(&asked.params) == Some(session)
        })
    }

    /// Whether a close of the session is open. Until its answer, it cancels all work, also what has begun since it came.
    fn is_closing(&self, session: &str) -> bool {
        self.open.iter().any(|((from, _), asked)| {
            *from == Party::Client && asked.method == "session/close" && session_of(&asked.params) == Some(session)
        })
    }

    /// Called when a client cancels, closes or deletes a session, or may end its work otherwise.
    pub(in super::super) fn stops(&mut self, id: &str, by: Cancel) {
        let useless = self.open.iter().filter(|((from, _), asked)| {
            let is_theirs = *from == Party::Agent && session_of(&asked.params) == Some(id);
            is_theirs && is_question(&asked.method) && asked.cancelled.is_none()
        });
        let useless: Vec<_> = useless.map(|((_, id), _)| id.clone()).collect();
        let (at, entry) = (self.now, self.count.saturating_sub(1));
        let activity = &mut self.session(id).activity;
        activity.may_cancel = true;
        if by == Cancel::Request {
            return;
        }
        // The work of a prompt that was inserted need not begin any more.
        activity.due = None;
        if activity.foreground == Foreground::Idle {
            return;
        }
        let by_close = by == Cancel::Close;
        // Work that has begun since an earlier cancellation may go on when that one has ended.
        let is_first = activity.stopping.is_none();
        activity.is_stopped_again |= !is_first;
        activity.stopping.get_or_insert(Stopping { by_close, at, is_proven: false, entry });
        // The requests of background work stay open.
        if is_first && !activity.has_background() {
            activity.useless.extend(useless);
        }
    }

    /// Called when one side withdraws a request of its own.
    pub(in super::super) fn withdrawn(&mut self, from: Party, session: &str, id: &str) {
        let activity = &mut self.session(session).activity;
        match from {
            Party::Agent => {
                if activity.useless.remove(id) {
                    self.weigh(&rules::WITHDRAWN, from);
                }
            }
            Party::Client => activity.may_cancel = true,
        }
    }

    /// Called for a client's answer.
    pub(in super::super) fn client_answers_v2(&mut self, id: &str, asked: &Asked, outcome: &Outcome<'_>) {
        let Some(session) = session_of(&asked.params).filter(|_| is_question(&asked.method)) else { return };
        let now = self.now;
        if let (Some(withdrawn), Ok(result)) = (&asked.cancelled, outcome) {
            let has_arrived = now.saturating_sub(withdrawn.at) >= ARRIVES;
            let is_selected = result["outcome"]["outcome"] == "selected";
            self.check(!has_arrived || !is_selected, &rules::PERMISSION_WITHDRAWN, Party::Client, || {
                "selects an option of a permission request that the agent withdrew".to_owned()
            });
        }
        let is_asking = self.has_open_question(session);
        let activity = &mut self.session(session).activity;
        activity.may_cancel = true;
        // What the user does at an address goes on after the answer.
        if activity.foreground == Foreground::Blocked && !is_asking && asked.params["mode"] != "url" {
            activity.unblocked = Some(now);
        }
        let is_late = activity.useless_since.is_some_and(|since| now.saturating_sub(since) >= ARRIVES);
        if activity.useless.contains(id) && is_late {
            self.left_open(session);
        }
        self.session(session).activity.useless.remove(id);
    }

    /// Reports requests that a cancellation made useless, and that the agent did not withdraw.
    pub(super) fn left_open(&mut self, id: &str) {
        let activity = &mut self.session(id).activity;
        activity.useless_since = None;
        let left = std::mem::take(&mut activity.useless);
        if left.is_empty() {
            return;
        }
        self.check(left.is_empty(), &rules::WITHDRAWN, Party::Agent, || {
            "leaves requests to the user open when their work is cancelled".to_owned()
        });
    }

    /// Called when the agent has closed a session.
    pub(super) fn closed(&mut self, id: &str) {
        self.left_cancellable(id);
        let activity = &mut self.session(id).activity;
        let is_idle = activity.foreground == Foreground::Idle;
        activity.reopen();
        self.check(is_idle, &rules::CLOSE, Party::Agent, || {
            "closes a session, and does not report its work as cancelled before".to_owned()
        });
    }
}
