//! `acp new`: a package that builds, and whose test passes.

use std::{fs, path::Path, process::Command};

use crate::acp::acp;

const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Cargo, in a package, with what the tests of this checkout have built already.
fn cargo(package: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--offline")
        .current_dir(package)
        .env("CARGO_TARGET_DIR", Path::new(CHECKOUT).join("target"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_new_package_builds_and_its_test_passes() {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("my-first-agent");
    let path = package.to_str().unwrap();
    let ran = acp(["new", path, "--toolkit", CHECKOUT]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert!(ran.stderr.contains("cargo test"), "{ran:?}");
    // Offline, cargo needs the versions that this checkout has.
    fs::copy(Path::new(CHECKOUT).join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    cargo(&package, &["test", "--quiet"]);
    let agent = Path::new(CHECKOUT).join("target/debug/my-first-agent");
    cargo(&package, &["build", "--quiet"]);
    let ran = acp(["exec", "hi", "--set", "times=2", "--", agent.to_str().unwrap()]);
    assert_eq!((ran.exit, &*ran.stdout), (0, "hihi\n"), "{ran:?}");
    fs::remove_file(agent).unwrap();

    acp(["new", path]).failed(2, &["exists already"]);
}

#[test]
fn a_package_needs_a_name_and_a_toolkit() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["Agent", "1st", "a b", "\u{fc}ber"] {
        acp(["new", &at(name)]).failed(2, &["is no name of a package"]);
    }
    acp(["new", &at("agent"), "--toolkit", "/usr"]).failed(2, &["/usr is no checkout"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // Without one, it is the checkout that the program was built from.
    let ran = acp(["new", &at("agent")]);
    let checkout = fs::canonicalize(CHECKOUT).unwrap();
    assert!(ran.exit == 0 && ran.stderr.contains(&format!("the checkout {}", checkout.display())), "{ran:?}");
    let manifest = fs::read_to_string(folder.path().join("agent/Cargo.toml")).unwrap();
    assert!(manifest.contains(&format!("path = \"{}/acp-runtime\"", checkout.display())), "{manifest}");
}
