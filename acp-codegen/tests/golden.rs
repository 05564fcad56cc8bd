//! The generated code for a small schema with every shape. It is a file, so that reviewers read it. `acp-codec-tests`
//! compiles it.

use std::path::Path;

use acp_codegen::Builder;

#[test]
fn every_shape() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let builder =
        Builder::new().schema(folder.join("every_shape.json")).overlay(folder.join("every_shape.overlay.json"));
    let generated = builder.generate().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(generated.unused, [""; 0], "entries of the overlay without a use");
    let changed = generated.write(&folder.join("every_shape.rs")).expect("the golden file can be written");
    assert!(!changed, "tests/golden/every_shape.rs was out of date; it has been rewritten, review and commit it");
}
