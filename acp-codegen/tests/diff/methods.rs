//! Methods and drafts.

use std::path::Path;

use acp_codegen::Builder;
use acp_codegen::diff::{self, Surface, Verdict};
use serde_json::{Value, json};

use super::{DRAFT, changes, compare, method, surface};

#[test]
fn methods() {
    let types = ["OpenRequest added: compatible", "OpenResponse added: compatible"];
    let expected = ["door/open added: compatible", types[0], types[1]];
    let open = method("door/open", "Open", "Opens.");
    let other = json!({ "T": { "type": "string" } });
    let mut both = other.clone();
    both.as_object_mut().expect("an object").extend(open.as_object().expect("an object").clone());
    changes("method-added", other.clone(), both.clone(), &expected);
    let removed = ["door/open removed: breaking", "OpenRequest removed: breaking", "OpenResponse removed: breaking"];
    changes("method-removed", both, other, &removed);
    let renamed = method("door/open", "Unlock", "Opens.");
    let diff = compare("method-renamed", &open, &renamed);
    let details: Vec<&str> = diff.changes.iter().take(3).map(|change| change.detail.as_str()).collect();
    let expected = [
        "handler: `open` is now `unlock`",
        "params: `OpenRequest` is now `UnlockRequest`",
        "response: `OpenResponse` is now `UnlockResponse`",
    ];
    assert_eq!(details, expected);
}

#[test]
fn drafts() {
    let (draft, stable) = (method("door/open", "Open", DRAFT), method("door/open", "Open", "Opens."));
    let all = |what: &str| [format!("door/open {what}"), format!("OpenRequest {what}"), format!("OpenResponse {what}")];
    let (stabilised, withdrawn) = (all("stabilised: compatible"), all("made a draft: breaking"));
    changes("stabilised", draft.clone(), stable.clone(), &stabilised.each_ref().map(String::as_str));
    changes("withdrawn", stable.clone(), draft.clone(), &withdrawn.each_ref().map(String::as_str));
    // Drafts are no promise, so the removal of a draft's part breaks nothing.
    let other = json!({ "T": { "type": "string" } });
    let mut both = other.clone();
    both.as_object_mut().expect("an object").extend(draft.as_object().expect("an object").clone());
    assert_eq!(compare("draft-removed", &both, &other).verdict(), Verdict::Compatible);
    // If the older schema with drafts stands beside the older stable schema, `diff` knows that the method was a draft.
    let (old, new) = (
        surface("beside-old", &other),
        surface("beside-new", &{
            let mut both = other.clone();
            both.as_object_mut().expect("an object").extend(stable.as_object().expect("an object").clone());
            both
        }),
    );
    let diff = diff::compare(&old, &new, Some(&surface("beside-drafts", &both)));
    assert!(diff.changes.iter().all(|change| change.what == diff::ChangeKind::Stabilised), "{diff:?}");
}

#[test]
fn what_is_touched() {
    let mut old = method("door/open", "Open", "Opens.");
    old["OpenRequest"]["properties"] = json!({ "how": { "$ref": "#/$defs/How" } });
    old["How"] = json!({ "type": "object", "properties": { "fast": { "type": "boolean" } } });
    let mut new = old.clone();
    new["How"]["required"] = json!(["fast"]);
    let diff = compare("touched", &old, &new);
    let [change] = diff.changes.as_slice() else { panic!("{diff:?}") };
    assert_eq!(change.items, ["How", "How::new"]);
    assert_eq!(change.handlers.iter().map(String::as_str).collect::<Vec<_>>(), ["open"]);
    // An agent has no handler for a method of the client.
    for schema in [&mut old, &mut new] {
        for name in ["OpenRequest", "OpenResponse"] {
            schema[name]["x-side"] = json!("client");
        }
    }
    let diff = compare("touched-client", &old, &new);
    let [change] = diff.changes.as_slice() else { panic!("{diff:?}") };
    assert!(change.handlers.is_empty(), "{change:?}");
    let removed = compare("removed-client", &old, &json!({ "How": old["How"] }));
    let method = removed.changes.iter().find(|change| change.item == "door/open").expect("the method is gone");
    assert_eq!(method.why, "code that names its marker or its types no longer compiles");
}

