//! The checked-in schema equals the published files, and the files that are generated from it are up to date.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use acp_codegen::drafts::{self, Moved};
use acp_codegen::{Builder, Generated, Tables, write_if_changed};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::methods::{METHODS, Side};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    package: String,
    version: String,
    license: String,
    integrity: String,
    files: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    path: PathBuf,
    /// The path of the file in the package.
    from: PathBuf,
    sha256: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The builder for a version, with drafts or only with the stable part.
fn version(number: u8, unstable: bool) -> Builder {
    let schema = root().join(format!("schema/v{number}"));
    let builder = Builder::new().overlay(schema.join("overlay.json"));
    if unstable {
        builder.schema(schema.join("schema.unstable.json")).stable(schema.join("schema.json"))
    } else {
        builder.schema(schema.join("schema.json"))
    }
}

fn generated(number: u8, unstable: bool) -> Generated {
    version(number, unstable).generate().unwrap_or_else(|error| panic!("{error}"))
}

fn tables() -> Tables {
    acp_codegen::tables(&[(1, version(1, true)), (2, version(2, true))]).unwrap_or_else(|error| panic!("{error}"))
}

fn manifest() -> Manifest {
    serde_json::from_str(&fs::read_to_string(root().join("schema/manifest.json")).unwrap()).unwrap()
}

#[test]
fn the_schema_is_as_published() {
    let Manifest { package, version, license, integrity, files } = manifest();
    assert_eq!((package.as_str(), license.as_str()), ("@agentclientprotocol/sdk", "Apache-2.0"));
    assert_eq!(version.split('.').count(), 3, "{version}");
    assert!(integrity.starts_with("sha512-"), "{integrity}");
    for Entry { path, from, sha256 } in files {
        let content = fs::read(root().join("schema").join(&path)).unwrap();
        let digest: String = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, sha256, "{} differs from {} of the package", path.display(), from.display());
    }
}

#[test]
fn the_manifest_knows_every_schema() {
    let known: Vec<PathBuf> = manifest().files.into_iter().map(|entry| entry.path).collect();
    let schema = root().join("schema");
    let mut found = 0;
    let folders = fs::read_dir(&schema).unwrap().map(|entry| entry.unwrap().path());
    for version in folders.filter(|path| path.is_dir() && !path.ends_with("src")) {
        for file in fs::read_dir(version).unwrap().map(|entry| entry.unwrap().path()) {
            let path = file.strip_prefix(&schema).unwrap();
            if !path.ends_with("overlay.json") {
                assert!(known.contains(&path.to_owned()), "{} is not in the manifest", path.display());
                found += 1;
            }
        }
    }
    assert!(found > 0, "there is no schema");
}

/// Fails if a file is out of date. It also writes the right content, so the author only has to commit the file.
fn up_to_date(file: &str, content: &str) {
    let changed = write_if_changed(&root().join(file), content).unwrap();
    assert!(!changed, "{file} was out of date; it has been rewritten, commit it");
}

#[test]
fn the_macros_know_the_methods_of_the_schema() {
    up_to_date("acp-macros/src/methods.rs", &tables().macros);
}

fn drafts() -> drafts::Tables {
    let moved = serde_json::from_str::<Vec<Moved>>(&fs::read_to_string(root().join("schema/moved.json")).unwrap());
    drafts::tables(&[(1, version(1, true)), (2, version(2, true))], &moved.unwrap())
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_macros_know_the_drafts_of_the_schema() {
    up_to_date("acp-macros/src/drafts.rs", &drafts().macros);
}

#[test]
fn the_runtime_knows_the_drafts_of_the_schema() {
    up_to_date("acp-runtime/core/src/agent/drafts/table.rs", &drafts().runtime);
}

/// Without its entry, a draft would imply no capability.
#[test]
fn the_overlay_has_each_draft_that_agents_handle() {
    let overlay: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(root().join("schema/v1/overlay.json")).unwrap()).unwrap();
    let entries = overlay["drafts"].as_array().unwrap();
    for method in METHODS.iter().filter(|method| method.draft && method.side == Side::Agent) {
        let has_entry = entries.iter().any(|entry| entry["method"] == method.wire);
        assert!(has_entry, "schema/v1/overlay.json has no entry of `drafts` for `{}`", method.wire);
    }
    for number in [1, 2] {
        let unmatched = drafts::unmatched(&version(number, true)).unwrap();
        assert!(unmatched.is_empty(), "v{number}: {unmatched:?}");
    }
}

