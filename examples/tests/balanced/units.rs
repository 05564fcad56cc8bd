//! The units of systemd that the documentation shows.

use std::{env, fs, process::Command, time::Duration};

const UNIT: &str = include_str!("../../../acp-http/deployment/acp-agent@.service");

#[test]
fn systemd_takes_the_unit() {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        let how = "install systemd (`apt-get install systemd`)";
        assert!(env::var_os("CI").is_none(), "this test must run where `CI` is set: {how}");
        eprintln!("a test of systemd did not run: {how}");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("acp-agent@.service");
    let program = env::current_exe().expect("the system knows this program");
    assert_eq!(UNIT.matches("/usr/local/bin/my-agent").count(), 1);
    // It looks for the program.
    let unit = UNIT.replace("/usr/local/bin/my-agent", program.to_str().expect("it is Unicode"));
    fs::write(&file, unit).expect("the file is written");
    let verified = Command::new("systemd-analyze").arg("verify").arg(&file).output().expect("it was there");
    let told = String::from_utf8_lossy(&verified.stderr);
    assert!(verified.status.success() && !told.contains("acp-agent@"), "{told}");
}

/// The process may take as long as its drain, and the ends of its connections.
#[test]
fn the_unit_waits_longer_than_the_drain() {
    let seconds = UNIT.lines().find_map(|line| line.strip_prefix("TimeoutStopSec=")?.strip_suffix('s')?.parse().ok());
    let waits = Duration::from_secs(seconds.expect("the unit says how long"));
    let options = acp_http::HttpOptions::new().drain_timeout(Duration::from_secs(60));
    assert!(UNIT.contains("(60 s here)"));
    assert!(waits >= options.drain_timeout + options.serve.shutdown_timeout + Duration::from_secs(10), "{waits:?}");
}
