//! `pull`: copies a published version of the schema into the workspace, and regenerates all files that depend on it.
//!
//! All files are first fetched, checked and generated in a temporary folder. Files of the workspace are replaced only
//! after this.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use acp_codegen::diff::{self, Format, Surface};
use acp_codegen::drafts::moved::Became;
use acp_codegen::drafts::{self, Moved};
use clap::Args;
use tempfile::TempDir;

use super::npm::{self, PACKAGE, Release};
use super::workspace::{self, Manifest, Workspace};
use super::{Failure, Result, feature_sets, print, tell};

/// Copies the schemas of a published version into the workspace, and updates all generated files.
///
/// The archive is checked against the registry's digest. If the manifest already has the version, its digest is checked,
/// too. If code cannot be generated with the overlays of the workspace, this is an error, and all files stay as they
/// were. Overlay entries that match no part of the schema any more are listed. What became of drafts is kept in
/// `schema/moved.json`. At the end, the crates are checked with and without drafts, and with and without version 2.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  acp-codegen pull
  acp-codegen pull 2.4.0 && cargo test")]
pub(super) struct Pull {
    /// The version of the npm package
    #[arg(default_value = "latest")]
    version: String,
}

impl Pull {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let workspace = Workspace::find()?;
        let manifest = workspace.manifest()?;
        if manifest.package != PACKAGE {
            return Err(Failure::Workspace(format!("the manifest is one of {}, not of {PACKAGE}", manifest.package)));
        }
        let release = npm::release(&self.version)?;
        as_seen(&manifest, &release)?;
        let package = npm::package(&release)?;
        let contents = manifest.files.iter().map(|entry| package.read(&entry.from)).collect::<Result<Vec<_>>>()?;
        let fresh = manifest.of(&package.release, &contents);

        tell(format_args!("generating from {PACKAGE} {}", fresh.version));
        let scratch = scratch(&workspace.schema(), &fresh, &contents)?;
        let of_package = |failure| of_package(&failure, &fresh, scratch.path());
        let unused = workspace::unused(scratch.path(), &fresh).map_err(of_package)?;
        let before = workspace.moved()?;
        let [old, new] = [&*workspace.schema(), scratch.path()].map(workspace::versions);
        // The schemas that are here may be broken; then nothing is known of their drafts.
        let moved = drafts::moved::update(&before, &old, &new, &fresh.version).unwrap_or_else(|_| before.clone());
        let generated = workspace.generated(scratch.path(), &moved).map_err(of_package)?;
        let mut files: Vec<(PathBuf, Vec<u8>)> =
            fresh.files.iter().map(|entry| workspace.schema().join(&entry.path)).zip(contents).collect();
        files.extend(generated);
        files.push((workspace.manifest_path(), fresh.text().into_bytes()));
        if moved != before {
            files.push((workspace.moved_path(), workspace::text_of_moved(&moved).into_bytes()));
        }
        let report = report(&workspace, &manifest, &fresh, scratch.path());

        let written = acp_codegen::replace_all(&files)?;
        print(&report)?;
        for path in &written {
            tell(format_args!("{} written", path.strip_prefix(workspace.root()).unwrap_or(path).display()));
        }
        if written.is_empty() {
            tell(format_args!("everything is at {PACKAGE} {} already", fresh.version));
        }
        for entry in unused {
            tell(format_args!("warning: an entry matches nothing any more, take it out or correct it: {entry}"));
        }
        for one in moved.iter().filter(|one| !before.contains(one)) {
            tell(format_args!("a draft moved: {}", moved_line(one)));
        }
        if !written.is_empty() {
            feature_sets::check(&workspace)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn moved_line(Moved { draft, handler: _, became, since }: &Moved) -> String {
    match became {
        Became::Stable => format!("`{draft}` is stable since {since}"),
        Became::Withdrawn => format!("`{draft}` was withdrawn in {since}"),
        Became::Renamed { name, .. } => format!("`{draft}` is called `{name}` since {since}"),
    }
}

/// Checks the digest of the workspace's version against the manifest. A published version must never change.
fn as_seen(manifest: &Manifest, release: &Release) -> Result<()> {
    let Manifest { package, version, integrity, .. } = manifest;
    if *version != release.version || *integrity == release.integrity {
        return Ok(());
    }
    Err(Failure::Npm(format!(
        "{package} {version} was published with another digest than it has now: schema/manifest.json says {integrity}, npm \
         says {}; find out why before you change the manifest",
        release.integrity
    )))
}

/// A failure with the file names of the package and the workspace. The names in the temporary folder would not help the
/// user.
fn of_package(failure: &Failure, fresh: &Manifest, scratch: &Path) -> Failure {
    let what = failure.to_string().replace(&*scratch.to_string_lossy(), "schema");
    Failure::Npm(format!("nothing is changed, since no code can be made of {PACKAGE} {}: {what}", fresh.version))
}

/// The future content of the folder `schema`.
fn scratch(schema: &Path, fresh: &Manifest, contents: &[Vec<u8>]) -> Result<TempDir> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| Failure::File { what: "write", path, source }
    };
    let scratch = tempfile::tempdir().map_err(failed(&std::env::temp_dir()))?;
    for (entry, content) in fresh.files.iter().zip(contents) {
        let path = scratch.path().join(&entry.path);
        let folder = path.parent().unwrap_or(scratch.path());
        fs::create_dir_all(folder).map_err(failed(folder))?;
        fs::write(&path, content).map_err(failed(&path))?;
        let overlay = Path::new(&entry.path).with_file_name("overlay.json");
        if schema.join(&overlay).is_file() {
            let target = scratch.path().join(&overlay);
            fs::copy(schema.join(&overlay), &target).map_err(failed(&target))?;
        }
    }
    Ok(scratch)
}

/// The changes of every protocol version.
fn report(workspace: &Workspace, old: &Manifest, new: &Manifest, scratch: &Path) -> String {
    let schemas: Vec<&str> =
        new.files.iter().filter(|entry| entry.is_schema()).map(|entry| entry.path.as_str()).collect();
    let mut out = String::new();
    for path in workspace::widest(&schemas) {
        let name = |version: &str| format!("{version} {path}");
        let before = Surface::read(&workspace::builder(&workspace.schema().join(path)));
        let after = Surface::read(&workspace::builder(&scratch.join(path)));
        if !out.is_empty() {
            out.push('\n');
        }
        if let (Ok(before), Ok(after)) = (before, after) {
            let diff = diff::compare(&before, &after, None);
            out.push_str(&diff.report(Format::Text, &name(&old.version), &name(&new.version)));
        } else {
            out.push_str(&format!("{path}: what is here cannot be compared\n"));
        }
    }
    out
}
