//! `llm --login` as a process: the file of the key is for the user alone.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    io::{Read, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// Runs the login with this input, where files have all rights if a program does not say otherwise.
fn log_in(home: &Path, input: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$0\" --login", env!("CARGO_BIN_EXE_llm")]);
    shell.env("HOME", home).env("XDG_DATA_HOME", home).env("OPENAI_BASE_URL", "http://127.0.0.1:1/v1");
    let mut process = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    process.wait_with_output().unwrap()
}

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn key_file(home: &Path) -> PathBuf {
    let is_key = |file: &&PathBuf| file.extension().is_some_and(|extension| extension == "key");
    files(home).iter().find(is_key).expect("a key").clone()
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap().permissions().mode() & 0o777
}

#[test]
fn nobody_else_may_read_the_key_at_any_time() {
    let home = tempfile::tempdir().unwrap();
    let ended = log_in(home.path(), "first\n");
    assert!(ended.status.success(), "{ended:?}");
    let file = key_file(home.path());
    assert_eq!((mode(&file), fs::read_to_string(&file).unwrap().as_str()), (0o600, "first"));

    // The file of an older login, which somebody has opened.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let mut open = fs::File::open(&file).unwrap();
    assert!(log_in(home.path(), "second\n").status.success());
    assert_eq!((mode(&file), fs::read_to_string(&file).unwrap().as_str()), (0o600, "second"));
    let mut seen = String::new();
    open.read_to_string(&mut seen).unwrap();
    assert_eq!(seen, "first", "the new key never was in the file that others may read");
}

#[test]
fn a_login_without_a_key_leaves_the_old_one() {
    let home = tempfile::tempdir().unwrap();
    assert!(log_in(home.path(), "secret\n").status.success());
    for input in ["", "\n \n"] {
        let ended = log_in(home.path(), input);
        let told = String::from_utf8(ended.stderr).unwrap();
        assert!(!ended.status.success() && told.contains("there was no key"), "{told}");
    }
    let file = key_file(home.path());
    assert_eq!(fs::read_to_string(&file).unwrap(), "secret");
    let others = files(home.path()).into_iter().filter(|other| *other != file);
    let strange: Vec<_> = others.filter(|file| !file.to_string_lossy().contains("sessions.db")).collect();
    assert!(strange.is_empty(), "{strange:?}");
}
