//! The client's requests, and the answers to them.

use serde_json::{Value, json, value::RawValue};

use super::{raw, value};

/// The params of a request that opens a session.
pub(super) fn opening(params: &mut Value) {
    for server in params["mcpServers"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        server.entry("type").or_insert_with(|| json!("stdio"));
    }
}

/// The params of a load: here, a resume with the whole history.
pub(super) fn load(params: &mut Value) {
    opening(params);
    params["replayFrom"] = json!({ "type": "start" });
}

/// The params of a change of an option.
pub(super) fn option(params: &mut Value) {
    if let Some(params) = params.as_object_mut() {
        params.entry("type").or_insert_with(|| json!("id"));
    }
}

/// The params of a prompt that goes to work that runs. What the client wants without such work has no place in a prompt.
pub(super) fn steering(params: &mut Value) {
    let Some(meta) = params["_meta"].as_object_mut() else { return };
    meta.remove("steering");
    if meta.is_empty()
        && let Some(params) = params.as_object_mut()
    {
        params.remove("_meta");
    }
}

/// An answer with options. `None` if it has none.
pub(super) fn with_options(answer: &RawValue) -> Option<Box<RawValue>> {
    let mut answer = value(answer);
    options(answer.get_mut("configOptions")?);
    raw(&answer)
}

/// The options of a session: their ids and those of groups get the names of the values, too.
pub(super) fn options(options: &mut Value) {
    for option in options.as_array_mut().into_iter().flatten() {
        also(option, "configId", "id");
        for group in option["options"].as_array_mut().into_iter().flatten() {
            also(group, "groupId", "group");
        }
    }
}

fn also(value: &mut Value, name: &str, as_name: &str) {
    if let Some(members) = value.as_object_mut()
        && let Some(named) = members.get(name).cloned()
    {
        members.entry(as_name).or_insert(named);
    }
}
