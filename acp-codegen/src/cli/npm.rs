//! The published package. It is fetched by the npm client, with the registry, proxy and credentials that the client is
//! set to use.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use sha2::{Digest, Sha512};
use tempfile::TempDir;

use super::{Failure, Result, tell};

/// The package that contains the schema.
pub(super) const PACKAGE: &str = "@agentclientprotocol/sdk";

/// The registry's answer about one version.
#[derive(Debug, Clone)]
pub(super) struct Release {
    pub(super) version: String,
    pub(super) license: String,
    /// `sha512-` and the digest of the archive in Base64.
    pub(super) integrity: String,
}

/// An unpacked version, in a temporary folder.
pub(super) struct Package {
    pub(super) release: Release,
    folder: TempDir,
}

impl Package {
    /// The folder with the files of the package.
    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().join("package")
    }

    pub(super) fn read(&self, from: &str) -> Result<Vec<u8>> {
        fs::read(self.root().join(from)).map_err(|error| {
            Failure::Npm(format!(
                "{PACKAGE} {} has no {from} ({error}); schemas lie where the manifest says since 2.0.0",
                self.release.version
            ))
        })
    }
}

/// Whether a text begins like a version, and not like a tag or a folder's name.
pub(super) fn begins_as_version(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
}

/// The registry's versions in `range`: a version, a tag such as `latest`, or a range.
pub(super) fn releases(range: &str) -> Result<Vec<Release>> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || ".-+<>=^~ ".contains(letter);
    if range.is_empty() || range.starts_with(['-', '.']) || !range.chars().all(plain) {
        return Err(Failure::Npm(format!("`{range}` is no version; give one such as 2.4.0")));
    }
    tell(format_args!("asking npm for {PACKAGE} {range}"));
    let spec = format!("{PACKAGE}@{range}");
    let output = npm(&["view", &spec, "version", "license", "dist.integrity", "--json"])?;
    let unknown = |said: String| {
        Failure::Npm(format!(
            "npm knows no version {range} of {PACKAGE}{said}; `npm view {PACKAGE} versions` lists them"
        ))
    };
    match refusal(&output) {
        Some((code, summary)) if code == "E404" => return Err(unknown(format!(" ({summary})"))),
        _ => succeeded("npm", &output)?,
    }
    // If the version is unknown, older clients print nothing and report success.
    let answer = serde_json::from_slice(&output.stdout).map_err(|_| unknown(String::new()))?;
    let list = match answer {
        Value::Array(list) if list.is_empty() => return Err(unknown(String::new())),
        Value::Array(list) => list,
        single => vec![single],
    };
    let odd =
        || Failure::Npm(format!("npm does not say of {PACKAGE} {range} which version, licence and digest it has"));
    list.iter().map(|entry| read(entry).ok_or_else(odd)).collect()
}

fn read(entry: &Value) -> Option<Release> {
    let text = |key: &str| entry.get(key)?.as_str().map(str::to_owned);
    Some(Release { version: text("version")?, license: text("license")?, integrity: text("dist.integrity")? })
}

/// The only version that matches `wanted`.
pub(super) fn release(wanted: &str) -> Result<Release> {
    let mut releases = releases(wanted)?;
    match releases.pop() {
        Some(release) if releases.is_empty() => Ok(release),
        _ => Err(Failure::Npm(format!("`{wanted}` means several versions; name one"))),
    }
}

/// Fetches one version, in the same way as [`packages`].
pub(super) fn package(release: &Release) -> Result<Package> {
    let unpacked = packages(std::slice::from_ref(release))?.pop();
    unpacked.ok_or_else(|| Failure::Npm(format!("npm did not leave {PACKAGE} {} behind", release.version)))
}

/// Fetches these versions, and unpacks them. Checks every archive against the digest from the registry.
pub(super) fn packages(releases: &[Release]) -> Result<Vec<Package>> {
    let folder = temporary()?;
    match releases {
        [] => return Ok(Vec::new()),
        [one] => tell(format_args!("fetching {PACKAGE} {}", one.version)),
        many => tell(format_args!("fetching {} versions of {PACKAGE}", many.len())),
    }
    // The command runs in the same folder as the query before, because a registry may be set for this folder. It names
    // the destination of the archives, because another destination may be set for them.
    let mut arguments = ["pack", "--json", "--ignore-scripts", "--pack-destination"].map(OsString::from).to_vec();
    arguments.push(folder.path().into());
    arguments.extend(releases.iter().map(|release| format!("{PACKAGE}@{}", release.version).into()));
    succeeded("npm", &npm(&arguments)?)?;
    releases.iter().map(|release| unpack(folder.path(), release)).collect()
}

