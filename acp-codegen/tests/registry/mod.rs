//! A test bed for the command, without the network. It has a copy of the workspace, packages that are made here, and
//! the script `npm.sh`. This script is the first `npm` on the path, and answers like the real program.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};
use sha2::{Digest, Sha512};
use tempfile::TempDir;

/// The result of a run.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Files by their path below a folder.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// A workspace, a registry, and a folder for temporary files. After every run, this folder must be empty.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    /// A workspace with all files of the manifest and all generated files, and a registry with the same version. The
    /// archive is made here, so the manifest gets its digest.
    pub(crate) fn new() -> Self {
        let place = Self::empty();
        for path in tracked() {
            write(&place.workspace().join(path), &read(&origin().join(path)));
        }
        place.publish(&version(), &package());
        let digest = |from: &Value, key: &str| from[key].as_str().expect("text").to_owned();
        let path = place.workspace().join("schema/manifest.json");
        let text = String::from_utf8(read(&path)).expect("UTF-8");
        let (theirs, ours) = (digest(&manifest(), "integrity"), digest(&place.view(&version()), "dist.integrity"));
        write(&path, text.replace(&theirs, &ours).as_bytes());
        place
    }

    /// A workspace without a manifest.
    pub(crate) fn empty() -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        for folder in [place.workspace(), place.temporary(), place.registry().join("bin")] {
            fs::create_dir_all(folder).expect("writable");
        }
        // The script is not copied. A copy could fail to start while a child of another thread has it open for writing.
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/registry/npm.sh");
        symlink(script, place.registry().join("bin/npm")).expect("writable");
        place
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    pub(crate) fn registry(&self) -> PathBuf {
        self.folder.path().join("registry")
    }

    fn temporary(&self) -> PathBuf {
        self.folder.path().join("temporary")
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, &[])
    }

    /// Runs the command in the workspace, with these variables set.
    pub(crate) fn run_with(&self, arguments: &[&str], variables: &[(&str, &Path)]) -> Ran {
        let others = env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.registry().join("bin")).chain(env::split_paths(&others));
        let mut command = Command::new(env!("CARGO_BIN_EXE_acp-codegen"));
        command.args(arguments).current_dir(self.workspace());
        command.env("PATH", env::join_paths(folders).expect("a path")).env("TMPDIR", self.temporary());
        command.env_remove("CARGO_TARGET_DIR").env_remove("npm_config_loglevel").envs(variables.iter().copied());
        let output = command.output().expect("the command starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        let ran = Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        let left = fs::read_dir(self.temporary()).expect("readable").count();
        assert_eq!(left, 0, "temporary files are left: {}", ran.err);
        ran
    }

    /// Runs `pull`. The run must fail with these words, print nothing to stdout, and change no file.
    pub(crate) fn refuses(&self, version: &str, words: &[&str]) -> Ran {
        let before = self.files();
        let ran = self.run(&["pull", version]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
        for word in words {
            assert!(ran.err.contains(word), "`{word}` is not said: {}", ran.err);
        }
        assert!(self.files() == before, "something changed");
        ran
    }

    /// All files of the workspace.
    pub(crate) fn files(&self) -> Files {
        files(&self.workspace())
    }

    /// The calls of npm until now, as `FOLDER: ARGUMENTS`.
    pub(crate) fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.registry().join("calls")).unwrap_or_default();
        calls.lines().map(str::to_owned).collect()
    }

    /// Puts a package with these files into the registry, as its newest version.
    pub(crate) fn publish(&self, version: &str, package: &Files) {
        let beside = tempfile::tempdir().expect("a temporary folder");
        for (path, content) in package {
            write(&beside.path().join("package").join(path), content);
        }
        self.publish_folder(version, beside.path(), &["package"]);
    }

    /// Puts an archive of a folder's content into the registry.
    pub(crate) fn publish_folder(&self, version: &str, folder: &Path, members: &[&str]) {
        let archive = folder.join("archive.tgz");
        let mut tar = Command::new("tar");
        tar.current_dir(folder).args(["-P", "-czf", "archive.tgz"]).args(members);
        assert!(tar.status().expect("tar starts").success());
        self.publish_archive(version, &read(&archive));
    }

    pub(crate) fn publish_archive(&self, version: &str, archive: &[u8]) {
        let integrity = format!("sha512-{}", base64(&Sha512::digest(archive)));
        let view = json!({ "version": version, "license": "Apache-2.0", "dist.integrity": integrity });
        write(&self.registry().join(version).join("archive.tgz"), archive);
        for name in [version, "latest"] {
            self.answer(name, &view);
        }
    }

    /// The answer of `npm view` for a version or a range.
    pub(crate) fn answer(&self, range: &str, view: &Value) {
        write(&self.registry().join(range).join("view.json"), format!("{view:#}\n").as_bytes());
    }

    /// The answer of `npm view` for one version.
    pub(crate) fn view(&self, version: &str) -> Value {
        serde_json::from_slice(&read(&self.registry().join(version).join("view.json"))).expect("JSON")
    }
}

/// The package of the workspace's version, with the files that the manifest lists.
pub(crate) fn package() -> Files {
    let listed = manifest()["files"].as_array().expect("a list").clone();
    let file = |entry: &Value| {
        let path = origin().join("schema").join(entry["path"].as_str().expect("text"));
        (entry["from"].as_str().expect("text").to_owned(), read(&path))
    };
    listed.iter().map(file).collect()
}

/// The version of the workspace.
pub(crate) fn version() -> String {
    manifest()["version"].as_str().expect("text").to_owned()
}

fn manifest() -> Value {
    serde_json::from_slice(&read(&origin().join("schema/manifest.json"))).expect("JSON")
}

fn origin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of the workspace that `pull` knows. To find the generated files, it runs `check` in a workspace without
/// them, which lists them.
fn tracked() -> &'static [String] {
    static TRACKED: OnceLock<Vec<String>> = OnceLock::new();
    TRACKED.get_or_init(|| {
        let listed = manifest()["files"].as_array().expect("a list").clone();
        let mut paths: Vec<String> =
            listed.iter().map(|entry| format!("schema/{}", entry["path"].as_str().expect("text"))).collect();
        paths.extend(["manifest.json", "v1/overlay.json", "v2/overlay.json"].map(|path| format!("schema/{path}")));
        let place = Place::empty();
        for path in &paths {
            write(&place.workspace().join(path), &read(&origin().join(path)));
        }
        let ran = place.run(&["check"]);
        let generated = ran.out.lines().map(|line| line.strip_suffix(": out of date").expect("nothing else is wrong"));
        paths.extend(generated.map(str::to_owned));
        paths
    })
}

/// All files below a folder.
pub(crate) fn files(folder: &Path) -> Files {
    let mut found = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("readable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it is below").to_string_lossy().into_owned();
                found.insert(name, read(&path));
            }
        }
    }
    found
}

pub(crate) fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn write(path: &Path, content: &[u8]) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
    fs::write(path, content).expect("writable");
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<u8> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |place| byte >> place & 1)).collect();
    let letter = |six: &[u8]| {
        let number = (0..6).fold(0, |number, place| number << 1 | six.get(place).copied().unwrap_or(0));
        char::from(LETTERS[usize::from(number)])
    };
    let mut text: String = bits.chunks(6).map(letter).collect();
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}
