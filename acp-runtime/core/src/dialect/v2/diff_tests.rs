//! The real git takes each patch, and writes the same ones.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use super::*;

/// Names that git quotes, ends with a tab, or leaves as they are.
const NAMES: [&str; 9] = [
    "plain",
    "with a blank",
    "quo\"te",
    "back\\slash",
    "tab\tnew\nline",
    "quo\"te and blank",
    "\x07\x08\x0b\x0c\r\x01\x7f",
    "ümläut 日本\u{85}",
    "-- a",
];

/// An old text, and a new one.
type Case<'a> = (Option<&'a str>, Option<&'a str>);

const CASES: [Case<'_>; 21] = [
    (Some("one\ntwo\nthree\n"), Some("one\n2\nthree\n")),
    (None, Some("a\nb\n")),
    (None, Some("a")),
    (None, Some("")),
    (Some("a\nb\n"), None),
    (Some("a\nb"), None),
    (Some(""), None),
    (Some(""), Some("now\n")),
    (Some("before\n"), Some("")),
    (Some("before"), Some("")),
    (Some("a\nb"), Some("a\nb\nc")),
    (Some("a"), Some("a\n")),
    (Some("a\n"), Some("a")),
    (Some("a"), Some("b")),
    (Some("a\r\nb\r\n"), Some("a\r\nc\r\n")),
    (Some("a\r\nb\r\n"), Some("a\nb\n")),
    (Some("10 %\r20 %\rdone\nb\n"), Some("10 %\r30 %\rdone\nb\n")),
    (Some("a\nb\r"), Some("a\nc\r")),
    (Some("\u{2028}a\u{85}\x0b\x0c\n\n"), Some("\n\u{2028}a\u{85}\x0b\x0cb\n")),
    (Some("-- a\n++ b\n"), Some("++ a\n++ b\n")),
    (Some("\n\n\n"), Some("\n\n\n\n\\ No newline at end of file\n")),
];

/// Runs git without the settings of this machine. `None` without git.
fn git(folder: &Path, arguments: &[&str]) -> Option<Output> {
    let mut git = Command::new("git");
    git.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        git.env_remove(name);
    }
    let done = git.args(["-c", "core.quotePath=false", "-c", "core.autocrlf=false"]).args(arguments).output();
    if done.is_err() {
        assert!(std::env::var_os("CI").is_none(), "git is not there");
        eprintln!("did not run: git is not there");
    }
    done.ok()
}

fn put(path: &Path, text: Option<&str>) {
    match text {
        Some(text) => fs::write(path, text).expect("it can be written"),
        None => drop(fs::remove_file(path)),
    }
}

/// What `git apply` makes of the old text.
fn applies(folder: &Path, path: &Path, (old, new): Case<'_>) -> Option<()> {
    let Some(text) = patch(path, old, new) else {
        assert_eq!(old, new);
        return Some(());
    };
    put(path, old);
    fs::write(folder.join("the.patch"), &text).expect("it can be written");
    for check in [&["--check"][..], &[]] {
        let done = git(folder, &[&["apply", "-p0", "--unsafe-paths", "the.patch"], check].concat())?;
        assert!(done.status.success(), "{path:?}: {}\n{text}", String::from_utf8_lossy(&done.stderr));
    }
    assert_eq!(fs::read_to_string(path).ok().as_deref(), new, "{path:?}\n{text}");
    put(path, None);
    Some(())
}

#[test]
fn git_applies_each_patch() {
    let folder = tempfile::tempdir().expect("a folder");
    let long = (0..400).map(|line| format!("line {line}\n")).collect::<String>();
    let (ends, begins) = (format!("{long}end"), format!("begin\n{long}"));
    let middle = long.replace("line 100\n", "").replace("line 200\n", "two\nlines\n");
    let all_else = long.replace("line", "other");
    let long_cases = [&ends, &begins, &middle, &all_else].map(|new| (Some(&*long), Some(&**new)));
    for case in CASES.into_iter().chain(long_cases) {
        if applies(folder.path(), &folder.path().join("file"), case).is_none() {
            return;
        }
    }
    for name in NAMES {
        for case in
            [(Some("x\n"), Some("y\n")), (None, Some("y")), (None, Some("")), (Some("x"), None), (Some(""), None)]
        {
            applies(folder.path(), &folder.path().join(name), case);
        }
    }
}

/// The lines of a patch that both write: git's also has a line with hashes. Without hunks, ours has two more.
fn common(text: &str) -> Vec<&str> {
    let lines = text.split('\n').filter(|line| !line.starts_with("index "));
    let has_hunks = text.contains("\n@@ ");
    lines.filter(|line| has_hunks || !line.starts_with("--- ") && !line.starts_with("+++ ")).collect()
}

#[test]
fn git_writes_the_same_patch() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = CASES.into_iter().map(|case| ("file", case));
    let named = NAMES.into_iter().flat_map(|name| CASES[..3].iter().map(move |case| (name, *case)));
    if git(folder.path(), &["init", "--quiet"]).is_none() {
        return;
    }
    for (name, (old, new)) in all.chain(named) {
        let path = folder.path().join(name);
        put(&path, old);
        git(folder.path(), &["add", "--all"]).expect("git is there");
        put(&path, new);
        if old.is_none() {
            git(folder.path(), &["add", "--intent-to-add", "."]).expect("git is there");
        }
        let written = git(folder.path(), &["diff", "--no-prefix", "--no-color"]).expect("git is there").stdout;
        let written = String::from_utf8(written).expect("it is text");
        let ours = patch(Path::new(name), old, new).expect("the texts differ");
        assert_eq!(common(&ours), common(&written), "{name:?}");
        put(&path, None);
    }
}

#[test]
fn what_has_not_changed_has_no_patch() {
    for text in [None, Some(""), Some("same\n")] {
        assert_eq!(patch(Path::new("/a"), text, text), None);
    }
}
