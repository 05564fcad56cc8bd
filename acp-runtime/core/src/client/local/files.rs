//! Text files: by the client, or by the agent itself with the same rules.

use std::{
    fs::{self, File},
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use super::Workspace;
use crate::{
    client::check_line,
    wire::{Error, Result},
};

/// The limit of bytes that a read by the agent itself returns.
const MOST: u64 = 16 * 1024 * 1024;

/// The lines of a file that a read returns.
#[derive(Clone, Copy)]
struct Lines {
    /// The first line; the file begins with 1.
    first: u32,
    count: u32,
}

impl Workspace {
    /// Reads a text file. The client returns the text of its editor, with unsaved changes. The agent itself returns the file on
    /// disk.
    ///
    /// # Errors
    ///
    /// The client answers with an error. Or the agent itself does not find the file (`-32002`), or it is no file, is not in UTF-8,
    /// is longer than 16 MiB, or cannot be read.
    pub async fn read(&self, path: impl AsRef<Path>) -> Result<String> {
        self.read_part(path.as_ref(), None).await
    }

    /// Reads `limit` lines of a text file with their line ends, beginning with line `line` (the first line is 1). Lines behind the
    /// end of the file are left out.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read), of the part. Also an error if `line` is 0.
    pub async fn read_lines(&self, path: impl AsRef<Path>, line: u32, limit: u32) -> Result<String> {
        self.read_part(path.as_ref(), Some(Lines { first: line, count: limit })).await
    }

    async fn read_part(&self, path: &Path, lines: Option<Lines>) -> Result<String> {
        let path = self.resolve(path)?;
        if self.client.can_read_files() {
            return match lines {
                Some(Lines { first, count }) => self.client.read_text_file_lines(path, first, count).await,
                None => self.client.read_text_file(path).await,
            };
        }
        lines.map_or(Ok(()), |lines| check_line(lines.first))?;
        self.run(move || read(&path, lines)).await
    }

    /// Writes a text file. A missing file is made. The agent itself also makes missing folders, and replaces the content in one
    /// step: a reader gets the old or the new content. The permissions of the file stay, and a link stays a link. Until it has these
    /// permissions, the new content can be read by its owner alone.
    ///
    /// # Errors
    ///
    /// The client answers with an error, or the agent itself cannot write the file.
    pub async fn write(&self, path: impl AsRef<Path>, content: impl Into<String>) -> Result<()> {
        let path = self.resolve(path.as_ref())?;
        let content = content.into();
        if self.client.can_write_files() {
            return self.client.write_text_file(path, content).await;
        }
        self.run(move || write(&path, &content)).await
    }

    /// Runs work on a file on a thread of its own, because such work waits for the disk. After a cancel, no work begins. Work that
    /// has begun cannot be stopped.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        let ended = self.client.cancellation().blocking(work).await?;
        ended.unwrap_or_else(|_| Err(Error::internal_error("the work on a file was given up")))
    }
}

fn read(path: &Path, lines: Option<Lines>) -> Result<String> {
    let failed = |error| failed("read", path, &error);
    // The file is checked before it is opened, because the open of a pipe may wait for ever.
    check_file(path, &fs::metadata(path).map_err(failed)?)?;
    let mut input = BufReader::new(File::open(path).map_err(failed)?);
    let mut bytes = Vec::new();
    let most = MOST + 1;
    match lines {
        None => drop(input.take(most).read_to_end(&mut bytes).map_err(failed)?),
        Some(Lines { first, count }) => {
            for _ in 1..first {
                if input.skip_until(b'\n').map_err(failed)? == 0 {
                    break;
                }
            }
            let mut input = input.take(most);
            for _ in 0..count {
                if input.read_until(b'\n', &mut bytes).map_err(failed)? == 0 {
                    break;
                }
            }
        }
    }
    let path = path.display();
    if bytes.len() as u64 > MOST {
        return Err(Error::internal_error(format!(
            "`{path}` has more than {MOST} bytes there: read fewer lines of it"
        )));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        Error::internal_error(format!("`{path}` is no text in UTF-8: byte {at} of this part is not"))
    })
}

fn write(path: &Path, content: &str) -> Result<()> {
    let failed = |error| failed("write", path, &error);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let (target, permissions) = match fs::canonicalize(path) {
        Ok(target) => {
            let found = fs::metadata(&target).map_err(failed)?;
            check_file(path, &found)?;
            // The file is replaced, so the right to write it is checked here.
            File::options().write(true).open(&target).map_err(failed)?;
            (target, Some(found.permissions()))
        }
        // A link that leads to no file yet: the system makes the file.
        Err(_) if path.is_symlink() => return fs::write(path, content).map_err(failed),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (path.to_owned(), None),
        Err(error) => return Err(failed(error)),
    };
    replace(&target, permissions, content).map_err(failed)
}

/// Writes a draft beside the file, and gives it the file's name. `permissions` are those of the file that is replaced.
fn replace(target: &Path, permissions: Option<fs::Permissions>, content: &str) -> io::Result<()> {
    let (draft, mut file) = draft(target, permissions.is_some())?;
    let written = || -> io::Result<()> {
        file.write_all(content.as_bytes())?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        drop(file);
        fs::rename(&draft, target)
    };
    written().inspect_err(|_| {
        // The caller gets the error of the write, so an error here is ignored.
        let _ = fs::remove_file(&draft);
    })
}

/// A new file beside the target. If it replaces a file, it is for its owner alone: the file may be private, and gives the draft
/// its permissions at the end. A new file has the permissions that the system gives to all new files.
fn draft(target: &Path, replaces: bool) -> io::Result<(PathBuf, File)> {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    let mut options = File::options();
    options.write(true).create_new(true);
    if replaces {
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    loop {
        let (process, serial) = (std::process::id(), SERIAL.fetch_add(1, Ordering::Relaxed));
        // The system limits the length of names, so the stem is cut.
        let stem: String = target.file_name().unwrap_or_default().to_string_lossy().chars().take(40).collect();
        let path = target.with_file_name(format!(".{stem}.{process}-{serial}.draft"));
        match options.open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

fn check_file(path: &Path, found: &fs::Metadata) -> Result<()> {
    if found.is_file() {
        return Ok(());
    }
    Err(Error::internal_error(format!("`{}` is no file: it is a folder, a device or a pipe", path.display())))
}

fn failed(what: &str, path: &Path, error: &io::Error) -> Error {
    use io::ErrorKind::{NotADirectory, NotFound};
    match error.kind() {
        NotFound | NotADirectory if what == "read" => Error::resource_not_found(path.to_string_lossy()),
        _ => Error::internal_error(format!("could not {what} `{}`: {error}", path.display())),
    }
}
