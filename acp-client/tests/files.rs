//! The files part: the files that an agent may read and write. For all other files, the agent does not learn whether
//! they exist.
#![cfg(all(feature = "files", unix))]
#![expect(clippy::unwrap_used, reason = "what a test needs, it fails without")]

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use acp_client::handlers::Error;
use acp_client::{
    parts::{Files, Roots},
    values::{ReadTextFileRequest, WriteTextFileRequest},
};

struct Place {
    _dir: tempfile::TempDir,
    /// The folder of the session. `outside` lies beside it.
    root: PathBuf,
    outside: PathBuf,
    roots: Roots,
    files: Files,
}

fn place() -> Place {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let (root, outside) = (base.join("project"), base.join("private"));
    fs::create_dir(&root).unwrap();
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), "secret").unwrap();
    let roots = Roots::new();
    roots.open("session", [&root]);
    Place { _dir: dir, root, outside, files: Files::new(roots.clone()), roots }
}

impl Place {
    async fn read(&self, path: impl Into<PathBuf>) -> Result<String, Error> {
        let request = ReadTextFileRequest::new("session", path.into());
        self.files.read_text_file(request).await.map(|answer| answer.content)
    }

    async fn lines(&self, path: impl Into<PathBuf>, line: Option<u32>, limit: Option<u32>) -> Result<String, Error> {
        let request = ReadTextFileRequest::new("session", path.into()).line(line).limit(limit);
        self.files.read_text_file(request).await.map(|answer| answer.content)
    }

    async fn write(&self, path: impl Into<PathBuf>, content: &str) -> Result<(), Error> {
        let request = WriteTextFileRequest::new("session", path.into(), content);
        self.files.write_text_file(request).await.map(drop)
    }
}

#[track_caller]
fn is_outside<T: std::fmt::Debug>(answer: Result<T, Error>) {
    let error = answer.unwrap_err();
    assert_eq!(error.code(), Error::INVALID_PARAMS, "{error}");
    assert!(error.message().contains("outside"), "{error}");
}

#[tokio::test]
async fn a_file_is_read_whole_or_by_lines() {
    let place = place();
    let path = place.root.join("a.txt");
    fs::write(&path, "one\ntwo\r\nthree\n\nfive").unwrap();
    assert_eq!(place.read(&path).await.unwrap(), "one\ntwo\r\nthree\n\nfive");
    for (line, limit, expected) in [
        (Some(1), Some(1), "one\n"),
        (Some(2), Some(2), "two\r\nthree\n"),
        (None, Some(2), "one\ntwo\r\n"),
        (Some(4), None, "\nfive"),
        (Some(5), Some(9), "five"),
        (Some(6), None, ""),
        (Some(u32::MAX), Some(u32::MAX), ""),
        (Some(1), Some(0), ""),
    ] {
        assert_eq!(place.lines(&path, line, limit).await.unwrap(), expected, "{line:?} {limit:?}");
    }
    let error = place.lines(&path, Some(0), None).await.unwrap_err();
    assert_eq!(error.code(), Error::INVALID_PARAMS, "{error}");
    fs::write(place.root.join("empty"), "").unwrap();
    assert_eq!(place.read(place.root.join("empty")).await.unwrap(), "");
    // The file has more lines than the part reads at once.
    let long: String = (0..40_000).map(|line| format!("{line}\n")).collect();
    fs::write(&path, &long).unwrap();
    assert_eq!(place.lines(&path, Some(20_001), Some(2)).await.unwrap(), "20000\n20001\n");
    assert_eq!(place.read(&path).await.unwrap(), long);
}

