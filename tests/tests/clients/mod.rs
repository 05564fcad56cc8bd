//! Clients on the official TypeScript and Python SDKs drive the example agent `coder`, and `departing`, which departs from the
//! schema in each way that has a declaration. Those of version 2 are in `second`.
//!
//! Each client has pinned packages and a driver in its own language, in the folder with its name. [`packages`] installs
//! the packages and runs a program under a time limit. `report` reads the output of the driver.

mod browser;
mod remote;
mod report;
mod second;

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

/// An agent with members, methods and ways that the schema lacks.
const DEPARTING: &str = env!("CARGO_BIN_EXE_departing");

/// Much more time than all checks need together.
const LIMIT: Duration = Duration::from_secs(180);

/// A client: its packages, and the command that starts its driver.
struct Client {
    packages: Packages,
    driver: fn(&Installed) -> io::Result<Command>,
}

const TYPESCRIPT: Client = Client { packages: packages::TYPESCRIPT, driver: |installed| node(installed, "drive.mjs") };

const PYTHON: Client = Client {
    packages: packages::PYTHON,
    driver: |Installed { folder, source, .. }| {
        let mut command = Command::new(folder.join("venv/bin/python"));
        // `-B` keeps compiled modules out of the source folder.
        command.arg("-B").arg(source.join("drive.py"));
        Ok(command)
    },
};

/// The command that starts a driver on Node.
fn node(Installed { folder, source, .. }: &Installed, driver: &str) -> io::Result<Command> {
    // Node searches for packages from the folder of a module, so the test copies the modules beside the packages. Another
    // test may have copied them already, and its driver reads them now.
    for entry in fs::read_dir(source)? {
        let path = entry?.path();
        if let (Some(name), Some("mjs")) = (path.file_name(), path.extension().and_then(|end| end.to_str())) {
            let (module, copy) = (fs::read(&path)?, folder.join(name));
            if fs::read(&copy).ok().as_ref() != Some(&module) {
                fs::write(copy, module)?;
            }
        }
    }
    let mut command = Command::new("node");
    command.arg(folder.join(driver));
    Ok(command)
}

#[test]
fn real_clients_drive_coder_and_departing() {
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
    // This goes to stderr directly, because the test harness hides the output of a passing test.
    writeln!(io::stderr(), "clients: {}", line.join(", ")).unwrap();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// The number of checks that passed. `None` if the client's language is missing.
fn outcome(client: &Client) -> Result<Option<usize>, String> {
    let Some(driver) = driver(client)? else { return Ok(None) };
    let scratch = tempfile::tempdir().map_err(|error| format!("no folder for the checks: {error}"))?;
    drive(driver, &[CODER, DEPARTING], scratch.path()).map(Some)
}

/// The target folder. It is the parent of the folder that cargo gives to tests.
fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder")
}

/// Installs the packages of a client. Returns the command of its driver, or `None` if the client's language is missing.
fn driver(client: &Client) -> Result<Option<Command>, String> {
    let Some(installed) = client.packages.install(target())? else { return Ok(None) };
    (client.driver)(&installed).map(Some).map_err(|error| format!("its driver could not be copied: {error}"))
}

/// Runs a driver of `agents` to its end. Returns the number of its checks if all passed.
fn drive(mut driver: Command, agents: &[&str], scratch: &Path) -> Result<usize, String> {
    // Agents report absolute paths. A temporary directory may be a symbolic link, so its real path is needed.
    let folder = scratch.canonicalize().map_err(|error| error.to_string())?;
    driver.args(agents).arg(folder);
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
