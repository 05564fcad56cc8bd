//! Our client drives agents that are not ours: on the official SDKs of TypeScript, Python and Rust, and `agentao`.
//!
//! The packages of the SDKs come without their examples, so each folder holds an agent in the manner of these. `agentao` is
//! a whole agent, whose model is scripted here.

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

use crate::sdk::{Manners, drive};

/// Far more than one agent takes, and less than a human waits.
const LIMIT: Duration = Duration::from_secs(120);

/// The target folder: that which cargo gives tests for themselves is in it.
fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder")
}

/// The packages of an agent; `None` when their language is not there.
fn install(packages: &Packages) -> Option<Installed> {
    packages.install(target()).unwrap_or_else(|why| panic!("{}: {why}", packages.name))
}

async fn within_limit(driving: impl Future<Output = ()>) {
    timeout(LIMIT, driving).await.expect("it is driven in time");
}

/// The Python of an installation.
fn python(folder: &Path) -> PathBuf {
    folder.join("venv/bin/python")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_an_agent_on_the_typescript_sdk() {
    let Some(installed) = install(&packages::TYPESCRIPT) else { return };
    // Node looks for packages from where a module lies, so the agent goes to the packages.
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
        // The sources are not the place for compiled modules.
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

/// Builds the agent on the Rust SDK, which is no dependency of this workspace.
fn build() -> Result<PathBuf, String> {
    let folder = packages::folder(target(), "rust");
    let mut cargo = process::Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--locked", "--manifest-path"]).arg(source("rust/Cargo.toml"));
    cargo.arg("--target-dir").arg(&folder);
    // Flags and wrappers for this workspace, such as those that measure coverage, are not for it.
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_BUILD_TARGET");
    let begin = Instant::now();
    let ended = run(cargo, Duration::from_secs(600))?;
    match ended.failure {
        None => Ok(folder.join("debug").join(format!("example-agent{}", env::consts::EXE_SUFFIX))),
        Some(failure) => Err(format!("{failure} after {:?}\n{}", begin.elapsed(), ended.stderr)),
    }
}