#[tokio::test]
async fn what_is_missing_is_not_found_and_what_is_no_text_is_said_to_be_none() {
    let place = place();
    let missing = place.root.join("none.txt");
    for path in [&missing, &place.root.join("no/where"), &place.root.join("a.txt/b")] {
        fs::write(place.root.join("a.txt"), "").unwrap();
        let error = place.read(path).await.unwrap_err();
        assert_eq!(error.code(), Error::RESOURCE_NOT_FOUND, "{error}");
        assert_eq!(error.data().unwrap()["uri"], path.to_str().unwrap());
    }
    fs::write(place.root.join("latin"), b"caf\xe9 s\n").unwrap();
    let error = place.read(place.root.join("latin")).await.unwrap_err();
    assert!(error.message().contains("UTF-8") && error.message().contains("byte 4"), "{error}");
    let error = place.read(&place.root).await.unwrap_err();
    assert!(error.message().contains("no file"), "{error}");
    let error = place.read("a.txt").await.unwrap_err();
    assert!(error.message().contains("relative"), "{error}");
    let request = ReadTextFileRequest::new("another", place.root.join("a.txt"));
    let error = place.files.read_text_file(request).await.unwrap_err();
    assert_eq!(error.code(), Error::RESOURCE_NOT_FOUND, "{error}");
    let error = place.read(place.root.join("a\0b")).await.unwrap_err();
    assert!(!error.message().contains("outside"), "{error}");
}

#[tokio::test]
async fn a_long_file_is_read_in_parts_only() {
    let mut place = place();
    place.files = place.files.max_bytes(100);
    let path = place.root.join("long");
    fs::write(&path, "0123456789\n".repeat(1000)).unwrap();
    let error = place.read(&path).await.unwrap_err();
    assert!(error.message().contains("100 bytes") && error.message().contains("`limit`"), "{error}");
    assert_eq!(place.lines(&path, Some(900), Some(2)).await.unwrap(), "0123456789\n0123456789\n");
    // A read of a hundred gibibytes without a line end takes no memory.
    let sparse = fs::File::create(place.root.join("sparse")).unwrap();
    sparse.set_len(100 << 30).unwrap();
    assert!(place.lines(place.root.join("sparse"), Some(1), Some(1)).await.is_err());
}

#[tokio::test]
async fn a_pipe_without_another_end_holds_nobody_up() {
    let place = place();
    let pipe = place.root.join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let soon = std::time::Duration::from_secs(5);
    let read = tokio::time::timeout(soon, place.read(&pipe)).await.expect("it does not wait");
    assert!(read.unwrap_err().message().contains("no file"));
    let written = tokio::time::timeout(soon, place.write(&pipe, "x")).await.expect("it does not wait");
    assert!(written.unwrap_err().message().contains("no file"));
}

