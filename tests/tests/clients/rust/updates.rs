//! Values of the SDK as JSON, and what a client sees in the updates of a turn.

use std::collections::BTreeMap;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A value of the SDK as JSON.
pub(crate) fn of(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("it is JSON")
}

/// The same, back.
pub(crate) fn to<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("it is of the SDK")
}

pub(crate) fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// The values of a full state, by option.
pub(crate) fn values(answer: &Value) -> Value {
    let options = answer["configOptions"].as_array().unwrap_or_else(|| panic!("{answer} has no options"));
    let value = |option: &Value| (text_of(&option["configId"]), option["currentValue"].clone());
    of(&options.iter().map(value).collect::<BTreeMap<_, _>>())
}

/// The text of the chunks of one kind.
pub(crate) fn chunks(updates: &[Value], kind: &str) -> String {
    only(updates, kind).iter().map(|chunk| text_of(&chunk["content"]["text"])).collect()
}

/// The words of the agent.
pub(crate) fn said(updates: &[Value]) -> String {
    chunks(updates, "agent_message_chunk")
}

/// The updates of one kind.
pub(crate) fn only<'u>(updates: &'u [Value], kind: &str) -> Vec<&'u Value> {
    updates.iter().filter(|update| update["sessionUpdate"] == kind).collect()
}

/// The states that the updates tell, with the reason of the end.
pub(crate) fn states(updates: &[Value]) -> Vec<String> {
    let words = |update: &Value| match update["stopReason"].as_str() {
        Some(reason) => format!("{} {reason}", text_of(&update["state"])),
        None => text_of(&update["state"]),
    };
    only(updates, "state_update").into_iter().map(words).collect()
}

/// The last of these states.
pub(crate) fn end_of(updates: &[Value]) -> String {
    states(updates).pop().expect("a state")
}
