//! Pinned packages of other languages. They are installed below `target/clients`, and again when their lock file
//! changes.

pub mod process;
pub mod rust;

use std::{
    env,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// The time limit of one step. A slow network needs time, but the step must end.
const LIMIT: Duration = Duration::from_secs(300);

/// This file marks a complete installation, and holds the sources that it was made from.
const STAMP: &str = "installed";

/// The errors of npm for a package, a version or a platform that the registry does not have.
const LACKING: [&str; 3] = ["E404", "ETARGET", "EBADPLATFORM"];

/// The packages of foreign programs, and their installation.
pub struct Packages {
    /// The name of the folder that holds the installation.
    pub name: &'static str,
    /// The folder of the pins, relative to the folder of this package.
    source: &'static str,
    /// Returns the version of the language. An error means that the language is missing, or is not able to run the
    /// packages.
    probe: fn() -> Result<String, String>,
    /// The files in `source` that list the packages and their versions.
    pins: &'static [&'static str],
    /// Installs the packages into a folder. The folder holds copies of the pins.
    install: fn(&Path) -> Result<(), String>,
    /// Whether the test may be without them where no registry has them, or not for this machine.
    may_lack: bool,
}

/// Installed packages. Until the drop of this value, no other test run installs them again.
#[derive(Debug)]
pub struct Installed {
    /// The folder of the packages.
    pub folder: PathBuf,
    /// The folder with the pins of the packages, and with the other files of their driver or agent.
    pub source: PathBuf,
    _lock: File,
}

/// The official SDK of TypeScript.
pub const TYPESCRIPT: Packages = Packages {
    name: "typescript",
    source: "tests/clients/typescript",
    probe: || {
        let node = version("node", &["--version"])?;
        let major: Option<u32> = node.trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
        if major.is_none_or(|major| major < 20) {
            return Err(format!("node is {node}, and the packages need 20"));
        }
        Ok(format!("node {node}, npm {}", version("npm", &["--version"])?))
    },
    pins: &["package.json", "package-lock.json", ".npmrc"],
    install: |folder| {
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(folder);
        succeed(npm)
    },
    may_lack: false,
};

/// A driver of Chromium. The browser itself is the system's.
pub const BROWSER: Packages = Packages {
    name: "browser",
    source: "tests/clients/browser",
    probe: || {
        let chromium = chromium().ok_or("no `chromium` in `PATH`")?;
        (TYPESCRIPT.probe)().map(|node| format!("{node}, {}", chromium.display()))
    },
    ..TYPESCRIPT
};

/// The program of Chromium, as Debian and other systems name it.
pub fn chromium() -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    let named = |name| env::split_paths(&folders).map(|folder| folder.join(name)).find(|program| program.is_file());
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(named)
}

/// `aimock`, a server of the chat API of OpenAI. The example `llm` has its pins, because only its tests use it.
pub const AIMOCK: Packages = Packages { name: "aimock", source: "../examples/llm/tests/foreign/aimock", ..TYPESCRIPT };

/// `claude-agent-acp`, an agent that people use. Its packages have 400 MB, because one of them is a program.
pub const CLAUDE: Packages = Packages { name: "claude", source: "tests/agents/claude", may_lack: true, ..TYPESCRIPT };

/// `codex-acp`, an agent that people use. Its packages have 460 MB, because one of them is a program.
pub const CODEX: Packages = Packages { name: "codex", source: "tests/agents/codex", may_lack: true, ..TYPESCRIPT };

/// The official SDK of Python.
pub const PYTHON: Packages = Packages {
    name: "python",
    source: "tests/clients/python",
    probe: || python("3, 10"),
    pins: &["requirements.txt"],
    install: install_python,
    may_lack: false,
};

/// The same, with its server of HTTP and WebSocket, and a server below that speaks HTTP/2.
pub const PYTHON_HTTP: Packages = Packages { name: "python-http", source: "tests/agents/python", ..PYTHON };

/// `agentao`, an agent that people use.
pub const AGENTAO: Packages = Packages {
    name: "agentao",
    source: "tests/agents/agentao",
    // Older versions need packages that are not pinned.
    probe: || python("3, 11"),
    pins: &["requirements.txt"],
    install: install_python,
    may_lack: false,
};

/// Returns the version of the installed Python. It must be at least `least`, and not newer than the pins support.
fn python(least: &str) -> Result<String, String> {
    let probe = format!(
        "import sys, venv, ensurepip; assert ({least}) <= sys.version_info < (3, 15), sys.version; \
         print(sys.version.split()[0])"
    );
    version("python3", &["-c", &probe])
}

