//! Generates code for the library and its tests. The library gets the types of every published schema that `acp-schema`
//! does not hold by default. For each schema, it and the codec test also get the list of its definitions and messages, so
//! that the test cannot miss one. The test `foreign` gets the types of schemas from other projects.

#[path = "tests/codec/lacking.rs"]
mod lacking;
#[path = "build/matrix.rs"]
mod matrix;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use acp_codegen::{Builder, write_if_changed};
use heck::ToPascalCase as _;
use serde_json::Value;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    for (version, unstable) in [("v1", false), ("v1", true), ("v2", false), ("v2", true)] {
        let made = types(version, unstable).and_then(|()| list(version, unstable));
        if let Err(error) = made {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    let shapes = PathBuf::from("../../acp-codegen/tests/golden/foreign.json");
    let made = foreign("foreign", &shapes).and_then(|()| {
        let path = out("matrix.json");
        write_if_changed(&path, &matrix::schema().to_string())?;
        foreign("matrix", &path)
    });
    if let Err(error) = made {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The types of a schema from another project, and the list of its definitions.
fn foreign(name: &str, schema: &Path) -> acp_codegen::Result<()> {
    Builder::new().schema(schema).crate_path("::acp_schema").compile(name)?;
    let text = fs::read_to_string(schema).expect("it was generated from a moment ago");
    let root: Value = serde_json::from_str(&text).expect("it was generated from a moment ago");
    let definitions = root["$defs"].as_object().expect("it was generated from a moment ago");
    let list: String =
        definitions.keys().map(|name| format!("kept!({name:?}, {}),\n", name.to_pascal_case())).collect();
    let code = format!("pub(crate) fn list() -> Vec<(&'static str, Through)> {{ vec![{list}] }}\n");
    write_if_changed(&out(&format!("{name}_list.rs")), &code).map(drop)
}

fn out(file: &str) -> PathBuf {
    PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it for build scripts")).join(file)
}

fn name(version: &str, unstable: bool) -> String {
    if unstable { format!("{version}_unstable") } else { version.to_owned() }
}

fn file(version: &str, name: &str) -> PathBuf {
    Path::new("../../schema").join(version).join(name)
}

fn types(version: &str, unstable: bool) -> acp_codegen::Result<()> {
    let builder = Builder::new().overlay(file(version, "overlay.json")).crate_path("::acp_schema");
    let stable = file(version, "schema.json");
    let builder = if unstable {
        builder.schema(file(version, "schema.unstable.json")).stable(stable)
    } else {
        builder.schema(stable)
    };
    builder.compile(&name(version, unstable))
}

/// Writes a macro call for each definition: `pair!(Name)`, `alone!(Name)` if the reference crate lacks it, or
/// `envelope!(kind Name { payloads })` for a message.
fn list(version: &str, unstable: bool) -> acp_codegen::Result<()> {
    let schema = file(version, if unstable { "schema.unstable.json" } else { "schema.json" });
    let text = fs::read_to_string(&schema).expect("it was generated from a moment ago");
    let root: Value = serde_json::from_str(&text).expect("it was generated from a moment ago");
    let (mut pairs, mut envelopes) = (String::new(), String::new());
    for (name, definition) in root["$defs"].as_object().expect("it was generated from a moment ago") {
        if definition.get("x-docs-ignore").is_none() {
            let pair = if is_lacking(version, name) { "alone" } else { "pair" };
            let _ = match renamed(version, name) {
                Some(ours) => writeln!(pairs, "{pair}!({name} as {ours}),"),
                None => writeln!(pairs, "{pair}!({name}),"),
            };
            continue;
        }
        let kind = ["Request", "Response", "Notification"].into_iter().find(|kind| name.ends_with(kind));
        let kind = kind.expect("a message says its kind").to_lowercase();
        let mut payloads = payloads(definition);
        payloads.retain(|payload| !is_lacking(version, payload));
        let _ = writeln!(envelopes, "envelope!({kind} {name} {{ {} }}),", payloads.join(", "));
    }
    let code = format!(
        "pub(crate) fn pairs() -> Vec<(&'static str, Pair)> {{ vec![{pairs}] }}\n\
         pub(crate) fn envelopes() -> Vec<Envelope> {{ vec![{envelopes}] }}\n"
    );
    write_if_changed(&out(&format!("{}_list.rs", crate::name(version, unstable))), &code).map(drop)
}

/// Whether the reference crate lacks a definition.
fn is_lacking(version: &str, definition: &str) -> bool {
    lacking::LACKING.iter().any(|lacking| lacking.version == version && lacking.definition == definition)
}

/// The name that the overlay gives to a definition.
fn renamed(version: &str, definition: &str) -> Option<String> {
    let text = fs::read_to_string(file(version, "overlay.json")).expect("it was generated from a moment ago");
    let overlay: Value = serde_json::from_str(&text).expect("it was generated from a moment ago");
    let entry = overlay["names"].as_array()?.iter().find(|entry| entry["type"] == definition)?;
    entry["name"].as_str().map(ToOwned::to_owned)
}

/// The names of the definitions that a message lists, without those of extensions.
fn payloads(envelope: &Value) -> Vec<&str> {
    let list = match envelope.get("anyOf") {
        Some(branches) => &branches[0]["properties"]["result"]["anyOf"],
        None => &envelope["properties"]["params"]["anyOf"][0]["anyOf"],
    };
    let list = list.as_array().into_iter().flatten();
    let names = list.filter_map(|entry| entry["allOf"][0]["$ref"].as_str()?.strip_prefix("#/$defs/"));
    names.filter(|name| !name.starts_with("Ext")).collect()
}
