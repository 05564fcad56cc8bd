//! The checked-in schema is what was published, and what is generated from it is up to date.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use acp_codegen::{Builder, Generated, write_if_changed};
use serde::Deserialize;
use sha2::{Digest, Sha256};

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
    /// Where it stands in the package.
    from: PathBuf,
    sha256: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn v1() -> Generated {
    let schema = root().join("schema/v1");
    let builder = Builder::new().schema(schema.join("schema.json")).overlay(schema.join("overlay.json"));
    builder.generate().unwrap_or_else(|error| panic!("{error}"))
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
    for version in fs::read_dir(&schema).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
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

/// Like the drift test of prost-build: it repairs the file, and fails so that nobody commits without it.
#[test]
fn the_macros_know_the_methods_of_the_schema() {
    let path = root().join("acp-macros/src/methods.rs");
    let changed = write_if_changed(&path, &v1().macro_table).unwrap();
    assert!(!changed, "acp-macros/src/methods.rs was out of date; it has been rewritten, commit it");
}

#[test]
fn every_entry_of_the_overlay_matches_something() {
    let unused = v1().unused;
    assert!(unused.is_empty(), "entries of schema/v1/overlay.json that match nothing any more: {unused:?}");
}

#[test]
fn every_definition_is_generated() {
    assert_eq!(v1().definitions, 178);
}