fn install_python(folder: &Path) -> Result<(), String> {
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(folder.join("venv"));
    succeed(venv)?;
    let mut pip = Command::new(folder.join("venv/bin/python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]);
    pip.args(["--require-hashes", "--only-binary", ":all:", "-r", "requirements.txt"]).current_dir(folder);
    succeed(pip)
}

impl Packages {
    /// Installs the packages below `target`, the target folder, if they are not installed yet. Returns `None` if the
    /// language is missing. The function has then printed that the test did not run.
    ///
    /// # Errors
    ///
    /// The packages are not available, or the language is missing although `CI=true` requires it.
    pub fn install(&self, target: &Path) -> Result<Option<Installed>, String> {
        let version = match (self.probe)() {
            Ok(version) => version,
            Err(why) => return did_not_run(self.name, &why).map(|()| None),
        };
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(self.source);
        let folder = folder(target, self.name);
        // Two test runs may share a target folder. The lock ends when the file is closed.
        let lock = lock(&folder).map_err(|error| format!("{} could not be locked: {error}", folder.display()))?;
        match self.install_once(&version, &source, &folder) {
            Ok(()) => Ok(Some(Installed { folder, source, _lock: lock })),
            Err(why) if self.may_lack && LACKING.iter().any(|code| why.contains(code)) => {
                say_that_it_did_not_run(self.name, &format!("its packages cannot be had: {why}"));
                Ok(None)
            }
            Err(why) => Err(format!("its packages could not be installed: {why}")),
        }
    }

    fn install_once(&self, version: &str, source: &Path, folder: &Path) -> Result<(), String> {
        let say = |error: io::Error| error.to_string();
        let mut made_from = format!("{version}\n");
        for pin in self.pins {
            made_from.push_str(&fs::read_to_string(source.join(pin)).map_err(say)?);
        }
        let stamp = folder.join(STAMP);
        if fs::read_to_string(&stamp).is_ok_and(|stamp| stamp == made_from) {
            return Ok(());
        }
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(say(error)),
            _ => fs::create_dir(folder).map_err(say)?,
        }
        for pin in self.pins {
            fs::copy(source.join(pin), folder.join(pin)).map_err(say)?;
        }
        (self.install)(folder)?;
        fs::write(stamp, made_from).map_err(say)
    }
}

/// It writes to stderr directly, because the test harness hides the output of a passing test.
fn say_that_it_did_not_run(name: &str, why: &str) {
    // A closed stderr is no reason to fail the test.
    let _ = writeln!(io::stderr(), "{name} did not run: {why}");
}

/// Prints that a test did not run.
///
/// # Errors
///
/// With `CI=true`, the test must run.
pub fn did_not_run(name: &str, why: &str) -> Result<(), String> {
    say_that_it_did_not_run(name, why);
    if env::var("CI").is_ok_and(|ci| ci == "true") {
        return Err(format!("{name} did not run, which is a failure where `CI=true`: {why}"));
    }
    Ok(())
}

/// The folder `NAME` of foreign packages or programs, below the target folder.
pub fn folder(target: &Path, name: &str) -> PathBuf {
    target.join("clients").join(name)
}

/// Locks a folder, which need not exist. Only the holder of the lock makes the folder or removes it.
fn lock(folder: &Path) -> io::Result<File> {
    let lock = folder.with_extension("lock");
    if let Some(parent) = lock.parent() {
        fs::create_dir_all(parent)?;
    }
    let lock = File::create(lock)?;
    lock.lock()?;
    Ok(lock)
}

fn version(program: &str, args: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(args).output().map_err(|error| format!("`{program}`: {error}"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{program}`: {}", why.lines().last().unwrap_or("it cannot be used")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs one step of an installation.
fn succeed(command: Command) -> Result<(), String> {
    let ended = process::run(command, LIMIT)?;
    match ended.failure {
        None => Ok(()),
        Some(failure) => Err(format!("{failure}\n{}{}", ended.stdout, ended.stderr)),
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// An installation of one step, which fails if another one is under way in the same folder.
    const TOY: Packages = Packages {
        name: "toy",
        source: "src",
        probe: || Ok("1".to_owned()),
        pins: &["lib.rs"],
        install: |folder| {
            fs::create_dir(folder.join("modules")).map_err(|error| error.to_string())?;
            thread::sleep(Duration::from_millis(1));
            Ok(())
        },
        may_lack: false,
    };

    #[test]
    fn packages_that_no_registry_has_may_lack_only_where_they_say_so() {
        let lacking = Packages { install: |_| Err("npm error code ETARGET".to_owned()), ..TOY };
        let target = tempfile::tempdir().expect("a folder");
        assert!(lacking.install(target.path()).is_err());
        let lacking = Packages { may_lack: true, ..lacking };
        assert!(lacking.install(target.path()).expect("no error").is_none());
        let broken = Packages { install: |_| Err("npm error code ECONNRESET".to_owned()), ..lacking };
        assert!(broken.install(target.path()).is_err());
    }

    #[test]
    fn tests_that_start_together_install_once() {
        for _ in 0..50 {
            let target = tempfile::tempdir().expect("a folder");
            thread::scope(|scope| {
                let tests: Vec<_> = (0..8).map(|_| scope.spawn(|| TOY.install(target.path()).map(drop))).collect();
                for test in tests {
                    test.join().expect("no panic").expect("an installation");
                }
            });
        }
    }
}
