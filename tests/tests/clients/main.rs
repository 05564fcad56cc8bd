//! Real clients that nobody here wrote drive the example agent `coder`: the TypeScript and the Python SDK.
//!
//! Each comes with pinned packages and a driver in its own language, in the folder of its name. `install` gets the
//! packages, `process` runs a program under a time limit, `report` reads what the driver printed.

mod install;
mod process;
mod report;

use std::{
    env,
    io::{self, Write as _},
    path::Path,
    process::Command,
    thread,
    time::Duration,
};

use install::{Install, Installed};
use report::Report;

/// The binary of the example agent, built by this package from the example's own `main`.
const CODER: &str = env!("CARGO_BIN_EXE_coder-under-test");

/// Far more than the checks take together, and less than a human waits.
const LIMIT: Duration = Duration::from_secs(180);

/// How one client fared: the number of checks that passed, or why there is none.
enum Outcome {
    Passed(usize),
    DidNotRun(String),
    Failed(String),
}

#[test]
fn real_clients_drive_coder() {
    let clients = [install::TYPESCRIPT, install::PYTHON];
    let threads = clients.map(|client| thread::spawn(move || (client.name, outcome(&client))));
    let outcomes = threads.map(|thread| thread.join().expect("the thread of a client panicked"));

    let mut line = Vec::new();
    let mut failures = Vec::new();
    for (name, outcome) in outcomes {
        match outcome {
            Outcome::Passed(checks) => line.push(format!("{name} {checks} checks")),
            Outcome::DidNotRun(why) => {
                line.push(format!("{name} did not run: {why}"));
                if env::var("CI").is_ok_and(|ci| ci == "true") {
                    failures.push(format!("{name} did not run, which is a failure where `CI=true`: {why}"));
                }
            }
            Outcome::Failed(why) => {
                line.push(format!("{name} failed"));
                failures.push(format!("{name}: {why}"));
            }
        }
    }
    // Written past the test harness, which keeps what a passing test prints to itself.
    writeln!(io::stderr(), "clients: {}", line.join(", ")).unwrap();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

fn outcome(client: &Install) -> Outcome {
    match client.install() {
        Ok(Installed::Ready(driver)) => match drive(driver) {
            Ok(checks) => Outcome::Passed(checks),
            Err(why) => Outcome::Failed(why),
        },
        Ok(Installed::Missing(why)) => Outcome::DidNotRun(why),
        Err(why) => Outcome::Failed(why),
    }
}

/// Runs a driver to its end; the number of its checks if all passed.
fn drive(mut driver: Command) -> Result<usize, String> {
    let scratch = tempfile::tempdir().map_err(|error| format!("no folder for the checks: {error}"))?;
    // Agents report absolute paths, and a temporary directory may be a link.
    let folder = scratch.path().canonicalize().map_err(|error| error.to_string())?;
    driver.arg(Path::new(CODER)).arg(folder);
    let ended = process::run(driver, LIMIT)?;
    let report = Report::read(&ended.stdout);
    match (report.passed(), ended.failure) {
        (Ok(checks), None) => Ok(checks),
        (Ok(_), Some(failure)) => Err(format!("{failure}\n{}", ended.stderr)),
        (Err(why), failure) => {
            Err([Some(why), failure, Some(ended.stderr)].into_iter().flatten().collect::<Vec<_>>().join("\n"))
        }
    }
}
