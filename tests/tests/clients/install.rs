//! The pinned packages of a client, installed below `target/clients` and used again while the lock file is the same.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::process;

/// A slow network is slow, but not endless.
const LIMIT: Duration = Duration::from_secs(300);

/// Left in the folder when an installation is complete; holds what it was made from.
const STAMP: &str = "installed";

/// A client: what it needs, how it is installed, how its driver is started.
pub(crate) struct Install {
    pub(crate) name: &'static str,
    /// Prints the version of the language if it can run the client; anything else means it cannot.
    probe: fn() -> Result<String, String>,
    /// The files that say what is installed.
    pins: &'static [&'static str],
    /// Installs into the folder, which holds copies of the pins.
    install: fn(&Path) -> Result<(), String>,
    /// The command that starts the driver, for sources and installation.
    driver: fn(&Path, &Path) -> io::Result<Command>,
}

/// What became of [`Install::install`].
pub(crate) enum Installed {
    /// The command that starts the driver.
    Ready(Command),
    /// The language is not there, and this is why.
    Missing(String),
}

pub(crate) const TYPESCRIPT: Install = Install {
    name: "typescript",
    probe: || {
        let node = version("node", &["--version"])?;
        let major: Option<u32> = node.trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
        if major.is_none_or(|major| major < 20) {
            return Err(format!("node is {node}, and the client needs 20"));
        }
        Ok(format!("node {node}, npm {}", version("npm", &["--version"])?))
    },
    pins: &["package.json", "package-lock.json", ".npmrc"],
    install: |folder| {
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(folder);
        succeed(npm)
    },
    driver: |source, folder| {
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

pub(crate) const PYTHON: Install = Install {
    name: "python",
    probe: || {
        let probe = "import sys, venv, ensurepip; assert (3, 10) <= sys.version_info < (3, 15), sys.version; \
                     print(sys.version.split()[0])";
        version("python3", &["-c", probe])
    },
    pins: &["requirements.txt"],
    install: |folder| {
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(folder.join("venv"));
        succeed(venv)?;
        let mut pip = Command::new(folder.join("venv/bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]);
        pip.args(["--require-hashes", "--only-binary", ":all:", "-r", "requirements.txt"]).current_dir(folder);
        succeed(pip)
    },
    driver: |source, folder| {
        let mut command = Command::new(folder.join("venv/bin/python"));
        // The sources are not the place for compiled modules.
        command.arg("-B").arg(source.join("drive.py"));
        Ok(command)
    },
};

impl Install {
    /// Installs the client unless that is done; fails when its packages cannot be had.
    pub(crate) fn install(&self) -> Result<Installed, String> {
        let version = match (self.probe)() {
            Ok(version) => version,
            Err(why) => return Ok(Installed::Missing(why)),
        };
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(self.name);
        let folder = clients_folder().join(self.name);
        // Two test runs may share a target folder; the lock ends with the file.
        let _lock = lock(&folder).map_err(|error| format!("{} could not be locked: {error}", folder.display()))?;
        self.install_once(&version, &source, &folder)
            .map_err(|why| format!("its packages could not be installed: {why}"))?;
        let driver = (self.driver)(&source, &folder);
        driver.map(Installed::Ready).map_err(|error| format!("its driver could not be copied: {error}"))
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
        fs::remove_dir_all(folder).and_then(|()| fs::create_dir(folder)).map_err(say)?;
        for pin in self.pins {
            fs::copy(source.join(pin), folder.join(pin)).map_err(say)?;
        }
        (self.install)(folder)?;
        fs::write(stamp, made_from).map_err(say)
    }
}

/// Makes a folder and holds its lock.
fn lock(folder: &Path) -> io::Result<File> {
    fs::create_dir_all(folder)?;
    let lock = File::create(folder.with_extension("lock"))?;
    lock.lock()?;
    Ok(lock)
}

/// `target/clients`, beside the folder that cargo gives tests for themselves.
fn clients_folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("clients")
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
