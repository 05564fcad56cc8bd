//! `initialize`. The agent may be of version 1, and then reads the members of version 1. So the params have both: members
//! that a version does not have are none of its business.

use serde_json::{Map, Value, json};

use crate::{dialect::original, values::InitializeResponse};

/// The client's params: those of version 1, and beside them those of version 2.
pub(super) fn params(params: &mut Value) {
    let capabilities = &params["clientCapabilities"];
    let mut offered = Map::new();
    if capabilities["auth"]["terminal"] == true {
        offered.insert("auth".to_owned(), json!({ "terminal": {} }));
    }
    for same in ["elicitation", "_meta"] {
        if let Some(capability) = capabilities.get(same) {
            offered.insert(same.to_owned(), capability.clone());
        }
    }
    params["capabilities"] = offered.into();
    params["info"] = params["clientInfo"].clone();
}

/// Whether an answer is one of version 2, and not one of version 1 with the number that was asked for.
pub(super) fn is_answer(answer: &str) -> bool {
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    let has = |members: [&str; 2]| members.iter().any(|member| answer.get(member).is_some());
    has(["info", "capabilities"]) || !has(["agentInfo", "agentCapabilities"])
}

/// The agent's answer.
pub(super) fn answered(answer: &str) -> serde_json::Result<InitializeResponse> {
    let mut answer: Map<String, Value> = serde_json::from_str(answer)?;
    let capabilities = answer.remove("capabilities").unwrap_or_default();
    let methods: Vec<_> = match answer.remove("authMethods") {
        Some(Value::Array(methods)) => methods.into_iter().filter_map(auth_method).collect(),
        _ => Vec::new(),
    };
    let mut translated = json!({
        "protocolVersion": answer.remove("protocolVersion"),
        "agentCapabilities": self::capabilities(capabilities, !methods.is_empty()),
        "authMethods": methods,
    });
    for (name, given) in [("agentInfo", "info"), ("_meta", "_meta")] {
        if let Some(member) = answer.remove(given) {
            translated[name] = member;
        }
    }
    serde_json::from_value(translated)
}

/// An agent with sessions has all their methods but for `session/delete`.
fn capabilities(offered: Value, has_logins: bool) -> Value {
    let session = &offered["session"];
    // One of another shape is as absent.
    let is = Value::is_object;
    let mark = |is_offered: bool| if is_offered { json!({}) } else { Value::Null };
    let same = |capability: &Value| if is(capability) { capability.clone() } else { Value::Null };
    let mut translated = Map::new();
    translated.insert("loadSession".to_owned(), is(session).into());
    translated.insert(
        "promptCapabilities".to_owned(),
        json!({
            "image": is(&session["prompt"]["image"]),
            "audio": is(&session["prompt"]["audio"]),
            "embeddedContext": is(&session["prompt"]["embeddedContext"]),
        }),
    );
    translated.insert("mcpCapabilities".to_owned(), json!({ "http": is(&session["mcp"]["http"]), "sse": false }));
    translated.insert(
        "sessionCapabilities".to_owned(),
        json!({
            "list": mark(is(session)),
            "resume": mark(is(session)),
            "close": mark(is(session)),
            "delete": same(&session["delete"]),
            "additionalDirectories": same(&session["additionalDirectories"]),
        }),
    );
    translated.insert("auth".to_owned(), json!({ "logout": mark(has_logins) }));
    if let Some(meta) = offered.get("_meta") {
        translated.insert("_meta".to_owned(), meta.clone());
    }
    original::keep(&mut translated, offered);
    translated.into()
}

/// Whether prompts go to the work of a session that works: a draft, which no schema has yet.
pub(super) fn steers(answer: &str) -> bool {
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    answer["capabilities"]["session"]["steering"].is_object()
}

/// A way to log in. A client cannot use one of another type.
fn auth_method(mut method: Value) -> Option<Value> {
    let members = method.as_object_mut()?;
    match members.get("type")?.as_str()? {
        "agent" => {
            members.remove("type");
        }
        "terminal" => {
            let variable = |variable: &Value| Some((variable["name"].as_str()?.to_owned(), variable["value"].clone()));
            let variables = members.remove("env");
            let variables = variables.iter().filter_map(Value::as_array).flatten().filter_map(variable);
            let variables: Map<_, _> = variables.collect();
            members.insert("env".to_owned(), variables.into());
        }
        _ => return None,
    }
    let id = members.remove("methodId")?;
    members.insert("id".to_owned(), id);
    Some(method)
}

/// The name of a capability that version 1 names like this. What every agent with sessions has is named by `session`.
pub(crate) fn capability(name: &'static str) -> &'static str {
    match name {
        "loadSession" | "sessionCapabilities.list" | "sessionCapabilities.resume" | "sessionCapabilities.close" => {
            "session"
        }
        "sessionCapabilities.delete" => "session.delete",
        "sessionCapabilities.additionalDirectories" => "session.additionalDirectories",
        "promptCapabilities.image" => "session.prompt.image",
        "promptCapabilities.audio" => "session.prompt.audio",
        "promptCapabilities.embeddedContext" => "session.prompt.embeddedContext",
        "mcpCapabilities.http" => "session.mcp.http",
        // No agent of this version can offer it.
        "mcpCapabilities.sse" => "session.mcp",
        "auth.logout" => "authMethods",
        other => other,
    }
}