#[tokio::test]
async fn nothing_leads_out_and_nothing_tells_of_what_is_there() {
    let place = place();
    let root = &place.root;
    fs::create_dir(root.join("sub")).unwrap();
    symlink(&place.outside, root.join("absolute")).unwrap();
    symlink("../private", root.join("relative")).unwrap();
    symlink(place.outside.join("secret"), root.join("file")).unwrap();
    symlink("../private/none", root.join("dangling")).unwrap();
    symlink("relative", root.join("chain")).unwrap();
    symlink("/proc/self/root", root.join("magic")).unwrap();
    let paths = [
        place.outside.join("secret"),
        place.outside.join("none"),
        root.join("../private/secret"),
        root.join("../private/none"),
        root.join("sub/../../private/secret"),
        root.join("absolute/secret"),
        root.join("absolute/none"),
        root.join("relative/secret"),
        root.join("relative/none"),
        root.join("chain/secret"),
        root.join("file"),
        root.join("dangling"),
        root.join("magic/etc/passwd"),
        PathBuf::from("/etc/passwd"),
        PathBuf::from(format!("{}-other/x", root.display())),
    ];
    for path in &paths {
        let error = place.read(path).await.unwrap_err();
        let said = |error: &Error, path: &Path| error.message().replace(path.to_str().unwrap(), "PATH");
        is_outside::<()>(Err(error.clone()));
        // The error has the same words for a file that exists and for a file that does not exist.
        assert_eq!(
            said(&error, path),
            said(&place.read(&paths[1]).await.unwrap_err(), &paths[1]),
            "{}",
            path.display()
        );
        assert!(error.data().is_none());
        is_outside(place.write(path, "changed").await);
    }
    assert_eq!(fs::read_to_string(place.outside.join("secret")).unwrap(), "secret");
    assert_eq!(fs::read_dir(&place.outside).unwrap().count(), 1, "nothing was made there");
    // The part follows links that stay within the folder.
    fs::write(root.join("sub/a"), "a").unwrap();
    symlink("sub/../sub/a", root.join("within")).unwrap();
    symlink("sub", root.join("there")).unwrap();
    assert_eq!(place.read(root.join("within")).await.unwrap(), "a");
    assert_eq!(place.read(root.join("there/../sub/a")).await.unwrap(), "a");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_that_is_put_there_meanwhile_leads_nowhere() {
    let place = place();
    let (root, outside) = (place.root.clone(), place.outside.clone());
    fs::create_dir(root.join("inside")).unwrap();
    fs::write(root.join("inside/secret"), "plain").unwrap();
    // The folder exists from the start. Otherwise a write would make it, and no link could replace a real folder.
    symlink("inside", root.join("folder")).unwrap();
    symlink("inside/secret", root.join("leaf")).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let racing = std::thread::spawn({
        let (root, outside, stop) = (root.clone(), outside.clone(), stop.clone());
        move || {
            // The loop replaces both the folder and the file by links that lead out.
            let (folder, file) = (root.join("folder"), root.join("leaf"));
            let (link, leaf) = (root.join("link"), root.join("leaf-link"));
            while !stop.load(Ordering::Relaxed) {
                symlink("inside", &link).unwrap();
                fs::rename(&link, &folder).unwrap();
                symlink("inside/secret", &leaf).unwrap();
                fs::rename(&leaf, &file).unwrap();
                symlink(&outside, &link).unwrap();
                fs::rename(&link, &folder).unwrap();
                symlink("../private/secret", &leaf).unwrap();
                fs::rename(&leaf, &file).unwrap();
            }
        }
    });
    let (mut read, mut refused) = (0, 0);
    for round in 0..20_000 {
        for path in [root.join("folder/secret"), root.join("leaf")] {
            match place.read(&path).await {
                Ok(text) => {
                    assert!(text == "plain" || text.is_empty() || text == "written", "{text}");
                    read += 1;
                }
                Err(_) => refused += 1,
            }
            if round % 4 == 0 {
                let _ = place.write(&path, "written").await;
            }
        }
        if read > 300 && refused > 300 {
            break;
        }
    }
    stop.store(true, Ordering::Relaxed);
    racing.join().unwrap();
    assert!(read > 0 && refused > 0, "both were met: {read} {refused}");
    assert_eq!(fs::read_to_string(outside.join("secret")).unwrap(), "secret");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
}

#[tokio::test]
async fn a_write_makes_the_file_and_its_folders_and_keeps_what_it_is() {
    let place = place();
    let path = place.root.join("new/deep/file.txt");
    place.write(&path, "first").await.unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "first");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
    place.write(&path, "second, and longer").await.unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "second, and longer");
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o751);
    // A write to a link keeps the link and writes to its target, even if the target does not exist yet.
    symlink("new/deep/file.txt", place.root.join("link")).unwrap();
    symlink("../made", place.root.join("new/to-be")).unwrap();
    place.write(place.root.join("link"), "third").await.unwrap();
    place.write(place.root.join("new/to-be"), "made").await.unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "third");
    assert_eq!(fs::read_to_string(place.root.join("made")).unwrap(), "made");
    assert!(place.root.join("link").is_symlink() && place.root.join("new/to-be").is_symlink());
    symlink("round", place.root.join("round")).unwrap();
    assert!(place.write(place.root.join("round"), "").await.is_err());
    assert!(place.write(&place.root.join("new"), "").await.unwrap_err().message().contains("no file"));
    let left: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["file.txt"], "no draft is left");
}

