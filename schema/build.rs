//! Generates the protocol's types from the published schemas into `OUT_DIR`; `src/lib.rs` includes them.
//!
//! Generates only the parts that the features enable: drafts with `unstable`, version 2 with `v2`.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    let unstable = env::var_os("CARGO_FEATURE_UNSTABLE").is_some();
    let mut versions = vec!["v1"];
    versions.extend(env::var_os("CARGO_FEATURE_V2").map(|_| "v2"));
    for version in versions {
        if let Err(error) = types(version, unstable).compile(version) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn types(version: &str, unstable: bool) -> acp_codegen::Builder {
    let file = |name: &str| format!("{version}/{name}.json");
    let builder = acp_codegen::Builder::new().overlay(file("overlay")).crate_path("crate");
    if unstable {
        builder.schema(file("schema.unstable")).stable(file("schema"))
    } else {
        builder.schema(file("schema"))
    }
}
