//! A vendor's overlay on the published schema: what is generated of it, and the mistakes in what a vendor writes.

use std::fs;
use std::path::{Path, PathBuf};

use acp_codegen::{Builder, Generated, Result};
use serde_json::{Value, json};

use crate::compile;

fn file(name: &str, overlay: &Value) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("vendor-{name}.json"));
    fs::write(&path, overlay.to_string()).expect("the directory for temporary files is writable");
    path
}

fn generate(name: &str, overlay: &Value) -> Result<Generated> {
    Builder::v1().overlay(file(name, overlay)).generate()
}

fn acme() -> Builder {
    Builder::v1().overlay(Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/vendor/acme.json"))
}

/// The names of the types that the module has itself.
fn own(generated: &Generated) -> Vec<&str> {
    let types = ["pub struct ", "pub enum ", "pub type "];
    let named = |line: &'_ str| types.iter().any(|start| line.starts_with(start));
    let lines = generated.rust.lines().filter(|line| named(line));
    lines.filter_map(|line| line.split([' ', ';', '(', '<']).nth(2)).collect()
}

/// An overlay with the params of one notification, and these keys.
fn notification(keys: &Value) -> Value {
    let mut definition = json!({ "type": "object" });
    for (key, value) in keys.as_object().expect("keys") {
        definition[key] = value.clone();
    }
    json!({ "$defs": { "PokeNotification": definition } })
}

#[test]
fn only_what_the_overlay_adds_is_generated() {
    let generated = acme().generate().unwrap();
    for name in own(&generated) {
        let is_own = ["Review", "Dismiss", "OpenEditor", "Progress", "AgentMethodNames", "ClientMethodNames"];
        assert!(is_own.iter().any(|start| name.starts_with(start)), "{name} is the protocol's");
    }
    for name in ["ContentBlock", "error", "AgentRequest", "GeneralMethodNames", "methods::NewSession"] {
        assert!(generated.reused.iter().any(|reused| reused == name), "{name} is generated again");
    }
    assert!(generated.rust.contains("pub use ::acp_runtime::schema::v1::{"), "{}", generated.rust);
    assert!(generated.rust.contains("pub use ::acp_runtime::schema::v1::methods::{"), "{}", generated.rust);
    let other = acme().crate_path("::acp_schema").generate().unwrap();
    assert!(other.rust.contains("pub use ::acp_schema::v1::{") && !other.rust.contains("acp_runtime"));
    assert_eq!((generated.unused.as_slice(), other.reused), (&[][..], generated.reused));
}

#[test]
fn the_module_has_the_names_that_it_would_have_if_all_were_generated() {
    let v1 = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/v1");
    let overlay = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/vendor/acme.json");
    let whole = Builder::new().schema(v1.join("schema.json")).overlay(v1.join("overlay.json")).overlay(overlay);
    let (whole, generated) = (whole.generate().unwrap(), acme().generate().unwrap());
    for name in own(&whole) {
        let is_there = own(&generated).contains(&name) || generated.reused.iter().any(|reused| reused == name);
        assert!(is_there, "{name} is lost");
    }
    assert!(whole.reused.is_empty());
    assert!(generated.rust.lines().count() * 10 < whole.rust.lines().count(), "a tenth is enough");
}

#[test]
fn without_an_overlay_the_module_is_the_runtimes() {
    let generated = Builder::v1().generate().unwrap();
    assert_eq!(own(&generated), Vec::<&str>::new());
    let markers = generated.reused.iter().filter(|name| name.starts_with("methods::"));
    assert!(markers.count() > 20, "{:?}", generated.reused);
}

#[test]
fn a_type_that_an_overlay_changes_is_the_vendors_and_so_are_all_that_contain_it() {
    let property = |field: &str| json!({ "field": field, "schema": { "type": "object" }, "why": "to see" });
    let generated = generate("changed", &json!({ "properties": [property("NewSessionResponse.models")] })).unwrap();
    // The messages that hold it, and the marker of its method.
    assert_eq!(own(&generated), ["NewSessionResponse", "AgentResponse"]);
    let has = |name: &str| generated.reused.iter().any(|reused| reused == name);
    assert!(has("NewSessionRequest") && has("SessionModeState") && has("methods::LoadSession"));
    assert!(!has("methods::NewSession") && generated.rust.contains("pub models:"), "{}", generated.rust);
    // Through a list, a union and an alias.
    let deep = generate("deep", &json!({ "properties": [property("TextContent.colour")] })).unwrap();
    for name in ["TextContent", "ContentBlock", "PromptRequest", "ToolCallContent", "SessionUpdate", "ClientRequest"] {
        assert!(own(&deep).contains(&name), "{name} holds a changed one");
    }
    for name in ["ImageContent", "InitializeRequest", "SessionConfigOption"] {
        assert!(!own(&deep).contains(&name), "{name} holds none");
    }
    let path = generate("path", &json!({ "paths": [{ "field": "TextContent.text", "why": "to see" }] })).unwrap();
    assert_eq!(own(&path), own(&deep), "an entry that changes a type counts, too");
}

/// The names of variants and of new types are no uses of a type: a vendor may have a `Text` of its own.
#[test]
fn a_new_type_with_the_name_of_a_variant_changes_nothing() {
    let names = ["Text", "Image", "Selected", "Stdio"];
    let definitions: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!({ "type": "object", "properties": {} }))).collect();
    let generated = generate("variants", &json!({ "$defs": definitions })).unwrap();
    assert_eq!(own(&generated), names);
}

