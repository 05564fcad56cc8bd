//! Background work: each `state_update` lists all of it.

use std::collections::BTreeSet;

use super::super::{activity::ItemId, connection::Judge, rules, state::text};
use crate::{tape::Party, value::Value};

impl Judge {
    /// Called for the list of a `state_update`.
    pub(super) fn background(&mut self, id: &str, list: &Value<'_>) {
        let agent = Party::Agent;
        let activity = &mut self.session(id).activity;
        let Some(list) = list.as_array() else {
            let reports = activity.listed.is_some();
            return self.check(!reports, &rules::BACKGROUND_ALWAYS, agent, || {
                "a `state_update` has no `background`, which earlier ones have".to_owned()
            });
        };
        // The items of other kinds have other updates.
        let listed = list.iter().filter_map(|work| match text(work, "type") {
            "tool_call" => Some(ItemId::Tool(text(work, "toolCallId").to_owned())),
            "terminal" => Some(ItemId::Terminal(text(work, "terminalId").to_owned())),
            _ => None,
        });
        if activity.listed.is_some() {
            self.weigh(&rules::BACKGROUND_ALWAYS, agent);
        }
        if !list.is_empty() {
            for rule in [&rules::BACKGROUND_ONCE, &rules::BACKGROUND_ANNOUNCED, &rules::BACKGROUND_AGAIN] {
                self.weigh(rule, agent);
            }
        }
        let activity = &mut self.session(id).activity;
        let (mut now, mut twice, mut unknown, mut again) = (BTreeSet::new(), None, None, None);
        let before = activity.listed.take().unwrap_or_default();
        for item in listed {
            match activity.items.get_mut(&item) {
                None => unknown = Some(item.clone()),
                Some(known) => {
                    if !before.contains(&item) && !now.contains(&item) && (known.has_ended || known.was_listed) {
                        again = Some(item.clone());
                    }
                    known.was_listed = true;
                }
            }
            if !now.insert(item.clone()) {
                twice = Some(item);
            }
        }
        let ended = |item: &&ItemId| activity.items.get(item).is_none_or(|item| item.has_ended);
        let unended = before.difference(&now).find(|item| !ended(item)).cloned();
        let leaves_out = before.difference(&now).next().is_some();
        activity.listed = Some(now);
        if leaves_out {
            self.weigh(&rules::BACKGROUND_FINAL, agent);
        }
        for (item, rule, wrong) in [
            (twice, &rules::BACKGROUND_ONCE, "twice in one list"),
            (unknown, &rules::BACKGROUND_ANNOUNCED, "which was not reported"),
            (again, &rules::BACKGROUND_AGAIN, "which has ended"),
        ] {
            if let Some(item) = item {
                self.find(rule, agent, format!("lists {item}, {wrong}"));
            }
        }
        if let Some(item) = unended {
            self.find(&rules::BACKGROUND_FINAL, agent, format!("leaves out {item}, which has not ended"));
        }
    }
}
