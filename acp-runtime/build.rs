//! Generates the protocol's types from the published schemas into `OUT_DIR`; `src/schema.rs` includes them.

use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    let v1 = acp_codegen::Builder::new().schema("../schema/v1/schema.json").overlay("../schema/v1/overlay.json");
    match v1.compile("v1") {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
