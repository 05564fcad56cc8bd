//! Writes files. A file is replaced in one step, so that no reader sees half of it. An unchanged file is not written,
//! so that cargo rebuilds nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Replaces a file by `content`, unless it already has this content. Returns whether the file was written.
///
/// The content is first written to another file beside it. Then that file takes the place of the old one.
///
/// # Errors
///
/// The directory is not writable.
pub fn write_if_changed(path: &Path, content: &str) -> Result<bool> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        // A device or a pipe has no content to compare with, and there is no place beside it.
        let written = |()| true;
        return fs::write(path, content).map(written).map_err(|source| Error::Write { path: path.to_owned(), source });
    }
    match Prepared::new(path, content.as_bytes())? {
        None => Ok(false),
        Some(prepared) => prepared.put().map(|()| true),
    }
}

/// Replaces several files, and returns those that have changed. All new files are written before the first one takes
/// its place. So if the disk is full or a permission is missing, all files stay as they were.
///
/// # Errors
///
/// A directory is not writable.
#[cfg(feature = "cli")]
pub fn replace_all(files: &[(PathBuf, Vec<u8>)]) -> Result<Vec<PathBuf>> {
    let mut prepared = Vec::new();
    for (path, content) in files {
        prepared.extend(Prepared::new(path, content)?);
    }
    prepared.into_iter().map(|prepared| prepared.put().map(|()| prepared.path.clone())).collect()
}

/// New content in a file beside its place. If it does not take the place, the drop removes it.
struct Prepared {
    path: PathBuf,
    temporary: PathBuf,
}

impl Prepared {
    /// Writes the new content. `None` if the file already has it.
    fn new(path: &Path, content: &[u8]) -> Result<Option<Self>> {
        match fs::read(path) {
            Ok(old) if old == content => return Ok(None),
            // A file cannot replace a folder. This error comes before any other file is replaced.
            Err(source) if source.kind() == io::ErrorKind::IsADirectory => {
                return Err(Error::Write { path: path.to_owned(), source });
            }
            _ => {}
        }
        let path = target(path);
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let prepared = Self { temporary: path.with_file_name(name), path };
        fs::write(&prepared.temporary, content)
            .map_err(|source| Error::Write { path: prepared.path.clone(), source })?;
        Ok(Some(prepared))
    }

    fn put(&self) -> Result<()> {
        fs::rename(&self.temporary, &self.path).map_err(|source| Error::Write { path: self.path.clone(), source })
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        // An error is ignored: after the file has taken its place, there is no file to remove.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// The file to replace. If the path is a link, this is the link's target, so that the link stays.
fn target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[expect(clippy::print_stdout, reason = "this is how a build script talks to cargo")]
pub(crate) fn rerun_if_changed(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

#[expect(clippy::print_stdout, reason = "this is how a build script talks to cargo")]
pub(crate) fn warn_of_unused(entry: &str) {
    println!("cargo::warning=nothing in the schema is as the overlay says: {entry}");
}

pub(crate) fn out_dir() -> Result<PathBuf> {
    std::env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| Error::Write {
        path: PathBuf::from("$OUT_DIR"),
        source: io::Error::new(io::ErrorKind::NotFound, "it is set for build scripts only"),
    })
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_the_way_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, taken) = (folder.path().join("file"), folder.path().join("taken"));
        fs::write(&file, "old").expect("it is written");
        fs::create_dir(&taken).expect("it is made");
        let error = replace_all(&[(file.clone(), b"new".to_vec()), (taken.clone(), b"new".to_vec())]);
        assert!(error.expect_err("it is refused").to_string().contains("taken"));
        assert_eq!(fs::read(&file).expect("it is there"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 2, "nothing is left beside them");
    }
}
