//! Compiles generated modules as they stand in a crate of a user.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use acp_codegen::Generated;

/// Checks a crate in `folder` with these modules, by name. What it depends on is built beside, and kept for the next.
pub(crate) fn check(folder: &Path, modules: &[(String, Generated)]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::create_dir_all(folder.join("src")).expect("target is writable");
    let mut library = String::from("//! Generated modules.\n");
    for (name, generated) in modules {
        generated.write(&folder.join("src").join(format!("{name}.rs"))).expect("target is writable");
        writeln!(library, "#[allow(missing_docs)]\npub mod {name};").expect("a string");
    }
    let manifest = format!(
        "[package]\nname = \"spread\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         acp-runtime = {{ path = {:?} }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\n\
         serde_json = {{ version = \"1\", features = [\"raw_value\"] }}\n",
        root.join("acp-runtime").canonicalize().expect("the runtime is there"),
    );
    let write = |path: &str, content: &str| {
        acp_codegen::write_if_changed(&folder.join(path), content).expect("target is writable")
    };
    write("src/lib.rs", &library);
    write("Cargo.toml", &manifest);
    // The same versions as everywhere else; cargo drops what the crate has no use for.
    write("Cargo.lock", &fs::read_to_string(root.join("Cargo.lock")).expect("the workspace is locked"));
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["check", "--quiet", "--offline"]).current_dir(folder);
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("history").join("build");
    cargo.env("CARGO_TARGET_DIR", build).env("CARGO_INCREMENTAL", "0").env_remove("RUSTFLAGS");
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "\n{}", String::from_utf8_lossy(&output.stderr));
}
