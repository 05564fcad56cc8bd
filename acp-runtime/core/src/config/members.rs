//! Members that follow from the options, and that the schema lacks: `#[config_option(members = path)]` on the struct.

use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use crate::schema::Member;

/// Members with their values.
pub type MemberList = Vec<(Member, Box<RawValue>)>;

/// What the function of `members = path` gives: members with their values, in a list or an `Option`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives no members",
    label = "this function gives no members with their values",
    note = "help: let it return `[(Member, serde_json::Value); 1]`, or an `Option` or a `Vec` of such pairs"
)]
pub trait IntoMembers {
    /// The members.
    fn into_members(self) -> MemberList;
}

impl<I: IntoIterator<Item = (Member, Value)>> IntoMembers for I {
    fn into_members(self) -> MemberList {
        self.into_iter().map(|(member, value)| (member, written(&value))).collect()
    }
}

/// The value of a member as JSON.
pub(crate) fn written(value: &Value) -> Box<RawValue> {
    // A `Value` is always JSON.
    to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
