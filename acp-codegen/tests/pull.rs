//! `pull`, `fetch`, and the downloads of `diff`. The command runs as a process, with a program that answers like npm
//! (`registry`).

#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::registry::{self, Files, Place, package, read, version, write};
use serde_json::{Value, json};

/// Changes a JSON file.
fn edit(content: &mut Vec<u8>, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_slice(content).expect("JSON");
    change(&mut value);
    *content = format!("{value:#}\n").into_bytes();
}

/// The schemas of protocol version 1 in a package.
const V1: [&str; 2] = ["schema/v1/schema.json", "schema/v1/schema.unstable.json"];

/// The package of the workspace, with a change to both schemas of protocol version 1.
fn changed(change: impl Fn(&mut Value)) -> Files {
    let mut package = package();
    for path in V1 {
        edit(package.get_mut(path).expect("it has it"), &change);
    }
    package
}

/// A package with a further method, a further field and another licence.
fn newer() -> Files {
    let mut newer = changed(|schema| {
        let payload = |properties: Value| json!({ "type": "object", "properties": properties, "x-side": "agent", "x-method": "session/ponder" });
        let definitions = &mut schema["$defs"];
        definitions["PonderRequest"] = payload(json!({ "about": { "type": "string" } }));
        definitions["PonderResponse"] = payload(json!({}));
        definitions["ListSessionsRequest"]["properties"]["limit"] = json!({ "type": ["integer", "null"] });
    });
    newer.get_mut("LICENSE").expect("it has one").extend(b"\nWith an appendix.\n");
    newer
}

/// The names of the files that the output reports as written.
fn written(err: &str) -> Vec<&str> {
    err.lines().filter_map(|line| line.strip_suffix(" written")).collect()
}

#[test]
fn the_version_that_is_there_changes_nothing() {
    let place = Place::new();
    let before = place.files();
    for argument in ["latest", &version()] {
        let ran = place.run(&["pull", argument]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.err.ends_with(&format!("everything is at @agentclientprotocol/sdk {} already\n", version())));
        assert_eq!(ran.out.matches("same: the two give the same API").count(), 2, "{}", ran.out);
        assert!(place.files() == before, "something changed");
    }
}

