//! Files beneath a folder. `cap-std` resolves every path, one component after the other, from the opened folder. So
//! neither `..` nor a link leads out of the folder, even if another process puts a link there meanwhile.

use std::{
    ffi::OsStr,
    io::{self, BufRead, BufReader, Write},
    path::{Component, Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use acp_peer::Error;
use cap_std::{
    ambient_authority,
    fs::{Dir, File, Metadata, OpenOptions},
};

use super::roots::{Root, locate, odd_on_windows, outside};

/// The number of links that a write follows to its file.
const LINKS: usize = 40;

/// The path of a request, and the opened root that contains it.
pub(super) struct Confined<'p> {
    /// The path as the agent wrote it.
    path: &'p Path,
    dir: Dir,
    /// The path relative to `dir`.
    rest: PathBuf,
    /// Whether the user allowed exactly one file of `dir`. Then no link is followed.
    is_single: bool,
}

/// A part of a file.
pub(super) struct Part {
    /// The number of lines before the part.
    pub(super) skip: u64,
    /// The number of lines in the part.
    pub(super) lines: u64,
    /// The limit of the part's length.
    pub(super) bytes: usize,
}

impl<'p> Confined<'p> {
    /// # Errors
    ///
    /// The path is relative, lies in none of the roots, or does not name a file.
    pub(super) fn open(path: &'p Path, roots: &[Root]) -> Result<Self, Error> {
        let (root, rest) = locate(path, roots)?;
        if cfg!(windows) {
            let mut names = rest.components().filter_map(|part| match part {
                Component::Normal(name) => Some(name.to_string_lossy()),
                _ => None,
            });
            if let Some(why) = names.find_map(|name| odd_on_windows(&name)) {
                return Err(Error::invalid_params(format!("the path `{}` is none of a file: {why}", path.display())));
            }
        }
        let gone = |error| refusal(path, &error);
        if !rest.as_os_str().is_empty() {
            let dir = open_root(&root.real, roots).map_err(gone)?;
            return Ok(Self { path, dir, rest, is_single: false });
        }
        // The root is a single file that the user allowed.
        match (root.real.parent(), root.real.file_name()) {
            (Some(parent), Some(name)) => {
                let dir = open_root(parent, roots).map_err(gone)?;
                Ok(Self { path, dir, rest: name.into(), is_single: true })
            }
            _ => Err(no_file(path)),
        }
    }

    /// Reads a part of a text. Stops with an error when `gone` is set.
    pub(super) fn read(&self, part: &Part, gone: &AtomicBool) -> Result<String, Error> {
        if self.is_single && self.dir.symlink_metadata(&self.rest).is_ok_and(|found| found.is_symlink()) {
            return Err(outside(self.path));
        }
        let mut options = OpenOptions::new();
        let file = self.dir.open_with(&self.rest, patient(options.read(true))).map_err(|error| self.refused(&error))?;
        let found = file.metadata().map_err(|error| self.refused(&error))?;
        self.check_file(&found)?;
        let bytes = lines(file, part, gone).map_err(|error| self.refused(&error))?.ok_or_else(|| {
            let (path, most) = (self.path.display(), part.bytes);
            Error::internal_error(format!(
                "`{path}` has more than {most} bytes there: ask for fewer lines with `limit`"
            ))
        })?;
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to() + 1;
            Error::internal_error(format!(
                "`{}` is no text in UTF-8: byte {at} of what was asked for",
                self.path.display()
            ))
        })
    }

    /// Writes the whole text in one step, so that readers see either the old or the new content. Missing folders and a
    /// missing file are made.
    pub(super) fn write(&self, content: &str) -> Result<(), Error> {
        self.write_to_end(content).map_err(|error| match error {
            Unwritten::Refused(error) => error,
            Unwritten::Failed(error) => self.refused(&error),
        })
    }

    fn write_to_end(&self, content: &str) -> Result<(), Unwritten> {
        let (dir, name) = self.target()?;
        let permissions = match dir.symlink_metadata(&name) {
            Ok(found) => {
                self.check_file(&found)?;
                // The file is replaced, so the user's right to write it is checked here.
                dir.open_with(&name, patient(OpenOptions::new().write(true)))?;
                Some(found.permissions())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let draft = Draft::new(&dir, &name, permissions.is_some())?;
        (&draft.file).write_all(content.as_bytes())?;
        if let Some(permissions) = permissions {
            draft.file.set_permissions(permissions)?;
        }
        draft.publish(&name)?;
        Ok(())
    }

    /// The folder and the name for a write. Links at the end of the path are followed, but not out of the root.
    fn target(&self) -> Result<(Dir, PathBuf), Unwritten> {
        let mut rest = self.rest.clone();
        for _ in 0..LINKS {
            let Some(name) = rest.file_name().map(PathBuf::from) else { return Err(no_file(self.path).into()) };
            let parent = match rest.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent,
                _ => Path::new("."),
            };
            let dir = self.folder(parent)?;
            match dir.symlink_metadata(&name) {
                Ok(found) if found.is_symlink() => {
                    let link = dir.read_link_contents(&name)?;
                    if self.is_single || link.has_root() || link.is_absolute() {
                        return Err(outside(self.path).into());
                    }
                    // `parent` is resolved first, so that `..` in the link means the parent of the link's own folder.
                    rest = self.dir.canonicalize(parent)?.join(link);
                }
                _ => return Ok((dir, name)),
            }
        }
        Err(Error::internal_error(format!("`{}` leads through too many links", self.path.display())).into())
    }

    /// Opens the folder of a file. If the folder is missing, it is made.
    fn folder(&self, parent: &Path) -> io::Result<Dir> {
        match self.dir.open_dir(parent) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return opened,
        }
        self.check_missing(parent)?;
        match self.dir.create_dir_all(parent) {
            // A link that leads to no folder also gives `AlreadyExists`, and so does another process that was faster.
            // The next open decides.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => self.dir.open_dir(parent),
        }
    }

    /// Checks that no `..` follows a missing folder. The system finds nothing at such a path, and so no folder is made.
    fn check_missing(&self, parent: &Path) -> io::Result<()> {
        let (mut at, mut is_missing) = (PathBuf::new(), false);
        for component in parent.components() {
            if is_missing && component == Component::ParentDir {
                return Err(io::ErrorKind::NotFound.into());
            }
            at.push(component);
            is_missing = is_missing || !self.dir.try_exists(&at).unwrap_or(true);
        }
        Ok(())
    }

    fn check_file(&self, found: &Metadata) -> Result<(), Error> {
        if found.is_file() { Ok(()) } else { Err(no_file(self.path)) }
    }

    fn refused(&self, error: &io::Error) -> Error {
        refusal(self.path, error)
    }
}