fn unpack(archives: &Path, release: &Release) -> Result<Package> {
    let Release { version, integrity, .. } = release;
    let name = format!("{}-{version}.tgz", PACKAGE.trim_start_matches('@').replace('/', "-"));
    let archive = archives.join(name);
    let content = fs::read(&archive)
        .map_err(|error| Failure::Npm(format!("npm did not leave {PACKAGE} {version} behind: {error}")))?;
    let found = format!("sha512-{}", base64(&Sha512::digest(&content)));
    if !integrity.split_whitespace().any(|expected| expected == found) {
        return Err(Failure::Npm(format!(
            "the archive of {PACKAGE} {version} is not what was published: its digest is {found}, not {integrity}"
        )));
    }
    let refused = |what: String| Failure::Npm(format!("the archive of {PACKAGE} {version} is refused: {what}"));
    let folder = temporary()?;
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(&archive).arg("-C").arg(folder.path());
    let unpacked = run(tar, "tar", "install it: it unpacks what npm fetched")?;
    succeeded("tar", &unpacked).map_err(|failure| refused(failure.to_string()))?;
    match link(folder.path())? {
        Some(name) => Err(refused(format!("`{name}` is neither a file nor a folder"))),
        None => Ok(Package { release: release.clone(), folder }),
    }
}

/// The first symbolic link, as a path below the folder. A link is refused, because its target may lie outside of the
/// archive. npm itself packs no links.
fn link(folder: &Path) -> Result<Option<String>> {
    let failed = |source| Failure::File { what: "read", path: folder.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let found = match kind {
            _ if kind.is_file() => None,
            _ if kind.is_dir() => link(&entry.path())?.map(|below| format!("{name}/{below}")),
            _ => Some(name),
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn npm<S: AsRef<OsStr>>(arguments: &[S]) -> Result<Output> {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.args(arguments);
    run(command, "npm", "install Node.js, which brings it; the schema is published as an npm package")
}

fn run(mut command: Command, name: &str, cure: &str) -> Result<Output> {
    command.output().map_err(|error| Failure::Npm(format!("cannot run `{name}`: {error}; {cure}")))
}

fn succeeded(name: &str, output: &Output) -> Result<()> {
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let warns = |line: &&str| line.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("npm warn"));
    let errors = said.lines().filter(|line| !line.is_empty() && !warns(line));
    let mut said = errors.take(4).collect::<Vec<_>>().join("\n  ");
    if said.is_empty() {
        said = refusal(output).map_or_else(|| output.status.to_string(), |(_, summary)| summary);
    }
    Err(Failure::Npm(format!("`{name}` failed:\n  {said}")))
}

/// The code and the summary of a failure. With `--json`, npm reports these even if it is set to print nothing.
fn refusal(output: &Output) -> Option<(String, String)> {
    let said: Value = serde_json::from_slice(&output.stdout).ok()?;
    let text = |key: &str| said.get("error")?.get(key)?.as_str().map(str::to_owned);
    if output.status.success() { None } else { Some((text("code")?, text("summary")?)) }
}

fn temporary() -> Result<TempDir> {
    tempfile::tempdir().map_err(|source| Failure::File { what: "make a folder in", path: std::env::temp_dir(), source })
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let letter = LETTERS[bits >> (18 - 6 * place) & 63];
            out.push(if place <= group.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_as_in_rfc_4648() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")];
        for (text, expected) in cases {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    #[test]
    fn an_archive_with_another_digest_is_refused() {
        let folder = temporary().expect("a temporary folder");
        fs::write(folder.path().join("agentclientprotocol-sdk-1.2.3.tgz"), b"something else").expect("writable");
        let integrity = format!("sha512-{}", base64(&Sha512::digest(b"what was published")));
        let release = Release { version: "1.2.3".to_owned(), license: "Apache-2.0".to_owned(), integrity };
        let error = unpack(folder.path(), &release).err().expect("it is refused").to_string();
        assert!(error.contains("is not what was published"), "{error}");
    }

    #[test]
    fn what_is_no_version_never_reaches_npm() {
        for range in ["", "--registry=x", "1.0.0;x", "../x", "."] {
            assert!(releases(range).is_err(), "{range}");
        }
    }
}
