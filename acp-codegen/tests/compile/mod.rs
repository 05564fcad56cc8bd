//! Compiles generated modules in a crate, as a user does.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use acp_codegen::Generated;

/// Runs a program that has these modules, with `input` on stdin. Returns its output.
#[allow(dead_code, reason = "not every test runs what it compiles")]
pub(crate) fn run(folder: &Path, modules: &[(String, Generated)], main: &str, input: &str) -> String {
    prepare(folder, "acp-agent-runtime", modules);
    acp_codegen::write_if_changed(&folder.join("src/main.rs"), main).expect("target is writable");
    // The input is a file, because a pipe could fill up while nobody reads the output.
    fs::write(folder.join("input"), input).expect("target is writable");
    let input = fs::File::open(folder.join("input")).expect("it was written a moment ago");
    cargo(folder, &["run", "--quiet", "--offline"], Stdio::from(input)).unwrap_or_else(|errors| panic!("\n{errors}"))
}

/// Checks a crate in `folder` with these named modules. Its dependencies are built beside it, and the next check uses
/// them again.
#[allow(dead_code, reason = "not every test only compiles")]
pub(crate) fn check(folder: &Path, modules: &[(String, Generated)]) {
    check_beside(folder, "acp-agent-runtime", modules);
}

/// Checks the modules in a crate that depends on one crate of the toolkit, and on no other of its crates.
#[allow(dead_code, reason = "not every test names a crate")]
pub(crate) fn check_beside(folder: &Path, dependency: &str, modules: &[(String, Generated)]) {
    prepare(folder, dependency, modules);
    cargo(folder, &["check", "--quiet", "--offline"], Stdio::null()).unwrap_or_else(|errors| panic!("\n{errors}"));
}

/// The errors of a program that has these modules.
#[allow(dead_code, reason = "not every test makes mistakes")]
pub(crate) fn errors(folder: &Path, modules: &[(String, Generated)], main: &str) -> String {
    prepare(folder, "acp-agent-runtime", modules);
    acp_codegen::write_if_changed(&folder.join("src/main.rs"), main).expect("target is writable");
    cargo(folder, &["check", "--quiet", "--offline"], Stdio::null()).expect_err("it does not compile")
}

fn prepare(folder: &Path, dependency: &str, modules: &[(String, Generated)]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::create_dir_all(folder.join("src")).expect("target is writable");
    let mut library = String::from("//! Generated modules.\n");
    for (name, generated) in modules {
        generated.write(&folder.join("src").join(format!("{name}.rs"))).expect("target is writable");
        writeln!(library, "#[allow(missing_docs)]\npub mod {name};").expect("a string");
    }
    let path = match dependency {
        "acp-schema" => "schema",
        "acp-agent-runtime" => "acp-runtime",
        other => other,
    };
    // Each program has its own name. Two programs with one name would replace each other.
    let name = folder.file_name().and_then(|name| name.to_str()).expect("a folder with a name");
    let manifest = format!(
        "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[lib]\nname = \"generated_modules\"\n\n\
         [workspace]\n\n[dependencies]\n\
         {dependency} = {{ path = {:?} }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\n\
         serde_json = {{ version = \"1\", features = [\"raw_value\"] }}\n",
        root.join(path).canonicalize().expect("the crate is there"),
    );
    let write = |path: &str, content: &str| {
        acp_codegen::write_if_changed(&folder.join(path), content).expect("target is writable")
    };
    write("src/lib.rs", &library);
    write("Cargo.toml", &manifest);
    // The crate uses the versions of the workspace. Cargo removes the entries that the crate does not need.
    write("Cargo.lock", &fs::read_to_string(root.join("Cargo.lock")).expect("the workspace is locked"));
}

/// Runs cargo. Returns its output, or the errors.
fn cargo(folder: &Path, arguments: &[&str], input: Stdio) -> Result<String, String> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(arguments).current_dir(folder).stdin(input);
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("history").join("build");
    cargo.env("CARGO_TARGET_DIR", build).env("CARGO_INCREMENTAL", "0").env_remove("RUSTFLAGS");
    let output = cargo.output().expect("cargo runs");
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout).expect("what is printed is text"));
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}