#[test]
fn a_changed_module_compiles_beside_the_runtimes_types() {
    let property = |field: &str| json!({ "field": field, "schema": { "type": "string" }, "why": "to see" });
    let changed = json!({ "properties": [property("NewSessionResponse.models"), property("TextContent.colour")],
        "$defs": { "Text": { "type": "object", "properties": { "a": { "$ref": "#/$defs/ContentBlock" } } } } });
    let modules =
        [("changed", generate("compiled", &changed)), ("acme", acme().generate()), ("v1", Builder::v1().generate())];
    let modules =
        modules.map(|(name, generated)| (name.to_owned(), generated.unwrap_or_else(|error| panic!("{error}"))));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vendors");
    compile::check(&folder, &modules);
}

/// A program that uses a part of its module has no warnings, as the docs of the crate write it.
#[test]
fn a_private_module_needs_one_attribute() {
    let main = "#![deny(warnings)]
#[allow(dead_code)]
mod schema {
    include!(\"acme.rs\");
}

fn main() {
    println!(\"{}\", <schema::methods::Review as acp_runtime::schema::Method>::NAME);
}
";
    let docs = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    assert!(
        docs.contains("//! #[allow(dead_code)]\n//! mod schema {\n//!     include!("),
        "the docs have the attribute"
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vendors_private");
    fs::create_dir_all(folder.join("src")).unwrap();
    acp_codegen::write_if_changed(&folder.join("src/main.rs"), main).unwrap();
    compile::check(&folder, &[("acme".to_owned(), acme().generate().unwrap())]);
}

#[test]
fn the_compiler_tells_a_changed_type_from_the_runtimes() {
    let property = json!({ "field": "TextContent.colour", "schema": { "type": "string" }, "why": "to see" });
    let changed = generate("mixed", &json!({ "properties": [property] })).unwrap();
    let main = "use acp_runtime::values::{PromptRequest, ToolCallLocation};
use generated_modules::changed;

fn main() {
    let own: changed::ToolCallLocation = ToolCallLocation::new(\"/a\");
    let block: changed::ContentBlock = \"text\".into();
    let _ = (own, PromptRequest::new(\"s\", vec![block]));
}
";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vendors_mixed");
    let errors = compile::errors(&folder, &[("changed".to_owned(), changed)], main);
    let told = "found `generated_modules::changed::ContentBlock`";
    assert!(errors.contains(told) && errors.contains("are actually distinct types"), "{errors}");
    assert!(errors.contains("due to 1 previous error"), "the reused type is the runtime's: {errors}");
}

#[test]
fn drafts_are_there_if_they_are_asked_for() {
    let fork = json!({ "$defs": { "Forked": { "type": "object", "properties": {
        "by": { "$ref": "#/$defs/ForkSessionRequest" } } } } });
    refused(
        generate("no-drafts", &fork),
        "/$defs/Forked/properties/by/$ref",
        "there is no definition `ForkSessionRequest`",
    );
    let drafts = Builder::v1().with_drafts().overlay(file("drafts", &fork)).generate().unwrap();
    assert_eq!(own(&drafts), ["Forked"]);
    assert!(drafts.rust.contains("use ::acp_runtime::schema::support::drafts as _;"), "{}", drafts.rust);
    assert!(drafts.reused.iter().any(|name| name == "ForkSessionRequest"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vendors_drafts");
    let errors = compile::errors(&folder, &[("drafts".to_owned(), drafts)], "fn main() {}");
    let note = errors.find("gated behind the `unstable` feature").or(errors.find("feature = \"unstable\""));
    assert!(note.is_some(), "the error names the feature: {errors}");
}

#[test]
fn a_schema_of_ones_own_is_generated_whole() {
    let schema = file("schema", &json!({ "$defs": { "A": { "type": "object", "properties": {} } } }));
    let generated = Builder::v1().schema(schema).generate().unwrap();
    assert_eq!((own(&generated), generated.reused.len()), (vec!["A"], 0));
}

/// Asserts that the error stands in the overlay, at this place.
#[track_caller]
fn refused(result: Result<Generated>, pointer: &str, what: &str) {
    let error = result.err().unwrap_or_else(|| panic!("accepted, but {what}")).to_string();
    let (file, rest) = error.split_once('#').unwrap_or_else(|| panic!("no place in: {error}"));
    assert!(file.contains("vendor-"), "not in the overlay: {error}");
    let expected = format!("{pointer}: {what}");
    assert!(rest.starts_with(&expected), "expected `{expected}`, got `{rest}`");
}

#[test]
fn a_misspelt_key_of_a_method_is_refused_with_its_place() {
    let method = |keys: Value| notification(&keys);
    let at = "/$defs/PokeNotification";
    let cases = [
        (
            json!({ "x-sid": "agent", "x-method": "_a.dev/poke" }),
            "/x-sid",
            "the key `x-sid` is not known; did you mean `x-side`?",
        ),
        (
            json!({ "x-side": "agent", "x-metod": "_a.dev/poke" }),
            "/x-metod",
            "the key `x-metod` is not known; did you mean `x-method`?",
        ),
        (
            json!({ "x-colour": "red" }),
            "/x-colour",
            "the key `x-colour` is not known; write one of `x-method`, `x-side`",
        ),
        (json!({ "x_side": "agent" }), "/x_side", "the keyword `x_side` is not supported; did you mean `x-side`?"),
        (
            json!({ "method": "_a.dev/poke" }),
            "/method",
            "the keyword `method` is not supported; did you mean `x-method`?",
        ),
        (
            json!({ "x-side": "agnet", "x-method": "_a.dev/poke" }),
            "/x-side",
            "\"agnet\" is no side that receives methods; did you mean `agent`?",
        ),
        (
            json!({ "x-side": 1, "x-method": "_a.dev/poke" }),
            "/x-side",
            "1 is no side that receives methods; write one of `agent`, `client`",
        ),
        (json!({ "x-side": "agent" }), "/x-side", "a side is said, but no method; write the method's name beside it"),
        (
            json!({ "x-method": "_a.dev/poke" }),
            "",
            "it is not said who receives this method; write beside `x-method`: `\"x-side\": \"agent\"`",
        ),
        (json!({ "x-side": "agent", "x-method": 3 }), "/x-method", "this method has no name; give it as a text"),
        (json!({ "x-side": "agent", "x-method": "" }), "/x-method", "this method has no name; give it as a text"),
        (
            json!({ "x-side": "agent", "x-method": "_a.dev/po ke" }),
            "/x-method",
            "the name `_a.dev/po ke` of a method holds blanks",
        ),
        (
            json!({ "x-side": "agent", "x-method": "_a.dev/poke\n" }),
            "/x-method",
            "the name `_a.dev/poke\\n` of a method holds blanks",
        ),
        (
            json!({ "properties": { "a": { "x-side": "agent" } } }),
            "/properties/a/x-side",
            "`x-side` stands in a part of a definition; write it beside the `type`",
        ),
        (
            json!({ "properties": { "a": { "items": { "oneOf": [{ "x-sdie": "agent" }] } } } }),
            "/properties/a/items/oneOf/0/x-sdie",
            "the key `x-sdie` is not known; did you mean",
        ),
        (
            json!({ "x-deserialize-default-on-eror": true }),
            "/x-deserialize-default-on-eror",
            "the decoding rule `x-deserialize-default-on-eror` is not known",
        ),
    ];
    for (number, (keys, pointer, what)) in cases.into_iter().enumerate() {
        refused(generate(&format!("key-{number}"), &method(keys)), &format!("{at}{pointer}"), what);
    }
}

#[test]
fn a_method_is_whole_and_stands_once() {
    let method = |wire: &str| json!({ "type": "object", "x-method": wire, "x-side": "agent" });
    let with = |definitions: Value| json!({ "$defs": definitions });
    let twice = with(json!({ "ARequest": method("_a"), "BRequest": method("_a"), "AResponse": method("_a") }));
    refused(
        generate("twice", &twice),
        "/$defs/BRequest",
        "`BRequest` and `ARequest` both claim the method `_a`; give one of them",
    );
    let known = with(json!({ "MyRequest": method("session/new"), "MyResponse": method("session/new") }));
    refused(generate("known", &known), "/$defs/MyRequest", "`MyRequest` and `NewSessionRequest` both claim the method");
    let alone = with(json!({ "AResponse": method("_a") }));
    refused(generate("answer", &alone), "/$defs/AResponse", "`_a` has a response, but no request; define its params");
    let asked = with(json!({ "ARequest": method("_a") }));
    refused(generate("asked", &asked), "/$defs/ARequest", "`_a` is a request, but has no response");
    let role = with(json!({ "A": method("_a") }));
    refused(
        generate("role", &role),
        "/$defs/A",
        "`A` belongs to a method, but does not say as what; let the name end in",
    );
}

#[test]
fn a_wrong_property_is_refused_with_its_place() {
    let property =
        |field: &str, schema: Value| json!({ "properties": [{ "field": field, "schema": schema, "why": "to see" }] });
    let cases = [
        (
            property("models", json!({})),
            "/properties/0/field",
            "`models` is no property of a definition; write it as `Definition.property`",
        ),
        (
            property("NewSesionResponse.models", json!({})),
            "/properties/0/field",
            "there is no definition `NewSesionResponse`; did you mean `NewSessionResponse`?",
        ),
        (
            property("NewSessionResponse.modes", json!({})),
            "/properties/0/field",
            "`NewSessionResponse` has the property `modes` already",
        ),
        (property("SessionId.x", json!({})), "/properties/0/field", "`SessionId` is no object with properties"),
        (
            property("NewSessionResponse.models", json!({ "type": "thing" })),
            "/properties/0/schema/type",
            "this `type` is not supported",
        ),
        (
            property("NewSessionResponse.models", json!({ "$ref": "#/$defs/Nothing" })),
            "/properties/0/schema/$ref",
            "there is no definition `Nothing`",
        ),
        (
            property("NewSessionResponse.models", json!({ "x-sid": 1 })),
            "/properties/0/schema/x-sid",
            "the key `x-sid` is not known",
        ),
        (json!({ "propertys": [] }), "/propertys", "an overlay has no key `propertys`; did you mean `properties`?"),
    ];
    for (number, (overlay, pointer, what)) in cases.into_iter().enumerate() {
        refused(generate(&format!("property-{number}"), &overlay), pointer, what);
    }
}

#[test]
fn an_entry_that_matches_nothing_is_reported_and_those_of_the_published_overlay_are_not() {
    let overlay = json!({ "paths": [{ "field": "PokeNotification.pth", "why": "to see" }],
        "$defs": notification(&json!({ "x-side": "agent", "x-method": "_a.dev/poke" }))["$defs"] });
    assert_eq!(generate("unused", &overlay).unwrap().unused, ["paths: PokeNotification.pth"]);
}
