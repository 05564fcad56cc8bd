//! A crate that depends only on `acp-schema`, such as a proxy or a store, generates its own types.

use std::path::Path;

use acp_codegen::{Builder, Error};

use crate::compile;

fn acme() -> Builder {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let v1 = root.join("schema/v1");
    Builder::new()
        .schema(v1.join("schema.json"))
        .overlay(v1.join("overlay.json"))
        .overlay(root.join("examples/vendor/acme.json"))
}

fn every_shape() -> Builder {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    Builder::new().schema(folder.join("every_shape.json")).overlay(folder.join("every_shape.overlay.json"))
}

#[test]
fn code_compiles_beside_the_schema_alone() {
    let generate = |builder: Builder| builder.generate().unwrap_or_else(|error| panic!("{error}"));
    let modules = [("acme", acme()), ("every_shape", every_shape())];
    let modules = modules.map(|(name, builder)| (name.to_owned(), generate(builder.crate_path("::acp_schema"))));
    for (_, generated) in &modules {
        assert!(!generated.rust.contains("acp_runtime"), "nothing names the runtime");
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schema_alone");
    compile::check_beside(&folder, "acp-schema", &modules);
}

#[test]
fn only_the_path_differs() {
    let of = |builder: Builder| builder.generate().unwrap_or_else(|error| panic!("{error}")).rust;
    // The path is as long as the usual one, so the line breaks of the code are the same.
    let (usual, other) = (of(every_shape()), of(every_shape().crate_path("::another_one::module")));
    assert!(usual.replace("::acp_runtime::schema", "::another_one::module") == other, "{other}");
    assert_eq!(of(every_shape().crate_path("::acp_runtime::schema")), usual);
}

#[test]
fn a_path_that_not_every_module_knows_is_refused() {
    for path in ["", "a b", "super::schema", "self", "::acp<T>", "acp-schema", "acp_schema::"] {
        let error = every_shape().crate_path(path).generate().expect_err(path);
        assert!(matches!(&error, Error::CratePath(given) if given == path), "{error:?}");
        assert!(error.to_string().contains("give one such as `::acp_schema`"), "{error}");
    }
    for path in ["::acp_schema", "acp_schema", "crate", "crate::schema"] {
        every_shape().crate_path(path).generate().unwrap_or_else(|error| panic!("{error}"));
    }
}
