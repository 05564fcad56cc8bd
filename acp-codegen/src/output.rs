//! Writing: in one step, so that nobody ever reads half a file, and only what changed, so that nothing is rebuilt.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Replaces a file by `content`, unless it holds just that. Says whether it wrote.
///
/// The content goes to a file beside it first, which then takes its place.
///
/// # Errors
///
/// When the directory is not writable.
pub fn write_if_changed(path: &Path, content: &str) -> Result<bool> {
    if fs::read(path).is_ok_and(|old| old == content.as_bytes()) {
        return Ok(false);
    }
    let failed = |source| Error::Write { path: path.to_owned(), source };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    fs::write(&temporary, content).map_err(failed)?;
    fs::rename(&temporary, path).map_err(|source| {
        // Best effort: the error that matters is the one of the rename.
        let _ = fs::remove_file(&temporary);
        failed(source)
    })?;
    Ok(true)
}

#[expect(clippy::print_stdout, reason = "this is how a build script talks to cargo")]
pub(crate) fn rerun_if_changed(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

pub(crate) fn out_dir() -> Result<PathBuf> {
    std::env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| Error::Write {
        path: PathBuf::from("$OUT_DIR"),
        source: io::Error::new(io::ErrorKind::NotFound, "it is set for build scripts only"),
    })
}
