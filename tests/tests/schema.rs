//! The checked-in schema is what was published, and what is generated from it is up to date.

use std::path::{Path, PathBuf};

use acp_codegen::{Builder, Generated, write_if_changed};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn v1() -> Generated {
    let schema = root().join("schema/v1");
    let builder = Builder::new().schema(schema.join("schema.json")).overlay(schema.join("overlay.json"));
    builder.generate().unwrap_or_else(|error| panic!("{error}"))
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
