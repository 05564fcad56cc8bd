//! Our client drives agents from other projects: agents on the official SDKs of TypeScript, Python and Rust, and
//! `agentao`. On version 2, it also drives `claude-agent-acp` and `codex-acp`.
//!
//! The packages of the SDKs do not contain their examples. So each folder holds an agent in the style of the SDK's
//! examples. The others are complete agents, and the tests script their models.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agentao;
#[cfg(feature = "v2")]
mod claude;
#[cfg(feature = "v2")]
mod codex;
#[cfg(feature = "v2")]
mod flagship;
mod model;
mod person;
mod remote;
mod sdk;
#[cfg(feature = "v2")]
mod second;
mod traces;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use acp_client::values::StopReason;
use acp_tests::packages::{self, Installed, Packages, rust};
use tokio::{process::Command, time::timeout};

use crate::agents::sdk::{Manners, Strangers, drive};

/// Much more time than one agent needs.
const LIMIT: Duration = Duration::from_secs(120);

/// The target folder. It is the parent of the folder that cargo gives to tests.
fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder")
}

/// Installs the packages of an agent. Returns `None` if their language is missing.
fn install(packages: &Packages) -> Option<Installed> {
    packages.install(target()).unwrap_or_else(|why| panic!("{}: {why}", packages.name))
}

async fn within_limit(driving: impl Future<Output = ()>) {
    timeout(LIMIT, driving).await.expect("it is driven in time");
}

/// The Python program of an installation.
fn python(folder: &Path) -> PathBuf {
    folder.join("venv/bin/python")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_an_agent_on_the_typescript_sdk() {
    let Some(installed) = install(&packages::TYPESCRIPT) else { return };
    let start = node(installed, "example-agent.mjs");
    let manners = Manners {
        cancelled: StopReason::Cancelled,
        cancelled_asking: StopReason::EndTurn,
        closes: true,
        strangers: Strangers::Refused,
        version: 1,
    };
    within_limit(drive(start, &manners)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_an_agent_on_the_python_sdk() {
    let Some(Installed { folder, .. }) = install(&packages::PYTHON) else { return };
    let start = || {
        let mut command = Command::new(python(&folder));
        // `-B` keeps compiled modules out of the source folder.
        command.arg("-B").arg(source("python/example_agent.py"));
        command
    };
    let manners = Manners {
        cancelled: StopReason::EndTurn,
        cancelled_asking: StopReason::EndTurn,
        closes: false,
        strangers: Strangers::Welcome,
        version: 1,
    };
    within_limit(drive(start, &manners)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_an_agent_on_the_rust_sdk() {
    let agent = rust::build(target(), "example-agent").unwrap();
    let manners = Manners {
        cancelled: StopReason::Cancelled,
        cancelled_asking: StopReason::Cancelled,
        closes: true,
        strangers: Strangers::Refused,
        version: 1,
    };
    within_limit(drive(|| Command::new(&agent), &manners)).await;
}

#[cfg(feature = "v2")]
#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_an_agent_of_version_2_on_the_typescript_sdk() {
    let Some(installed) = install(&packages::TYPESCRIPT) else { return };
    let start = node(installed, "example-agent-v2.mjs");
    within_limit(drive(&start, &SECOND)).await;
    within_limit(second::drive(start)).await;
}

#[cfg(feature = "v2")]
#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_an_agent_of_version_2_on_the_rust_sdk() {
    let agent = rust::build(target(), "example-agent-v2").unwrap();
    within_limit(drive(|| Command::new(&agent), &SECOND)).await;
    within_limit(second::drive(|| Command::new(&agent))).await;
}

/// The agents of version 2 keep to the protocol.
#[cfg(feature = "v2")]
const SECOND: Manners = Manners {
    cancelled: StopReason::Cancelled,
    cancelled_asking: StopReason::Cancelled,
    closes: true,
    strangers: Strangers::Refused,
    version: 2,
};

#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_agentao() {
    let Some(Installed { folder, .. }) = install(&packages::AGENTAO) else { return };
    within_limit(agentao::drive(&folder)).await;
}

#[cfg(feature = "v2")]
#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_claude_agent_acp() {
    let Some(Installed { folder, .. }) = install(&packages::CLAUDE) else { return };
    within_limit(claude::CLAUDE.drive(&folder)).await;
}

#[cfg(feature = "v2")]
#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_codex_acp() {
    let Some(Installed { folder, .. }) = install(&packages::CODEX) else { return };
    within_limit(codex::CODEX.drive(&folder)).await;
}

/// A file beside this one.
fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents").join(name)
}

/// The command for an agent on the TypeScript SDK. Node searches for packages from the folder of a module, so this copies the
/// agent beside the packages.
fn node(installed: Installed, name: &str) -> impl Fn() -> Command + use<> {
    let agent = installed.folder.join(name);
    fs::copy(source("typescript").join(name), &agent).unwrap();
    move || {
        let mut command = Command::new("node");
        command.arg(&agent);
        command
    }
}
