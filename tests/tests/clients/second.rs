//! Clients on version 2 of the official TypeScript and Rust SDKs drive the examples: the same programs that clients of version 1
//! drive. The judge reads each conversation.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    process::Command,
};

use acp_client::testing::{Party, Tape, judge::judge};
use acp_tests::packages;

use crate::clients::{CODER, Client, drive, driver, node, target};

const ECHO: &str = env!("CARGO_BIN_EXE_echo-under-test");
const CONFORMANCE: &str = env!("CARGO_BIN_EXE_conformance-under-test");
const ASSISTANT: &str = env!("CARGO_BIN_EXE_assistant-under-test");

const TYPESCRIPT: Client =
    Client { packages: packages::TYPESCRIPT, driver: |installed| node(installed, "drive-v2.mjs") };

#[test]
fn a_client_of_version_2_on_the_typescript_sdk_drives_the_examples() {
    let Some(driver) = driver(&TYPESCRIPT).unwrap() else { return };
    drives_the_examples("typescript", driver);
}

/// The driver has the same checks as the one on the TypeScript SDK.
#[test]
fn a_client_of_version_2_on_the_rust_sdk_drives_the_examples() {
    let driver = packages::rust::build(target(), "drive-v2").unwrap();
    drives_the_examples("rust", Command::new(driver));
}

fn drives_the_examples(name: &str, driver: Command) {
    let scratch = tempfile::tempdir().unwrap();
    let driven = drive(driver, &[ECHO, CODER, CONFORMANCE, ASSISTANT], scratch.path());
    // The findings say more about a check that failed than its own words.
    let (tapes, findings) = judged(&scratch.path().join("tapes")).unwrap();
    assert!(findings.is_empty() && driven.is_ok(), "\n{driven:?}\n{findings:#?}");
    let checks = driven.unwrap();
    assert!(tapes >= checks, "{tapes} conversations of {checks} checks");
    // This goes to stderr directly, because the test harness hides the output of a passing test.
    let line = format!("clients of version 2: {name} {checks} checks, {tapes} conversations\n");
    io::stderr().write_all(line.as_bytes()).unwrap();
}

/// The number of tapes in a folder, and what the judge finds in them. Where a check breaks a rule on purpose, the name of the
/// tape says so, and the client is not judged.
pub(super) fn judged(folder: &Path) -> io::Result<(usize, Vec<String>)> {
    let (mut tapes, mut findings) = (0, Vec::new());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let tape = Tape::from_jsonl(&fs::read_to_string(&path)?)?;
        let name = path.file_name().unwrap_or_default().display().to_string();
        let mut found = judge(&tape);
        if name.ends_with(".wrong.jsonl") {
            found.retain(|finding| finding.by == Party::Agent);
        }
        findings.extend(found.iter().map(|finding| format!("{name}: {finding}")));
        tapes += 1;
    }
    Ok((tapes, findings))
}
