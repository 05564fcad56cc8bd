//! Our client drives agents from other projects: agents on the official SDKs of TypeScript, Python and Rust, and
//! `agentao`.
//!
//! The packages of the SDKs do not contain their examples. So each folder holds an agent in the style of the SDK's
//! examples. `agentao` is a complete agent, and the test scripts its model.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agentao;
mod model;
mod person;
mod sdk;
mod traces;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
    time::{Duration, Instant},
};

use acp_client::values::StopReason;
use acp_tests::packages::{self, Installed, Packages, process::run};
use tokio::{process::Command, time::timeout};

use crate::agents::sdk::{Manners, drive};

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
    // Node searches for packages from the folder of a module, so the test copies the agent beside the packages.
    let agent = installed.folder.join("example-agent.mjs");
    fs::copy(source("typescript/example-agent.mjs"), &agent).unwrap();
    drop(installed);
    let start = || {
        let mut command = Command::new("node");
        command.arg(&agent);
        command
    };
    let manners = Manners {
        cancelled: StopReason::Cancelled,
        cancelled_asking: StopReason::EndTurn,
        closes: true,
        refuses_strangers: true,
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
        refuses_strangers: false,
    };
    within_limit(drive(start, &manners)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_an_agent_on_the_rust_sdk() {
    let agent = build().unwrap();
    let manners = Manners {
        cancelled: StopReason::Cancelled,
        cancelled_asking: StopReason::Cancelled,
        closes: true,
        refuses_strangers: true,
    };
    within_limit(drive(|| Command::new(&agent), &manners)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_agentao() {
    let Some(Installed { folder, .. }) = install(&packages::AGENTAO) else { return };
    within_limit(agentao::drive(&folder)).await;
}

/// A file beside this one.
fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents").join(name)
}

/// Builds the agent on the Rust SDK. The SDK is not a dependency of this workspace.
fn build() -> Result<PathBuf, String> {
    let folder = packages::folder(target(), "rust");
    let mut cargo = process::Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--locked", "--manifest-path"]).arg(source("rust/Cargo.toml"));
    cargo.arg("--target-dir").arg(&folder);
    // The flags and wrappers are for this workspace, for example to measure coverage. They must not affect this build.
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_BUILD_TARGET");
    let begin = Instant::now();
    let ended = run(cargo, Duration::from_secs(600))?;
    match ended.failure {
        None => Ok(folder.join("debug").join(format!("example-agent{}", env::consts::EXE_SUFFIX))),
        Some(failure) => Err(format!("{failure} after {:?}\n{}", begin.elapsed(), ended.stderr)),
    }
}
