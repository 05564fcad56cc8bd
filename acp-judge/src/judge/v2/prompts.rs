//! Prompts: each is inserted and has a user message, or is refused.

use super::super::{
    activity::{Activity, Due, Foreground, Inserted, Prompt},
    connection::Judge,
    rules,
    state::{ARRIVES, Asked, Cancel, Cancelled, Outcome, text},
};
use crate::tape::Party;

impl Judge {
    pub(super) fn prompt_answered(&mut self, id: &str, prompt: &str, asked: &Asked, outcome: &Outcome<'_>) {
        let agent = Party::Agent;
        let activity = &mut self.session(id).activity;
        let place = activity.open.iter().position(|open| open.id == prompt);
        let before: Vec<Prompt> = place.map(|place| activity.open.drain(..=place).collect()).unwrap_or_default();
        // The prompts before this one are still open.
        activity.open.splice(..0, before.iter().take(place.unwrap_or_default()).cloned());
        let is_stopped = asked.cancelled.as_ref().is_some_and(|Cancelled { by, at, is_proven }| {
            *by != Cancel::Request && (*is_proven || self.now.saturating_sub(*at) >= ARRIVES)
        });
        let message = match outcome {
            Ok(result) => text(result, "messageId"),
            Err(error) => {
                if is_stopped {
                    self.check(error["code"] == -32800, &rules::HELD, agent, || {
                        format!("answers a prompt with {} after its session was cancelled", error["code"])
                    });
                }
                return;
            }
        };
        let is_first = before.last().is_some_and(|prompt| prompt.is_first);
        self.inserted(id, message, asked, is_first, is_stopped);
    }

    fn inserted(&mut self, id: &str, message: &str, asked: &Asked, is_first: bool, is_stopped: bool) {
        let agent = Party::Agent;
        let (entry, at) = (self.count.saturating_sub(1), self.now);
        let activity = &mut self.session(id).activity;
        // The user message of a prompt from before a resume may come before its answer, too: it is no history.
        if let Some(said) = activity.resume.as_mut().and_then(|resume| resume.users.remove(message)) {
            activity.users.entry(message.to_owned()).or_insert(said);
        }
        let said = activity.users.get(message);
        let is_used = activity.inserted.contains_key(message) || said.is_some_and(|said| said.entry < asked.entry);
        let is_said = said.is_some_and(|said| said.entry > asked.entry);
        // The user message shows when the prompt was inserted. Its answer may come later.
        let since = asked.cancelled.as_ref().map(|cancelled| cancelled.at + ARRIVES);
        let was_before = said.is_some_and(|said| since.is_none_or(|since| said.at < since));
        let is_idle = activity.foreground == Foreground::Idle;
        if is_idle && !is_said && !is_stopped && asked.cancelled.is_none() {
            activity.due.get_or_insert(Due { entry, at });
        }
        // A prompt that was held may belong to the work that comes next.
        let ends = if is_idle || is_first { 1 } else { 2 };
        let arrived = asked.cancelled.is_none().then_some(asked.entry);
        activity
            .inserted
            .insert(message.to_owned(), Inserted { entry, at, arrived, ends, is_said: is_said || is_used });
        self.check(!is_used, &rules::MESSAGE_ID, agent, || {
            format!("a prompt has the message id `{message}` of another message")
        });
        if is_stopped {
            self.check(is_said && was_before, &rules::HELD, agent, || {
                "inserts a prompt after its session was cancelled".to_owned()
            });
        }
        self.in_order(id, message);
    }

    /// Called when a prompt was answered, and when its user message was sent. The user messages have the order of the prompts; their
    /// answers may come in another one.
    pub(super) fn in_order(&mut self, id: &str, message: &str) {
        let Activity { inserted, users, .. } = &self.session(id).activity;
        let Some(arrived) = inserted.get(message).and_then(|inserted| inserted.arrived) else { return };
        let said = |message: &str| users.get(message).map_or(usize::MAX, |said| said.entry);
        let said_at = said(message);
        let is_overtaken = inserted
            .iter()
            .any(|(other, inserted)| inserted.arrived.is_some_and(|other| other > arrived) && said(other) < said_at);
        if inserted.len() < 2 {
            return;
        }
        self.check(!is_overtaken, &rules::PROMPT_ORDER, Party::Agent, || {
            "inserts a prompt before an earlier one".to_owned()
        });
    }

    /// Called when work has ended. Checks that the user messages of its prompts were sent.
    pub(super) fn unsaid(&mut self, id: &str) {
        let mut is_missing = false;
        if self.session(id).activity.inserted.is_empty() {
            return;
        }
        for inserted in self.session(id).activity.inserted.values_mut().filter(|inserted| !inserted.is_said) {
            inserted.ends -= 1;
            if inserted.ends == 0 {
                (inserted.is_said, is_missing) = (true, true);
            }
        }
        self.check(!is_missing, &rules::ECHO, Party::Agent, || {
            "ends the work of a prompt, and has not sent its user message".to_owned()
        });
    }
}