/// A thread looks at the folder while files are written, until it has seen drafts, and one of them before its end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_draft_of_a_private_file_is_private() {
    let place = place();
    let path = place.root.join("key");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let (seen, private) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let stop = Arc::new(AtomicBool::new(false));
    let watching = std::thread::spawn({
        let (root, seen, private, stop) = (place.root.clone(), seen.clone(), private.clone(), stop.clone());
        move || {
            let mut modes = BTreeSet::new();
            while !stop.load(Ordering::Relaxed) {
                for entry in fs::read_dir(&root).unwrap().map(Result::unwrap) {
                    // A draft may be gone since.
                    let Ok(found) = entry.metadata() else { continue };
                    if entry.file_name().to_string_lossy().ends_with(".draft") && found.len() > 0 {
                        let mode = found.mode() & 0o7777;
                        modes.insert(mode);
                        seen.fetch_add(1, Ordering::Relaxed);
                        private.fetch_add(usize::from(mode == 0o600), Ordering::Relaxed);
                    }
                }
            }
            modes
        }
    });
    let content = "x".repeat(8 * 1024 * 1024);
    for _ in 0..200 {
        place.write(&path, &content).await.unwrap();
        if seen.load(Ordering::Relaxed) >= 20 && private.load(Ordering::Relaxed) > 0 {
            break;
        }
    }
    stop.store(true, Ordering::Relaxed);
    let modes = watching.join().unwrap();
    // At its very end, a draft has the rights of the file. A busy disk makes this end long.
    assert!(modes.contains(&0o600) && modes.iter().all(|mode| [0o600, 0o640].contains(mode)), "{modes:?}");
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o640, "the file keeps its rights");
    // A new file has the rights that any program would give it.
    fs::write(place.root.join("by the test"), "").unwrap();
    place.write(place.root.join("new"), "").await.unwrap();
    let mode = |name: &str| fs::metadata(place.root.join(name)).unwrap().mode();
    assert_eq!(mode("new"), mode("by the test"));
}

/// What an agent's command may do: it puts a link in the place of a folder of its session.
#[tokio::test]
async fn a_further_folder_that_becomes_a_link_leads_nowhere() {
    let place = place();
    let (inner, deep) = (place.root.join("inner"), place.root.join("a/deep"));
    for folder in [&inner, &deep] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("secret"), "plain").unwrap();
    }
    let notes = place.root.join("a/notes");
    fs::write(&notes, "notes").unwrap();
    // This one was a link from the start: the user gave the folder to which it leads.
    let given = place.outside.parent().unwrap().join("given");
    fs::create_dir(&given).unwrap();
    fs::write(given.join("b"), "given").unwrap();
    symlink(&given, place.root.join("link")).unwrap();
    place.roots.open("session", [place.root.clone(), inner.clone(), deep.clone(), place.root.join("link")]);
    place.roots.allow(&notes);
    for (path, text) in [(inner.join("secret"), "plain"), (deep.join("secret"), "plain"), (notes.clone(), "notes")] {
        assert_eq!(place.read(&path).await.unwrap(), text);
    }
    assert_eq!(place.read(place.root.join("link/b")).await.unwrap(), "given");
    fs::write(place.outside.join("notes"), "private").unwrap();
    fs::create_dir(place.outside.join("deep")).unwrap();
    fs::write(place.outside.join("deep/secret"), "secret").unwrap();
    for folder in [&inner, &place.root.join("a")] {
        fs::rename(folder, folder.with_extension("moved")).unwrap();
        symlink(&place.outside, folder).unwrap();
    }
    for path in [inner.join("secret"), deep.join("secret"), notes] {
        is_outside(place.read(&path).await);
        is_outside(place.write(&path, "changed").await);
    }
    // A link that leads to another folder is followed no more, and the folder that was given stays.
    fs::remove_file(place.root.join("link")).unwrap();
    symlink(&place.outside, place.root.join("link")).unwrap();
    assert_eq!(place.read(place.root.join("link/b")).await.unwrap(), "given");
    // A folder that was made anew is the session's again.
    fs::remove_file(&inner).unwrap();
    fs::create_dir(&inner).unwrap();
    place.write(inner.join("secret"), "anew").await.unwrap();
    assert_eq!(fs::read_to_string(place.outside.join("secret")).unwrap(), "secret");
    assert_eq!(fs::read_to_string(place.outside.join("deep/secret")).unwrap(), "secret");
}

