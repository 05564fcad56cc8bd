//! What an agent adds to the messages about a session, beyond what the schema has.

use serde_json::{Value, value::RawValue};

use super::{handle::SessionHandle, update::SessionOutput};
use crate::{
    config::members::{MemberList, written},
    schema::Member,
    values::Meta,
};

/// What the handler that opened a session adds to its answer, and to the updates.
#[derive(Debug, Default)]
pub(crate) struct Additions {
    pub(crate) meta: Option<Meta>,
    /// The members of the answer.
    pub(crate) members: MemberList,
    /// The members of each update.
    pub(crate) in_updates: MemberList,
}

impl SessionOutput {
    /// From here on, each update has this member. It takes the place of an earlier one with its name.
    pub(crate) fn add_to_updates(&self, member: Member, value: Box<RawValue>) {
        self.extra(|late| {
            late.members.retain(|(other, _)| other.name() != member.name());
            if value.get() != RawValue::NULL.get() {
                late.members.push((member, value));
            }
        });
    }
}

impl<C> SessionHandle<C> {
    /// Adds a member to each update of this session from here on, for clients that read a member which the schema lacks. A
    /// later call with the same name replaces the value, and the value `null` takes the member away.
    ///
    /// [`OpenedSession::in_updates`](crate::agent::OpenedSession::in_updates) adds it before the first update. What a load
    /// replays does not have it. To say something beside one update, use the update's own `_meta`.
    ///
    /// ```
    /// use acp_runtime::{prelude::*, schema::Member};
    ///
    /// /// Which of the core's tasks speaks.
    /// const TASK: Member = Member::new("task");
    ///
    /// fn begin<C>(session: &SessionHandle<C>, task: u64) {
    ///     session.add_to_updates(TASK, task);
    /// }
    /// ```
    pub fn add_to_updates(&self, member: Member, value: impl Into<Value>) {
        self.output().add_to_updates(member, written(&value.into()));
    }
}
