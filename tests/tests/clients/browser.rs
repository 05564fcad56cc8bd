//! Debian's Chromium drives the page that `coder` serves beside its endpoint.

use std::{
    io::{self, Write as _},
    process::Command,
};

use acp_tests::packages::{self, BROWSER};

use crate::clients::{CODER, drive, node, target};

#[test]
fn a_browser_drives_the_page_of_coder() {
    let Some(installed) = BROWSER.install(target()).unwrap() else { return };
    let mut driver = node(&installed, "drive.mjs").unwrap();
    driver.env("CHROMIUM", packages::chromium().unwrap());
    let scratch = tempfile::tempdir().unwrap();
    let checks = drive(driver, &[CODER], scratch.path()).unwrap();
    // This goes to stderr directly, because the test harness hides the output of a passing test.
    writeln!(io::stderr(), "the page in a browser: {checks} checks").unwrap();
}

#[test]
fn other_machines_reach_no_coder_without_a_login() {
    let ended = |flags: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let mut coder = Command::new(CODER);
        let output = coder.arg("--store").arg(folder.path().join("sessions.db")).args(flags).output().unwrap();
        assert!(!output.status.success(), "{flags:?}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let refused = ended(&["--listen", "0.0.0.0:0"]);
    assert!(refused.contains("needs a login") && refused.contains("`--token-file FILE`"), "{refused}");
    let missing = ended(&["--listen", "0.0.0.0:0", "--token-file", "/nowhere/token"]);
    assert!(missing.contains("the token in /nowhere/token"), "{missing}");
    let unknown = ended(&["--lisen", "127.0.0.1:0"]);
    assert!(unknown.contains("'--lisen'") && unknown.contains("`coder --help`"), "{unknown}");
}
