//! Drafts that move: `pull` finds what became of each, and the compiler tells the authors who handle them. Three changes are
//! simulated: a draft becomes stable, one gets another name, and one is withdrawn. A field gets another name, too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::registry::{Files, Place, package, read};

const FOLDERS: [&str; 2] = ["schema/v1", "schema/v2"];
/// What an author's agent is compiled from.
const CRATES: [&str; 9] = [
    "acp-codegen",
    "acp-handlers",
    "acp-hooks",
    "acp-local",
    "acp-macros",
    "acp-peer",
    "acp-runtime",
    "acp-store",
    "schema",
];

/// The package with all changes, in both versions of the protocol.
fn changed() -> Files {
    let mut package = package();
    for folder in FOLDERS {
        let [stable, drafts] = ["schema.json", "schema.unstable.json"].map(|file| format!("{folder}/{file}"));
        let text = String::from_utf8(package[&drafts].clone()).expect("UTF-8");
        let text = text.replace("SetSessionTitle", "RetitleSession").replace("session/set_title", "session/retitle");
        let mut with_drafts: Value = serde_json::from_str(&text).expect("JSON");
        let mut schema: Value = serde_json::from_slice(&package[&stable]).expect("JSON");
        for name in ["UnarchiveSessionRequest", "UnarchiveSessionResponse"] {
            schema["$defs"][name] = with_drafts["$defs"][name].clone();
        }
        let definitions = with_drafts["$defs"].as_object_mut().expect("an object");
        for name in ["AuthStatusRequest", "AuthStatusResponse"] {
            definitions.shift_remove(name).expect("it is there");
            without(definitions.values_mut(), &format!("#/$defs/{name}"));
        }
        let provider = &mut with_drafts["$defs"]["SetProviderRequest"];
        provider["properties"]["url"] = provider["properties"]["baseUrl"].take();
        provider["properties"].as_object_mut().expect("an object").shift_remove("baseUrl");
        provider["required"] = json!(["providerId", "apiType", "url"]);
        for (path, value) in [(stable, schema), (drafts, with_drafts)] {
            package.insert(path, format!("{value:#}\n").into_bytes());
        }
    }
    package
}

/// Takes the alternatives out that refer to this definition.
fn without<'v>(values: impl Iterator<Item = &'v mut Value>, reference: &str) {
    for value in values {
        if let Value::Array(list) = value {
            list.retain(|one| one.get("$ref").or(one.pointer("/allOf/0/$ref")).is_none_or(|of| of != reference));
        }
        match value {
            Value::Array(list) => without(list.iter_mut(), reference),
            Value::Object(object) => without(object.values_mut(), reference),
            _ => {}
        }
    }
}