#[tokio::test]
async fn a_write_to_the_parent_of_a_missing_folder_makes_no_folder() {
    let place = place();
    fs::create_dir(place.root.join("there")).unwrap();
    for path in ["none/../a.txt", "none/../new/a.txt", "there/none/../a.txt"] {
        assert_eq!(place.write(place.root.join(path), "").await.unwrap_err().code(), -32002, "{path}");
    }
    place.write(place.root.join("there/../new/a.txt"), "").await.unwrap();
    let mut names: Vec<_> = fs::read_dir(&place.root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert!(!names.iter().any(|name| *name == *"none" || *name == *"a.txt"), "{names:?}");
    assert!(place.root.join("new/a.txt").exists() && !place.root.join("there/none").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_reads_meanwhile_gets_the_old_or_the_new() {
    let place = place();
    let path = place.root.join("file");
    let contents = ["a".repeat(300_000), "b".repeat(500_000)];
    place.write(&path, &contents[0]).await.unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let reading = std::thread::spawn({
        let (path, stop, contents) = (path.clone(), stop.clone(), contents.clone());
        move || {
            while !stop.load(Ordering::Relaxed) {
                let found = fs::read_to_string(&path).expect("it is always there");
                assert!(contents.contains(&found), "{} bytes", found.len());
            }
        }
    });
    for round in 0..200 {
        place.write(&path, &contents[round % 2]).await.unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    reading.join().unwrap();
}

#[tokio::test]
async fn what_the_user_allowed_counts_and_nothing_beside_it() {
    let place = place();
    let (notes, beside) = (place.outside.join("notes.md"), place.outside.join("secret"));
    fs::write(&notes, "notes").unwrap();
    fs::create_dir(place.outside.join("shared")).unwrap();
    symlink(&notes, place.outside.join("alias")).unwrap();
    is_outside(place.read(&notes).await);
    place.roots.allow(&notes);
    place.roots.allow(place.outside.join("alias"));
    place.roots.allow(place.outside.join("shared"));
    assert_eq!(place.read(&notes).await.unwrap(), "notes");
    assert_eq!(place.read(place.outside.join("alias")).await.unwrap(), "notes");
    place.write(&notes, "more").await.unwrap();
    place.write(place.outside.join("shared/a"), "a").await.unwrap();
    assert_eq!(fs::read_to_string(&notes).unwrap(), "more");
    is_outside(place.read(&beside).await);
    is_outside(place.read(place.outside.join("shared/../secret")).await);
    // The permission is for this file. It does not hold for the target of a link that replaces the file.
    fs::remove_file(&notes).unwrap();
    symlink("secret", &notes).unwrap();
    is_outside(place.read(&notes).await);
    is_outside(place.write(&notes, "changed").await);
    assert_eq!(fs::read_to_string(&beside).unwrap(), "secret");
}

#[tokio::test]
async fn a_folder_may_be_named_by_a_link_to_it_and_a_session_has_its_own() {
    let place = place();
    let named = place.outside.parent().unwrap().join("named");
    symlink(&place.root, &named).unwrap();
    fs::write(place.root.join("a"), "a").unwrap();
    place.roots.open("linked", [&named]);
    for path in [named.join("a"), place.root.join("a")] {
        let request = ReadTextFileRequest::new("linked", path);
        assert_eq!(place.files.read_text_file(request).await.unwrap().content, "a");
    }
    place.roots.open("both", [place.root.clone(), place.outside.clone()]);
    let request = ReadTextFileRequest::new("both", place.outside.join("secret"));
    assert_eq!(place.files.read_text_file(request).await.unwrap().content, "secret");
    is_outside(place.read(place.outside.join("secret")).await);
    place.roots.close(&"both".into());
    let request = ReadTextFileRequest::new("both", place.outside.join("secret"));
    assert_eq!(place.files.read_text_file(request).await.unwrap_err().code(), Error::RESOURCE_NOT_FOUND);
}