enum Unwritten {
    Refused(Error),
    Failed(io::Error),
}

impl From<Error> for Unwritten {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

fn no_file(path: &Path) -> Error {
    Error::invalid_params(format!("`{}` is no file: it is a folder, a device or a pipe", path.display()))
}

/// Opens a root, or the folder of a root that is a file. Inside of another root, it is opened from that one: an agent may
/// have put a link in its place since, and no link leads out of a root.
fn open_root(real: &Path, roots: &[Root]) -> io::Result<Dir> {
    let inside = |outer: &Root| real.strip_prefix(&outer.real).ok().map(|rest| (outer.real.clone(), rest.to_owned()));
    // The outermost root counts. It leaves the longest rest.
    let outermost = roots.iter().filter_map(inside).max_by_key(|(_, rest)| rest.components().count());
    match outermost {
        Some((outer, rest)) if !rest.as_os_str().is_empty() => {
            Dir::open_ambient_dir(outer, ambient_authority())?.open_dir(rest)
        }
        _ => Dir::open_ambient_dir(real, ambient_authority()),
    }
}

/// The error for the agent. It tells the agent nothing about files outside of the roots.
fn refusal(path: &Path, error: &io::Error) -> Error {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound, PermissionDenied};
    match error.kind() {
        NotFound | NotADirectory => Error::resource_not_found(path.to_string_lossy()),
        // `cap-std` reports a path that leads out with this kind of error and without a code. An error of the system
        // has a code.
        PermissionDenied if error.raw_os_error().is_none() => outside(path),
        IsADirectory => no_file(path),
        _ => error.raw_os_error().map(io::Error::from_raw_os_error).unwrap_or_else(|| error.kind().into()).into(),
    }
}

/// Lets an open return at once. Otherwise, to open a pipe without another end would wait for ever.
fn patient(options: &mut OpenOptions) -> &OpenOptions {
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        use rustix::fs::OFlags;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    }
    options
}

/// The lines of a part; `None` if they exceed the limit.
fn lines(file: File, part: &Part, gone: &AtomicBool) -> io::Result<Option<Vec<u8>>> {
    let mut input = BufReader::with_capacity(64 * 1024, file);
    let (mut skip, mut take, mut text) = (part.skip, part.lines, Vec::new());
    while take > 0 {
        if gone.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let chunk = match input.fill_buf() {
            Ok([]) => break,
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let mut at = 0;
        let mut ends = memchr::memchr_iter(b'\n', chunk).map(|end| end + 1);
        while skip > 0 {
            let end = ends.next();
            skip -= u64::from(end.is_some());
            at = end.unwrap_or(chunk.len());
            if end.is_none() {
                break;
            }
        }
        let start = at;
        while skip == 0 && take > 0 && at < chunk.len() {
            let end = ends.next();
            take -= u64::from(end.is_some());
            at = end.unwrap_or(chunk.len());
        }
        if skip == 0 {
            text.extend_from_slice(&chunk[start..at]);
        }
        if text.len() > part.bytes {
            return Ok(None);
        }
        input.consume(at);
    }
    Ok(Some(text))
}

/// A file under a temporary name. If it is dropped before `publish`, it is removed.
struct Draft<'d> {
    dir: &'d Dir,
    name: PathBuf,
    file: File,
    is_published: bool,
}

impl<'d> Draft<'d> {
    /// A draft that replaces a file is for its owner alone: the file may be private, and gives the draft its permissions at
    /// the end. A new file has the permissions that the system gives to all new files.
    fn new(dir: &'d Dir, of: &Path, replaces: bool) -> io::Result<Self> {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        loop {
            let (process, serial) = (std::process::id(), SERIAL.fetch_add(1, Ordering::Relaxed));
            // The system limits the length of names, so the stem is cut.
            let stem: String = of.as_os_str().to_string_lossy().chars().take(40).collect();
            let name = PathBuf::from(format!(".{stem}.{process}-{serial}.draft"));
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            if replaces {
                #[cfg(unix)]
                cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
            }
            match dir.open_with(&name, &options) {
                Ok(file) => return Ok(Self { dir, name, file, is_published: false }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn publish(mut self, name: impl AsRef<OsStr>) -> io::Result<()> {
        self.dir.rename(&self.name, self.dir, Path::new(&name))?;
        self.is_published = true;
        Ok(())
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.is_published {
            // The agent gets the error of the write, so an error here is ignored.
            let _ = self.dir.remove_file(&self.name);
        }
    }
}
