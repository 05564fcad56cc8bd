//! The folders of sessions, and the further files and folders that the user allowed.

use std::{
    collections::HashMap,
    ffi::OsStr,
    fmt,
    path::{Component, Path, PathBuf, Prefix},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use acp_peer::Error;

use crate::values::SessionId;

/// The folders that agents may work in, by session. Clones are the same folders: give a clone to each part that uses
/// them.
///
/// A connection tells a [`Workspace`](super::Workspace) about its sessions. In a client of your own, call
/// [`open`](Self::open).
///
/// ```
/// use acp_client::parts::{Roots, Terminals};
///
/// let roots = Roots::new();
/// let terminals = Terminals::new(roots.clone());
/// roots.open("session-1", ["/home/me/project", "/home/me/library"]);
/// roots.allow("/home/me/notes.md");
/// # let _ = terminals;
/// ```
///
/// See [Working directory](https://agentclientprotocol.com/protocol/v1/session-setup#working-directory).
#[derive(Clone, Default)]
pub struct Roots(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    sessions: HashMap<SessionId, Vec<Allowed>>,
    allowed: Vec<Allowed>,
}

/// An allowed path: as the user wrote it, and with its links resolved at that time.
#[derive(Clone)]
struct Allowed {
    named: PathBuf,
    real: PathBuf,
}

impl Allowed {
    fn now(named: PathBuf) -> Self {
        let real = resolved(&named);
        Self { named, real }
    }
}

impl fmt::Debug for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.named.fmt(f)
    }
}

/// The path without links. A part that does not exist yet stays as it is.
fn resolved(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|above| Some((above, std::fs::canonicalize(above).ok()?)));
    let resolved = there.and_then(|(above, real)| Some((real, path.strip_prefix(above).ok()?)));
    match resolved {
        Some((real, rest)) if rest.as_os_str().is_empty() => real,
        Some((real, rest)) => real.join(rest),
        None => path.to_owned(),
    }
}

/// One folder or file that a session may use.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// The names under which an agent may name the file or folder.
    names: Vec<PathBuf>,
    /// The path to open.
    #[cfg_attr(not(feature = "files"), expect(dead_code, reason = "only files are opened"))]
    pub(super) real: PathBuf,
}

impl Roots {
    /// No folders.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a session. `folders` are absolute paths; the first is the session's working directory. Links are resolved now,
    /// so a later change of them has no effect.
    pub fn open(&self, session: impl Into<SessionId>, folders: impl IntoIterator<Item = impl Into<PathBuf>>) {
        let folders = folders.into_iter().map(|folder| Allowed::now(folder.into())).collect();
        self.lock().sessions.insert(session.into(), folders);
    }

    /// Removes a session that has ended.
    pub fn close(&self, session: &SessionId) {
        self.lock().sessions.remove(session);
    }

    /// Allows a file, or a folder with its content, for every session. A link is resolved now, so a later change of it
    /// has no effect.
    pub fn allow(&self, path: impl Into<PathBuf>) {
        let allowed = Allowed::now(path.into());
        self.lock().allowed.push(allowed);
    }

    /// The working directory of a session.
    ///
    /// # Errors
    ///
    /// The session is unknown.
    pub(super) fn cwd(&self, session: &SessionId) -> Result<PathBuf, Error> {
        let table = self.lock();
        let folders = table.sessions.get(session).ok_or_else(|| Error::session_not_found(session.as_ref()))?;
        let first = folders.first().map(|folder| folder.named.clone());
        first.ok_or_else(|| Error::internal_error("the session has no working directory"))
    }

    /// All roots of a session.
    ///
    /// # Errors
    ///
    /// The session is unknown.
    pub(super) fn of(&self, session: &SessionId) -> Result<Vec<Root>, Error> {
        let table = self.lock();
        let folders = table.sessions.get(session).ok_or_else(|| Error::session_not_found(session.as_ref()))?;
        let all = folders.iter().chain(&table.allowed).cloned();
        // An agent may use the name without links, because its own system resolved them.
        Ok(all.map(|Allowed { named, real }| Root { names: vec![named, real.clone()], real }).collect())
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Roots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(&self.lock().sessions).finish()
    }
}

/// The root that contains a path, and the path relative to this root. Links on the path are not checked here.
///
/// # Errors
///
/// The path is relative, or no root contains it.
pub(super) fn locate<'r>(path: &Path, roots: &'r [Root]) -> Result<(&'r Root, PathBuf), Error> {
    if !path.is_absolute() {
        return Err(Error::invalid_params(format!(
            "the path `{}` is relative; the protocol's paths are absolute",
            path.display()
        )));
    }
    let found =
        roots.iter().flat_map(|root| root.names.iter().filter_map(move |name| Some((root, beneath(path, name)?))));
    // The nearest root counts. If one folder is inside another, the path from the inner folder is shorter.
    found.min_by_key(|(_, rest)| rest.components().count()).ok_or_else(|| outside(path))
}

/// The error for a path outside. It does not tell whether the file exists.
pub(super) fn outside(path: &Path) -> Error {
    Error::invalid_params(format!(
        "the path `{}` is outside of the session's folders, or leads there by a link",
        path.display()
    ))
}

