//! Real clients that nobody here wrote drive the example agent `coder`: the TypeScript and the Python SDK.
//!
//! Each comes with pinned packages and a driver in its own language, in the folder of its name. [`packages`] gets the
//! packages and runs a program under a time limit, `report` reads what the driver printed.

mod report;

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    process::Command,
    thread,
    time::Duration,
};

use acp_tests::packages::{self, Installed, Packages, process};
use report::Report;

/// The binary of the example agent, built by this package from the example's own `main`.
const CODER: &str = env!("CARGO_BIN_EXE_coder-under-test");

/// Far more than the checks take together, and less than a human waits.
const LIMIT: Duration = Duration::from_secs(180);

/// A client: what it needs, and how its driver is started.
struct Client {
    packages: Packages,
    driver: fn(&Installed) -> io::Result<Command>,
}

const TYPESCRIPT: Client = Client {
    packages: packages::TYPESCRIPT,
    driver: |Installed { folder, source, .. }| {
        // Node looks for packages from where a module lies, so the modules go to the packages.
        for entry in fs::read_dir(source)? {
            let path = entry?.path();
            if let (Some(name), Some("mjs")) = (path.file_name(), path.extension().and_then(|end| end.to_str())) {
                fs::copy(&path, folder.join(name))?;
            }
        }
        let mut command = Command::new("node");
        command.arg(folder.join("drive.mjs"));
        Ok(command)
    },
};

const PYTHON: Client = Client {
    packages: packages::PYTHON,
    driver: |Installed { folder, source, .. }| {
        let mut command = Command::new(folder.join("venv/bin/python"));
        // The sources are not the place for compiled modules.
        command.arg("-B").arg(source.join("drive.py"));
        Ok(command)
    },
};

#[test]
fn real_clients_drive_coder() {
    let threads = [TYPESCRIPT, PYTHON].map(|client| thread::spawn(move || (client.packages.name, outcome(&client))));
    let outcomes = threads.map(|thread| thread.join().expect("the thread of a client panicked"));

    let mut line = Vec::new();
    let mut failures = Vec::new();
    for (name, outcome) in outcomes {
        match outcome {
            Ok(Some(checks)) => line.push(format!("{name} {checks} checks")),
            Ok(None) => line.push(format!("{name} did not run")),
            Err(why) => {
                line.push(format!("{name} failed"));
                failures.push(format!("{name}: {why}"));
            }
        }
    }
    // Written past the test harness, which keeps what a passing test prints to itself.
    writeln!(io::stderr(), "clients: {}", line.join(", ")).unwrap();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// The number of checks that passed; `None` if the client's language is not there.
fn outcome(client: &Client) -> Result<Option<usize>, String> {
    // Beside the folder that cargo gives tests for themselves.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().ok_or("there is no target folder")?;
    let Some(installed) = client.packages.install(target)? else { return Ok(None) };
    let driver = (client.driver)(&installed).map_err(|error| format!("its driver could not be copied: {error}"))?;
    drop(installed);
    drive(driver).map(Some)
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