fn pulled() -> Place {
    let place = Place::new();
    place.publish("98.7.6", &changed());
    let ran = place.run(&["pull", "98.7.6"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for line in [
        "a draft moved: `auth/status` was withdrawn in 98.7.6",
        "a draft moved: `session/set_title` is called `session/retitle` since 98.7.6",
        "a draft moved: `session/unarchive` is stable since 98.7.6",
        "it: v1/overlay.json: drafts: auth/status",
        "it: v2/overlay.json: drafts: session/set_title",
    ] {
        assert!(ran.err.contains(line), "`{line}` is not said: {}", ran.err);
    }
    place
}

#[test]
fn pull_keeps_what_became_of_each_draft() {
    let place = pulled();
    let kept =
        || -> Value { serde_json::from_slice(&read(&place.workspace().join("schema/moved.json"))).expect("JSON") };
    let mut all = kept();
    all.as_array_mut().expect("a list").sort_by_key(|one| one["draft"].to_string());
    let renamed = json!({ "renamed": { "name": "session/retitle", "handler": "retitle_session" } });
    let since = "98.7.6";
    let expected = json!([
        { "draft": "auth/status", "handler": "auth_status", "became": "withdrawn", "in": since },
        { "draft": "session/set_title", "handler": "set_session_title", "became": renamed, "in": since },
        { "draft": "session/unarchive", "handler": "unarchive_session", "became": "stable", "in": since },
    ]);
    assert_eq!(all, expected);
    let again = place.run(&["pull", since]);
    assert_eq!((again.code, kept().as_array().map(Vec::len)), (Some(0), Some(3)), "{}", again.err);
    // What is a draft again has not moved. The new name is gone now.
    place.publish("98.7.7", &package());
    let ran = place.run(&["pull", "98.7.7"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let left: Vec<Value> = kept().as_array().expect("a list").iter().map(|one| one["draft"].clone()).collect();
    assert_eq!(left, ["session/retitle"]);
}

/// The crates of an agent, with the changed schema and all that `pull` has written.
fn toolkit(place: &Place) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("moved/toolkit");
    for name in CRATES {
        copy_sources(&root.join(name), &copy.join(name));
    }
    for (path, content) in place.files() {
        let of_crate = CRATES.iter().any(|name| path.starts_with(&format!("{name}/")));
        if of_crate {
            put(&copy.join(path), &content);
        }
    }
    let manifest = String::from_utf8(read(&root.join("Cargo.toml"))).expect("UTF-8");
    let members = manifest.lines().map(|line| if line.starts_with("members = ") { "members = []" } else { line });
    put(&copy.join("Cargo.toml"), members.collect::<Vec<_>>().join("\n").as_bytes());
    copy
}

fn copy_sources(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("readable") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        if path.is_dir() && !["target", "tests", "benches"].iter().any(|other| name == *other) {
            copy_sources(&path, &to.join(name));
        } else if path.is_file() {
            put(&to.join(name), &read(&path));
        }
    }
}

/// Writes what is new, so that the compiler has nothing to do for the rest.
fn put(path: &Path, content: &[u8]) {
    if fs::read(path).ok().as_deref() != Some(content) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(path, content).expect("writable");
    }
}

/// The compiler's messages about an agent with these handlers, and whether it compiles.
fn compiled(toolkit: &Path, name: &str, handlers: &str) -> (bool, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = toolkit.with_file_name(name);
    let manifest = format!(
        "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nacp-runtime = {{ package = \
         \"acp-agent-runtime\", path = {:?}, features = [\"unstable\"] }}\n\n[workspace]\n",
        toolkit.join("acp-runtime")
    );
    put(&folder.join("Cargo.toml"), manifest.as_bytes());
    put(&folder.join("Cargo.lock"), &read(&root.join("Cargo.lock")));
    let source = format!(
        "//! An agent of drafts.\n\nuse acp_runtime::{{prelude::*, schema::v1::*}};\n\n#[acp_agent]\n#[derive(Clone)]\nstruct Agent;\n\n\
         #[acp_agent]\nimpl Agent {{\n    async fn prompt(&self) -> StopReason {{\n        StopReason::EndTurn\n    }}\n\
         {handlers}}}\n"
    );
    put(&folder.join("src/lib.rs"), source.as_bytes());
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--offline", "--color", "never"]).current_dir(&folder).stdin(Stdio::null());
    let output = cargo.env("CARGO_TARGET_DIR", toolkit.with_file_name("target")).output().expect("cargo starts");
    (output.status.success(), String::from_utf8(output.stderr).expect("UTF-8"))
}

#[test]
fn authors_are_told_at_their_functions() {
    let toolkit = toolkit(&pulled());
    let promoted = "
    async fn list_sessions(&self) -> ListSessionsResponse {
        ListSessionsResponse::new(Vec::new())
    }

    #[draft]
    async fn archive_session(&self, _: ArchiveSessionRequest) {}

    #[draft]
    async fn unarchive_session(&self, _: UnarchiveSessionRequest) {}
";
    let (compiles, said) = compiled(&toolkit, "promoted", promoted);
    assert!(compiles, "{said}");
    let warning = "`session/unarchive` is stable since 98.7.6: remove `#[draft]`";
    assert!(said.contains(warning) && said.contains("--> src/lib.rs:22:7"), "{said}");
    assert!(said.contains("generated 1 warning"), "{said}");
    let (compiles, said) =
        compiled(&toolkit, "promoted", &promoted.replace("#[draft]\n    async fn un", "async fn un"));
    assert!(compiles && !said.contains("warning"), "{said}");

    let gone = "
    #[draft]
    async fn auth_status(&self) {}

    #[draft]
    async fn set_session_title(&self, _: RetitleSessionRequest) -> Result<RetitleSessionResponse> {
        Err(Error::internal_error(\"no\"))
    }

    #[draft]
    async fn list_providers(&self, _: ListProvidersRequest) -> ListProvidersResponse {
        ListProvidersResponse::new(Vec::new())
    }

    #[draft]
    async fn disable_provider(&self, _: DisableProviderRequest) {}

    #[draft]
    async fn set_provider(&self, request: SetProviderRequest) {
        drop(request.base_url);
    }
";
    let (compiles, said) = compiled(&toolkit, "gone", gone);
    assert!(!compiles);
    for text in [
        "error: `auth/status` was withdrawn in 98.7.6",
        "error: `session/set_title` is called `session/retitle` since 98.7.6",
        "help: name the function `retitle_session`",
        "error[E0609]: no field `base_url` on type",
        "could not compile `gone` (lib) due to 3 previous errors",
    ] {
        assert!(said.contains(text), "`{text}` is not said: {said}");
    }
    let places = said.lines().filter_map(|line| line.trim_start().strip_prefix("--> "));
    let elsewhere: Vec<_> = places.filter(|place| !place.starts_with("src/lib.rs:")).collect();
    assert!(elsewhere.is_empty(), "{said}");
}