#[test]
fn the_page_shows_the_methods_of_the_schema() {
    up_to_date("schema/src/methods.md", &tables().page);
}

#[test]
fn the_runtime_knows_the_words_of_the_schema() {
    up_to_date("acp-peer/src/wire/words.rs", &tables().words);
}

#[test]
fn the_macro_of_clients_knows_the_updates_of_the_schema() {
    up_to_date("acp-macros/src/updates.rs", &tables().updates);
}

#[test]
fn clients_know_what_the_schema_has_for_them() {
    up_to_date("acp-client/src/contract/protocol.rs", &tables().client);
}

#[test]
fn every_entry_of_an_overlay_matches_something() {
    for number in [1, 2] {
        let stable = generated(number, false).unused;
        let unused: Vec<String> =
            generated(number, true).unused.into_iter().filter(|entry| stable.contains(entry)).collect();
        assert!(unused.is_empty(), "entries of schema/v{number}/overlay.json that match nothing any more: {unused:?}");
    }
}

/// Without its entry, such a definition becomes a map. Clients and agents could still use it, but its name would get no
/// `new()`, and fields that it gets later would break authors' code.
#[test]
fn a_capability_without_properties_is_a_struct() {
    for number in [1, 2] {
        let read = |file: &str| -> serde_json::Value {
            let path = root().join(format!("schema/v{number}/{file}"));
            serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
        };
        let overlay = read("overlay.json");
        let structs: Vec<_> = overlay["structs"].as_array().into_iter().flatten().map(|entry| &entry["type"]).collect();
        for file in ["schema.json", "schema.unstable.json"] {
            for (name, definition) in read(file)["$defs"].as_object().unwrap() {
                let is_empty = definition["properties"].as_object().is_none_or(serde_json::Map::is_empty);
                let is_capability = name.ends_with("Capabilities") && definition["type"] == "object";
                assert!(
                    !is_capability || !is_empty || structs.iter().any(|listed| *listed == name),
                    "`{name}` has no properties: add it to `structs` in schema/v{number}/overlay.json, or it becomes a map"
                );
            }
        }
    }
}

#[test]
fn every_definition_is_generated() {
    for (number, unstable) in [(1, false), (1, true), (2, false), (2, true)] {
        let file = if unstable { "schema.unstable.json" } else { "schema.json" };
        let file = root().join(format!("schema/v{number}/{file}"));
        let schema: serde_json::Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let published = schema["$defs"].as_object().unwrap().len();
        assert_eq!(generated(number, unstable).definitions, published, "{}", file.display());
    }
}

#[test]
fn drafts_say_so() {
    for number in [1, 2] {
        let (all, stable) = (generated(number, true).rust, generated(number, false).rust);
        let lines: Vec<_> = all.lines().collect();
        let marker = |line: &&str| line.starts_with("pub struct ") && line.ends_with(';');
        for (at, marker) in lines.iter().enumerate().filter(|(_, line)| marker(line)) {
            let docs = lines[..at].iter().rev().take_while(|line| line.starts_with("///") || line.starts_with("#["));
            let says_so = docs.clone().any(|line| line.contains("UNSTABLE") || line.contains("**Draft**"));
            assert_eq!(says_so, !stable.contains(marker), "{marker} of version {number}");
        }
    }
}