#[test]
fn a_newer_version_and_back() {
    let place = Place::new();
    let before = place.files();
    let newer = newer();
    place.publish("98.7.6", &newer);
    let mut view = place.view("98.7.6");
    view["license"] = json!("Apache-2.0 AND \"an appendix\"");
    place.answer("98.7.6", &view);

    let ran = place.run(&["pull", "98.7.6"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for words in ["98.7.6 v1/schema.unstable.json\n", "session/ponder", "ListSessionsRequest.limit", "\ncompatible: "] {
        assert!(ran.out.contains(words), "`{words}` is not said: {}", ran.out);
    }
    let after = place.files();
    assert!(after.keys().eq(before.keys()), "files came or went");
    let mut differing: Vec<&str> =
        after.iter().filter(|(path, content)| before[*path] != **content).map(|(path, _)| path.as_str()).collect();
    let mut said = written(&ran.err);
    said.sort_unstable();
    differing.sort_unstable();
    assert_eq!(said, differing);

    for path in V1 {
        assert!(after[path] == newer[path], "{path} is not as published");
    }
    assert!(after["schema/LICENSE"] == newer["LICENSE"]);
    let manifest: Value = serde_json::from_slice(&after["schema/manifest.json"]).expect("JSON");
    for (key, of_npm) in [("version", "version"), ("license", "license"), ("integrity", "dist.integrity")] {
        assert_eq!(manifest[key], view[of_npm]);
    }
    let mentions = |path: &&&str| String::from_utf8_lossy(&after[**path]).contains("session/ponder");
    let mentioning = differing.iter().filter(mentions).count();
    assert_eq!(mentioning, 4, "two schemas, the table of the macros and the page: {differing:?}");
    let check = place.run(&["check"]);
    assert_eq!((check.code, check.out.as_str()), (Some(0), "everything is up to date\n"), "{}", check.err);

    let ran = place.run(&["pull", &version()]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("\nbreaking: "), "a method is gone: {}", ran.out);
    assert!(place.files() == before, "the old version is not as it was");
}

#[test]
fn an_archive_with_another_digest() {
    let place = Place::new();
    place.publish("98.7.6", &newer());
    let mut view = place.view("98.7.6");
    view["dist.integrity"] = place.view(&version())["dist.integrity"].clone();
    place.answer("98.7.6", &view);
    place.refuses("98.7.6", &["the archive of @agentclientprotocol/sdk 98.7.6 is not what was published"]);
}

/// A published version never changes, so the digest in the manifest still holds.
#[test]
fn a_version_that_was_published_anew() {
    let place = Place::new();
    place.publish(&version(), &newer());
    place.refuses(&version(), &["another digest", "schema/manifest.json"]);
}

#[test]
fn a_package_without_one_of_the_files() {
    let place = Place::new();
    for path in ["schema/v2/schema.json", "LICENSE"] {
        let mut package = newer();
        package.remove(path);
        place.publish("98.7.6", &package);
        place.refuses("98.7.6", &["98.7.6 has no ", path]);
    }
}

/// The error names the place in the package. It does not name a temporary folder, because that folder no longer exists.
#[test]
fn a_schema_that_cannot_be_generated_from() {
    let place = Place::new();
    let mut package = newer();
    edit(package.get_mut("schema/v2/schema.unstable.json").expect("it has it"), |schema| {
        schema["$defs"]["Odd"] = json!({ "if": { "type": "string" } });
    });
    place.publish("98.7.6", &package);
    let ran = place.refuses("98.7.6", &["98.7.6", " schema/v2/schema.unstable.json#/$defs/Odd", "`if`"]);
    assert!(!ran.err.contains("temporary"), "{}", ran.err);
    package.insert("schema/v2/schema.unstable.json".to_owned(), b"{".to_vec());
    place.publish("98.7.6", &package);
    place.refuses("98.7.6", &["98.7.6", " schema/v2/schema.unstable.json is not readable as JSON"]);
}

#[test]
fn a_place_that_cannot_be_written_to() {
    let place = Place::new();
    place.publish("98.7.6", &newer());
    fs::remove_dir_all(place.workspace().join("acp-macros/src")).expect("it is there");
    place.refuses("98.7.6", &["cannot write ", "acp-macros/src/methods.rs"]);
}

#[test]
fn versions_that_nobody_knows() {
    let place = Place::new();
    for wanted in ["99.0.0", "nightly", ">=99"] {
        place.refuses(wanted, &[&format!("npm knows no version {wanted} of "), "No match found", "npm view "]);
    }
    // Clients before npm 11 printed nothing, and reported success.
    write(&place.registry().join("99.0.0/view.json"), b"");
    place.refuses("99.0.0", &["npm knows no version 99.0.0 of "]);
    place.answer("99.0.0", &json!([]));
    place.refuses("99.0.0", &["npm knows no version 99.0.0 of "]);
    place.answer(">=1", &json!([place.view(&version()), place.view(&version())]));
    place.refuses(">=1", &["`>=1` means several versions; name one"]);
    assert!(!place.calls().iter().any(|call| call.contains(": pack ")), "{:?}", place.calls());
    let asked = place.calls().len();
    place.refuses("1.0;x", &["`1.0;x` is no version"]);
    assert_eq!(place.calls().len(), asked);
}

#[test]
fn npm_is_missing_or_fails() {
    let place = Place::new();
    let before = place.files();
    let nowhere = tempfile::tempdir().expect("a temporary folder");
    let ran = place.run_with(&["pull"], &[("PATH", nowhere.path())]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""));
    assert!(ran.err.contains("error: cannot run `npm`: ") && ran.err.contains("install Node.js"), "{}", ran.err);

    write(&place.registry().join("outage"), b"request to the registry failed");
    let ran =
        place.refuses("latest", &["`npm` failed", "npm error code ECONNREFUSED", "request to the registry failed"]);
    assert!(!ran.err.contains("nodedir"), "warnings are not why it failed: {}", ran.err);
    let ran = place.run_with(&["pull"], &[("npm_config_loglevel", Path::new("silent"))]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("request to the registry failed"), "{}", ran.err);
    fs::remove_file(place.registry().join("outage")).expect("it is there");

    // The registry lists this version, but does not deliver it.
    fs::remove_file(place.registry().join(version()).join("archive.tgz")).expect("it is there");
    place.refuses(&version(), &["npm error code ETARGET"]);
    assert!(place.files() == before, "something changed");
}

/// A folder may set its own registry, and a user may set another folder for archives.
#[test]
fn npm_is_asked_from_where_the_command_is_run() {
    let place = Place::new();
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    let ran = place.run_with(&["pull"], &[("npm_config_pack_destination", elsewhere.path())]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let here = place.workspace().canonicalize().expect("it is there");
    let calls = place.calls();
    assert_eq!(calls.len(), 2, "{calls:?}");
    for call in &calls {
        assert!(call.starts_with(&format!("{}: ", here.display())), "{call}");
    }
    assert!(calls[1].contains(" --ignore-scripts"), "{}", calls[1]);
}

#[test]
fn archives_that_are_none_or_reach_out_of_their_folder() {
    let place = Place::new();
    place.publish_archive("98.7.6", b"<html>Sign in to the proxy</html>");
    place.refuses("98.7.6", &["the archive of @agentclientprotocol/sdk 98.7.6 is refused: `tar` failed"]);

    let folder = tempfile::tempdir().expect("a temporary folder");
    let inner = folder.path().join("inner");
    for (path, content) in newer() {
        write(&inner.join("package").join(path), &content);
    }
    write(&folder.path().join("outside"), b"");
    place.publish_folder("98.7.6", &inner, &["package", "../outside"]);
    place.refuses("98.7.6", &["98.7.6 is refused: `tar` failed", "../outside"]);

    let secret = folder.path().join("secret");
    write(&secret, b"not for the repository");
    let license = inner.join("package/LICENSE");
    fs::remove_file(&license).and_then(|()| symlink(&secret, &license)).expect("writable");
    place.publish_folder("98.7.6", &inner, &["package"]);
    place.refuses("98.7.6", &["98.7.6 is refused: `package/LICENSE` is neither a file nor a folder"]);
}

#[test]
fn an_overlay_entry_that_matches_nothing_any_more() {
    let place = Place::new();
    let without = changed(|schema| {
        let codes = schema["$defs"]["ErrorCode"]["anyOf"].as_array_mut().expect("a union");
        codes.retain(|code| code.get("const") != Some(&json!(-32000)));
    });
    place.publish("98.7.6", &without);
    let ran = place.run(&["pull", "98.7.6"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let warnings: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("warning: ")).collect();
    let entry = "v1/overlay.json: variants: ErrorCode -32000";
    assert!(matches!(warnings[..], [one] if one.ends_with(entry)), "{}", ran.err);
    let check = place.run(&["check"]);
    assert_eq!(check.code, Some(1));
    assert_eq!(check.out, format!("an entry of an overlay matches nothing any more: {entry}\n"));
}

#[test]
fn outside_a_workspace_and_in_another_ones() {
    let place = Place::empty();
    place.refuses("latest", &["there is no schema/manifest.json here or above"]);
    let manifest = json!({ "package": "left-pad", "version": "1.0.0", "license": "", "integrity": "", "files": [] });
    write(&place.workspace().join("schema/manifest.json"), manifest.to_string().as_bytes());
    place.refuses("latest", &["the manifest is one of left-pad"]);
    assert!(place.calls().is_empty(), "{:?}", place.calls());
}

#[test]
fn fetch_keeps_each_version_in_a_folder() {
    let place = Place::empty();
    let into = place.workspace().join("history");
    let old = ["schema/schema.json", "schema/README.md", "dist/x.js"].map(|path| (path.to_owned(), b"{}".to_vec()));
    place.publish("98.7.5", &Files::from(old));
    place.publish("98.7.6", &newer());
    place.answer(">=98", &json!([place.view("98.7.6"), place.view("98.7.5")]));
    let ran = place.run(&["fetch", ">=98", "98.7.6", "--into", "history"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    let kept: Vec<String> = registry::files(&into).into_keys().collect();
    let expected = ["98.7.5/schema.json", "98.7.6/v1/schema.json", "98.7.6/v1/schema.unstable.json"];
    assert_eq!(kept[..3], expected);
    assert_eq!(kept.len(), 5, "{kept:?}");
    assert!(read(&into.join("98.7.6/v1/schema.json")) == newer()[V1[0]]);

    let asked = place.calls().len();
    let again = place.run(&["fetch", "98.7.5", "98.7.6", "--into", "history"]);
    assert_eq!((again.code, place.calls().len()), (Some(0), asked), "{}", again.err);
}

#[test]
fn fetch_keeps_nothing_of_what_is_refused() {
    let place = Place::empty();
    place.publish("98.7.5", &Files::from([("README.md".to_owned(), vec![])]));
    let fails = |version: &str, words: &str| {
        let ran = place.run(&["fetch", version, "--into", "history"]);
        assert_eq!(ran.code, Some(3), "{}", ran.err);
        assert!(ran.err.contains(words), "{}", ran.err);
        assert!(place.files().is_empty(), "{:?}", place.files().keys());
    };
    fails("98.7.5", "@agentclientprotocol/sdk 98.7.5 has no folder schema");
    place.publish("98.7.6", &newer());
    place.answer("98.7.6", &json!({ "version": "98.7.6", "license": "MIT", "dist.integrity": "sha512-x" }));
    fails("98.7.6", "is not what was published");
    fails("98.7.4", "npm knows no version 98.7.4 of ");
    fs::create_dir(place.workspace().join("history")).expect("writable");
    fails(".", "`.` is no version");
}

#[test]
fn diff_fetches_versions_once() {
    let place = Place::new();
    place.publish("98.7.6", &newer());
    for expected in [4, 4] {
        let ran = place.run(&["diff", &version(), "98.7.6"]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.out.contains("session/ponder"), "{}", ran.out);
        assert_eq!(place.calls().len(), expected, "{:?}", place.calls());
    }
    let ran = place.run(&["diff", "98.7.6", &version(), "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &report["verdict"]), (Some(2), &json!("breaking")));
}