/// The path relative to `root`; `None` if `path` is not below `root`.
fn beneath(path: &Path, root: &Path) -> Option<PathBuf> {
    if let Ok(rest) = path.strip_prefix(root) {
        return Some(rest.to_owned());
    }
    let count = root.components().count();
    let mut components = path.components();
    let head: PathBuf = components.by_ref().take(count).collect();
    let alike =
        head.components().count() == count && head.components().zip(root.components()).all(|(a, b)| is_alike(a, b));
    (alike && is_same(&head, root)).then(|| components.as_path().to_owned())
}

/// Whether two components have the same name, apart from upper and lower case.
fn is_alike(one: Component<'_>, other: Component<'_>) -> bool {
    match (one, other) {
        (Component::Prefix(one), Component::Prefix(other)) => is_same_volume(one.kind(), other.kind()),
        (Component::Normal(one), Component::Normal(other)) => is_alike_name(one, other),
        (one, other) => one == other,
    }
}

fn is_alike_name(one: &OsStr, other: &OsStr) -> bool {
    one == other
        || one.to_str().zip(other.to_str()).is_some_and(|(one, other)| one.to_lowercase() == other.to_lowercase())
}

/// Compares drive letters and shares, which have two forms each. A device is never equal, because it contains no files.
fn is_same_volume(one: Prefix<'_>, other: Prefix<'_>) -> bool {
    use Prefix::{Disk, UNC, VerbatimDisk, VerbatimUNC};
    match (one, other) {
        (Disk(one) | VerbatimDisk(one), Disk(other) | VerbatimDisk(other)) => one.eq_ignore_ascii_case(&other),
        (UNC(server, share) | VerbatimUNC(server, share), UNC(other, its) | VerbatimUNC(other, its)) => {
            is_alike_name(server, other) && is_alike_name(share, its)
        }
        _ => false,
    }
}

/// Whether two names that differ in upper and lower case mean one folder. Only the file system knows this.
#[cfg(unix)]
fn is_same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
    matches!((id(one), id(other)), (Some(one), Some(other)) if one == other)
}

/// Windows ignores upper and lower case in names.
#[cfg(not(unix))]
fn is_same(_: &Path, _: &Path) -> bool {
    cfg!(windows)
}

/// The reason why a name cannot be the name of a file on Windows. Such a name means a stream of a file or a device, or
/// Windows changes it to another name.
#[cfg(any(feature = "files", test))]
pub(super) fn odd_on_windows(name: &str) -> Option<&'static str> {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let is_port = |name: &str| {
        let mut rest = name.strip_prefix("com").or_else(|| name.strip_prefix("lpt"))?.chars();
        Some(matches!((rest.next(), rest.next()), (Some('0'..='9' | '¹' | '²' | '³'), None)))
    };
    if name.contains(':') {
        Some("it names a stream within a file")
    } else if DEVICES.contains(&&*stem) || is_port(&stem) == Some(true) {
        Some("it names a device")
    } else if name.ends_with(['.', ' ']) {
        Some("it ends in a dot or a space")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_volume_is_the_same_in_either_case_and_form() {
        let name = OsStr::new;
        assert!(is_same_volume(Prefix::Disk(b'c'), Prefix::VerbatimDisk(b'C')));
        assert!(!is_same_volume(Prefix::Disk(b'c'), Prefix::Disk(b'd')));
        assert!(is_same_volume(Prefix::UNC(name("Server"), name("s")), Prefix::VerbatimUNC(name("server"), name("S"))));
        assert!(!is_same_volume(Prefix::UNC(name("server"), name("s")), Prefix::UNC(name("server"), name("t"))));
        assert!(!is_same_volume(Prefix::DeviceNS(name("c")), Prefix::DeviceNS(name("c"))));
    }

    #[test]
    fn names_that_windows_reads_otherwise_are_known() {
        for odd in ["a.txt:hidden", "CON", "nul.txt", "com1", "LPT9.log", "aux .c", "a.", "a "] {
            assert!(odd_on_windows(odd).is_some(), "{odd}");
        }
        for fine in ["a.txt", "console", "com", "com10", "nullable.rs", ".gitignore", "a b"] {
            assert!(odd_on_windows(fine).is_none(), "{fine}");
        }
    }

    #[test]
    fn the_nearest_folder_is_found_and_a_longer_name_is_another() {
        let roots = Roots::new();
        roots.open("s", ["/none/a", "/none/a/b"]);
        let roots = roots.of(&SessionId::from("s")).unwrap();
        let (root, rest) = locate(Path::new("/none/a/b/c"), &roots).unwrap();
        assert_eq!((&*root.real, &*rest), (Path::new("/none/a/b"), Path::new("c")));
        for other in ["/none/ab", "/none", "/", "/none/A/c"] {
            assert!(locate(Path::new(other), &roots).is_err(), "{other}");
        }
        assert!(locate(Path::new("a/b"), &roots).unwrap_err().message().contains("relative"));
    }

    #[cfg(unix)]
    #[test]
    fn a_name_in_another_case_counts_where_it_is_the_same_folder() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("Project");
        std::fs::create_dir(&root).unwrap();
        let other = dir.path().join("project");
        assert!(beneath(&other.join("x"), &root).is_none(), "it is another folder, or none");
        std::os::unix::fs::symlink(&root, &other).unwrap();
        assert_eq!(beneath(&other.join("x"), &root).as_deref(), Some(Path::new("x")));
        assert!(beneath(&other, &root.join("x")).is_none(), "it is shorter");
    }
}
