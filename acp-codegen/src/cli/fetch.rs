//! `fetch`: copies published schemas into a folder. `diff`, `generate` and the tests of old versions read them there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::npm::{self, PACKAGE, Package, Release};
use super::{Failure, Result, tell};

/// Copies the schemas of published versions into a folder, one folder a version.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  acp-codegen fetch 2.3.0 2.4.0 --into target/history
  acp-codegen fetch '>=0.4.9' --into target/history")]
pub(super) struct Fetch {
    /// A version, or a range in the form of npm
    #[arg(required = true, value_name = "VERSION")]
    versions: Vec<String>,
    /// The folder; versions that it already has are left unchanged
    #[arg(long, value_name = "FOLDER")]
    into: PathBuf,
}

impl Fetch {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let mut releases: Vec<Release> = Vec::new();
        for range in &self.versions {
            if !npm::begins_as_version(range) || !self.into.join(range).is_dir() {
                releases.extend(npm::releases(range)?);
            }
        }
        releases.retain(|release| !self.into.join(&release.version).is_dir());
        for package in npm::packages(&releases)? {
            keep(&package, &self.into)?;
        }
        tell(format_args!("{} is complete", self.into.display()));
        Ok(ExitCode::SUCCESS)
    }
}

/// The folder of one version. If the folder does not exist, the version is fetched.
pub(super) fn version(version: &str, into: &Path) -> Result<PathBuf> {
    let folder = into.join(version);
    if folder.is_dir() {
        return Ok(folder);
    }
    let release = npm::release(version)?;
    let folder = into.join(&release.version);
    if !folder.is_dir() {
        keep(&npm::package(&release)?, into)?;
    }
    Ok(folder)
}

/// Copies the schemas of a package to a folder beside the target, and then moves this folder in one step.
fn keep(package: &Package, into: &Path) -> Result<()> {
    let failed = |what, path: &Path| {
        let path = path.to_owned();
        move |source| Failure::File { what, path, source }
    };
    let schema = package.root().join("schema");
    if !schema.is_dir() {
        return Err(Failure::Npm(format!("{PACKAGE} {} has no folder schema", package.release.version)));
    }
    fs::create_dir_all(into).map_err(failed("make", into))?;
    let beside = tempfile::Builder::new().prefix(".fetching").tempdir_in(into).map_err(failed("write to", into))?;
    let whole = beside.path().join("schema");
    copy(&schema, &whole)?;
    let target = into.join(&package.release.version);
    match fs::rename(&whole, &target) {
        // Another process was faster. Its folder has the same content.
        Err(_) if target.is_dir() => Ok(()),
        done => done.map_err(failed("make", &target)),
    }
}

/// Copies the JSON files below `from`.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let failed = |source| Failure::File { what: "copy", path: from.to_owned(), source };
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else if path.extension().is_some_and(|end| end == "json") {
            fs::copy(&path, &target).map_err(failed)?;
        }
    }
    Ok(())
}
