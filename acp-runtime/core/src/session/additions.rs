//! What an agent adds to the messages about a session, beyond what the schema has.

use std::path::Path;

use serde_json::value::RawValue;

use super::{cwd::WorkingDirectories, update::SessionOutput};
use crate::{config::members::MemberList, schema::Member, values::Meta};

/// What the handler that opened a session adds to its answer, and to the updates.
#[derive(Debug, Default)]
pub(crate) struct Additions {
    pub(crate) meta: Option<Meta>,
    /// The members of the answer.
    pub(crate) members: MemberList,
    /// The members of each update.
    pub(crate) in_updates: MemberList,
    /// Where the session works, if the agent knows better than its client.
    pub(crate) cwd: Option<Box<Path>>,
}

impl Additions {
    /// Where the session works, for a client that asks for these directories.
    pub(crate) fn place(&self, asked: &WorkingDirectories) -> WorkingDirectories {
        match &self.cwd {
            Some(cwd) => WorkingDirectories::new(cwd, asked.additional()),
            None => asked.clone(),
        }
    }
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
