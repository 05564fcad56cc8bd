//! The names of version 2 that this folder has are those of its schema.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::{V2, raw};
use crate::{
    dialect::{Dialect, work::Work},
    schema::Method,
    values::methods,
};

fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../schema/v2/schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn each_method_of_the_agent_is_said_by_a_method_of_the_values() {
    let params =
        json!({ "sessionId": "s", "cwd": "/", "mcpServers": [], "configId": "c", "value": "v", "clientInfo": {} });
    let dialect = V2::default();
    let mut said = BTreeSet::new();
    for name in [
        methods::Initialize::NAME,
        methods::Authenticate::NAME,
        methods::Logout::NAME,
        methods::NewSession::NAME,
        methods::LoadSession::NAME,
        methods::ResumeSession::NAME,
        methods::SetSessionConfigOption::NAME,
        methods::Prompt::NAME,
        methods::Cancel::NAME,
        methods::ListSessions::NAME,
        methods::DeleteSession::NAME,
        methods::CloseSession::NAME,
    ] {
        let translated = dialect.said(name, &|| Ok(raw(&params).unwrap()));
        said.insert(translated.map_or(name, |said| said.method).to_owned());
    }
    // Those for one piece of work are said when it lets the client do so.
    for (work, kind, id) in [
        (Work::ToolCall("w".into()), "tool_call_update", "toolCallId"),
        (Work::Terminal("w".into()), "terminal_update", "terminalId"),
    ] {
        assert!(dialect.cancel_alone("s", &work).is_none());
        let update = json!({ "sessionUpdate": kind, id: "w", "capabilities": { "cancel": {} } });
        let params = raw(&json!({ "sessionId": "s", "update": update })).unwrap();
        dialect.heard(methods::SessionUpdate::NAME, Some(&params));
        said.insert(dialect.cancel_alone("s", &work).unwrap().0.to_owned());
    }
    let schema = schema();
    let methods = schema["$defs"].as_object().unwrap().values().filter(|definition| definition["x-side"] == "agent");
    let methods: BTreeSet<_> = methods.filter_map(|method| Some(method["x-method"].as_str()?.to_owned())).collect();
    assert_eq!(said, methods);
}

/// The methods that an agent may call, by a schema.
fn asked_of_clients(schema: &Value) -> BTreeSet<String> {
    let asked = schema["$defs"].as_object().unwrap().values().filter(|definition| definition["x-side"] == "client");
    asked.filter_map(|definition| Some(definition["x-method"].as_str()?.to_owned())).collect()
}

#[test]
fn what_only_agents_of_version_1_may_ask_is_unknown() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../schema/v1/schema.json");
    let older: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (older, newer) = (asked_of_clients(&older), asked_of_clients(&schema()));
    let gone: BTreeSet<_> = older.difference(&newer).map(String::as_str).collect();
    assert_eq!(gone, super::super::OF_VERSION_1.into());
    let dialect = V2::default();
    for method in older.union(&newer).map(String::as_str).chain(["_vendor/own", "session/of_a_vendor"]) {
        assert_eq!(dialect.heard(method, None).is_unknown, gone.contains(method), "{method}");
    }
}

/// All constants of the schema, and the names of all members.
fn words(schema: &Value, into: &mut BTreeSet<String>) {
    match schema {
        Value::Object(parts) => {
            into.extend(["const", "x-method"].iter().filter_map(|key| Some(parts.get(*key)?.as_str()?.to_owned())));
            into.extend(
                parts.get("properties").and_then(Value::as_object).into_iter().flat_map(|all| all.keys().cloned()),
            );
            parts.values().for_each(|part| words(part, into));
        }
        Value::Array(parts) => parts.iter().for_each(|part| words(part, into)),
        _ => {}
    }
}

#[test]
fn each_word_in_a_text_of_these_files_is_one_of_a_schema() {
    let mut known = BTreeSet::new();
    words(&schema(), &mut known);
    // What the values have instead.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../schema/v1/schema.json");
    words(&serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap(), &mut known);
    // The drafts that no schema has.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../schema/v2/overlay.json");
    let overlay: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let drafts = overlay["drafts"].as_array().unwrap().iter().filter_map(|draft| draft["capability"].as_str());
    known.extend(drafts.flat_map(|capability| capability.split('.').map(str::to_owned)));
    // The begin of a word, the type of a way to log in that has no constant, and a word of serde.
    known.extend(["agent", "user", "camelCase"].map(str::to_owned));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/dialect/v2");
    let mut seen = 0;
    for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        for word in code.flat_map(|line| line.split('"').skip(1).step_by(2)) {
            let is_name =
                !word.is_empty() && word.chars().all(|sign| sign.is_ascii_alphabetic() || "_.".contains(sign));
            if is_name {
                let is_known = word.split('.').all(|part| known.contains(part));
                assert!(is_known, "`{word}` in {} is no word of the schema", file.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 80, "{seen}");
}