/// A definition with references to all of these definitions.
fn referring(docs: &str, to: &[&str]) -> Value {
    let property = |name: &&str| (format!("to_{name}"), json!({ "$ref": format!("#/$defs/{name}") }));
    let properties: serde_json::Map<String, Value> = to.iter().map(property).collect();
    json!({ "type": "object", "description": docs, "properties": properties })
}

#[test]
fn what_only_drafts_use() {
    let with = |name: &str, definition: Value, to: &[&str]| {
        let mut schema = method("door/open", "Open", "Opens.");
        schema["OpenRequest"]["properties"] = json!({
            "now": { "$ref": "#/$defs/Shared" }, "soon": { "$ref": "#/$defs/Draft", "description": DRAFT },
        });
        schema["Shared"] = json!({ "type": "string" });
        schema["Draft"] = referring("Unmarked itself.", to);
        schema["Behind"] = definition;
        schema["Alone"] = referring("Nobody uses it.", &[]);
        surface(name, &schema)
    };
    let drafts = |surface: &Surface| -> Vec<String> {
        surface.types.iter().filter(|(_, ty)| ty.draft).map(|(name, _)| name.clone()).collect()
    };
    let text = || json!({ "type": "string" });
    assert_eq!(drafts(&with("used", text(), &["Behind", "Shared"])), ["Behind", "Draft"]);
    let circular = with("circle", referring("", &["Draft"]), &["Behind", "Shared"]);
    assert_eq!(drafts(&circular), ["Behind", "Draft"]);
    // Only the list of payloads in a message marks a draft.
    let mut schema = method("door/open", "Open", "Opens.");
    let member = json!({ "title": "OpenRequest", "description": DRAFT, "allOf": [{ "$ref": "#/$defs/OpenRequest" }] });
    schema["ClientRequest"] = json!({
        "type": "object", "x-docs-ignore": true,
        "properties": {
            "id": { "$ref": "#/$defs/RequestId" }, "method": { "type": "string" },
            "params": { "anyOf": [{ "anyOf": [member] }, { "type": "null" }] },
        },
    });
    schema["RequestId"] = text();
    schema["OpenRequest"]["properties"] = json!({ "which": { "$ref": "#/$defs/RequestId" } });
    let listed = surface("listed", &schema);
    assert!(listed.methods.iter().all(|method| method.draft), "{listed:?}");
    assert_eq!(drafts(&listed), ["OpenRequest", "OpenResponse"], "every message has an id");
    assert_eq!(listed.methods[0].messages, ["ClientRequest::OpenRequest"]);
}

/// The schemas of this workspace exist with and without drafts. The difference shows exactly the drafts.
#[test]
fn drafts_are_found_without_the_stable_schema() {
    for version in ["v1", "v2"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema").join(version);
        let read = |name: &str| {
            let builder = Builder::new().schema(folder.join(name)).overlay(folder.join("overlay.json"));
            Surface::read(&builder).unwrap_or_else(|error| panic!("{error}"))
        };
        let (stable, all) = (read("schema.json"), read("schema.unstable.json"));
        let types = all.types.iter().filter(|(name, ty)| ty.draft == stable.types.contains_key(*name));
        let types: Vec<&String> = types.map(|(name, _)| name).collect();
        assert!(types.is_empty(), "{version}: stable and a draft, or neither: {types:?}");
        let key = |method: &diff::Method| (method.wire.clone(), method.side, method.kind);
        let known: Vec<_> = stable.methods.iter().map(key).collect();
        let methods = all.methods.iter().filter(|method| method.draft == known.contains(&key(method)));
        let methods: Vec<_> = methods.map(key).collect();
        assert!(methods.is_empty(), "{version}: stable and a draft, or neither: {methods:?}");
    }
}
