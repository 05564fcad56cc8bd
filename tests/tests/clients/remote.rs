//! Clients on the official SDKs drive `coder` over HTTP and over WebSockets: of TypeScript by both versions of the protocol, of Python by the
//! first, of Rust by the second.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    io::{self, Write as _},
    process::Command,
    thread,
};

use acp_tests::packages;

use crate::clients::{CODER, Client, PYTHON, TYPESCRIPT, drive, driver, node, second::judged, target};

const TYPESCRIPT_2: Client =
    Client { packages: packages::TYPESCRIPT, driver: |installed| node(installed, "drive-v2.mjs") };

/// Over one way: the version of the protocol, and the agents that the driver takes. An agent without a name is not driven: it opens no port.
struct Way {
    name: &'static str,
    version: u8,
    transport: &'static str,
    agents: &'static [&'static str],
    driver: fn() -> Result<Option<Command>, String>,
}

const FIRST: &[&str] = &[CODER, ""];
const SECOND: &[&str] = &["", CODER, "", ""];

const fn way(
    name: &'static str,
    version: u8,
    transport: &'static str,
    driver: fn() -> Result<Option<Command>, String>,
) -> Way {
    Way { name, version, transport, agents: if version == 1 { FIRST } else { SECOND }, driver }
}

/// One thread for each SDK.
const WAYS: [&[Way]; 3] = [
    &[
        way("typescript", 1, "http", || driver(&TYPESCRIPT)),
        way("typescript", 1, "websocket", || driver(&TYPESCRIPT)),
        way("typescript", 2, "http", || driver(&TYPESCRIPT_2)),
        way("typescript", 2, "websocket", || driver(&TYPESCRIPT_2)),
    ],
    &[
        way("python", 1, "http", || driver(&PYTHON)),
        way("python", 1, "http2", || driver(&PYTHON)),
        way("python", 1, "websocket", || driver(&PYTHON)),
    ],
    &[way("rust", 2, "http", rust), way("rust", 2, "websocket", rust)],
];

fn rust() -> Result<Option<Command>, String> {
    packages::rust::build(target(), "drive-v2").map(|program| Some(Command::new(program)))
}

#[test]
fn real_clients_drive_coder_over_the_network() {
    let threads = WAYS.map(|ways| thread::spawn(|| ways.iter().filter_map(outcome).collect::<Vec<_>>()));
    let line: Vec<String> =
        threads.into_iter().flat_map(|thread| thread.join().expect("a client failed, and said why")).collect();
    // This goes to stderr directly, because the test harness hides the output of a passing test.
    writeln!(io::stderr(), "clients over the network: {}", line.join(", ")).unwrap();
}

/// `None` if the client's language is missing.
fn outcome(way: &Way) -> Option<String> {
    let Way { name, version, transport, agents, driver } = way;
    let mut driver = driver().unwrap()?;
    driver.env("ACP_TRANSPORT", transport);
    let scratch = tempfile::tempdir().unwrap();
    let checks = drive(driver, agents, scratch.path());
    let tapes = scratch.path().join("tapes");
    // A check that failed has no whole tape.
    if fs::exists(&tapes).unwrap()
        && let Ok((_, mut findings)) = judged(&tapes)
    {
        // The draft on streams that can be resumed has its capability among those of the protocol, and no schema has it yet.
        let is_of_draft = |finding: &str| {
            let names = ["/capabilities/transport", "/agentCapabilities/transport"];
            names.iter().any(|name| finding.ends_with(&format!("the answer to `initialize` has the field `{name}`")))
        };
        findings.retain(|finding| !is_of_draft(finding));
        assert!(findings.is_empty(), "{name}, version {version} over {transport}:\n{checks:?}\n{findings:#?}");
    }
    let checks = checks.unwrap_or_else(|why| panic!("{name}, version {version} over {transport}: {why}"));
    Some(format!("{name} by version {version} over {transport} {checks} checks"))
}
