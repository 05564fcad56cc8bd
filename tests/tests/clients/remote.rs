//! Clients on the official TypeScript SDK drive `coder` over HTTP and over WebSockets, by both versions of the protocol.

use std::io::{self, Write as _};

use acp_tests::packages;

use crate::clients::{CODER, Client, drive, driver, node, second::judged};

/// The driver of a version, with the agents that it takes. An agent without a name is not driven: it opens no port.
const DRIVERS: [(Client, &[&str]); 2] = [
    (Client { packages: packages::TYPESCRIPT, driver: |installed| node(installed, "drive.mjs") }, &[CODER, ""]),
    (
        Client { packages: packages::TYPESCRIPT, driver: |installed| node(installed, "drive-v2.mjs") },
        &["", CODER, "", ""],
    ),
];

#[test]
fn real_clients_drive_coder_over_the_network() {
    let mut line = Vec::new();
    for (version, (client, agents)) in (1..).zip(&DRIVERS) {
        for transport in ["http", "websocket"] {
            let Some(mut driver) = driver(client).unwrap() else { return };
            driver.env("ACP_TRANSPORT", transport);
            let scratch = tempfile::tempdir().unwrap();
            let checks = drive(driver, agents, scratch.path());
            if let Ok((_, findings)) = judged(&scratch.path().join("tapes")) {
                assert!(findings.is_empty(), "version {version} over {transport}:\n{checks:?}\n{findings:#?}");
            }
            let checks = checks.unwrap_or_else(|why| panic!("version {version} over {transport}: {why}"));
            line.push(format!("version {version} over {transport} {checks} checks"));
        }
    }
    // This goes to stderr directly, because the test harness hides the output of a passing test.
    writeln!(io::stderr(), "clients over the network: {}", line.join(", ")).unwrap();
}
