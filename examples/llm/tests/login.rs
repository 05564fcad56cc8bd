//! `llm --login` as a process: the file of the key is for the user alone.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    io::{Read, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::{Arc, Mutex},
};

use acp_client::Endpoint;
use acp_tests::chat::{Answer, Server};

const SERVER: &str = "http://127.0.0.1:1/v1";

/// Runs the login at [`SERVER`], where files have all rights if a program does not say otherwise.
fn log_in(home: &Path, input: &str) -> Output {
    log_in_at(SERVER, home, input)
}

fn log_in_at(server: &str, home: &Path, input: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$0\" --login", env!("CARGO_BIN_EXE_llm")]);
    shell.env("HOME", home).env("XDG_DATA_HOME", home).env("OPENAI_BASE_URL", server).env("RUST_BACKTRACE", "1");
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
    assert_eq!((mode(&file), fs::read_to_string(&file).unwrap()), (0o600, format!("{SERVER}\nfirst")));

    // The file of an older login, which somebody has opened.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let mut open = fs::File::open(&file).unwrap();
    assert!(log_in(home.path(), "second\n").status.success());
    assert_eq!((mode(&file), fs::read_to_string(&file).unwrap()), (0o600, format!("{SERVER}\nsecond")));
    let mut seen = String::new();
    open.read_to_string(&mut seen).unwrap();
    assert_eq!(seen, format!("{SERVER}\nfirst"), "the new key never was in the file that others may read");
}

#[test]
fn a_login_without_a_key_leaves_the_old_one() {
    let home = tempfile::tempdir().unwrap();
    assert!(log_in(home.path(), "secret\n").status.success());
    for input in ["", "\n \n"] {
        let ended = log_in(home.path(), input);
        let told = String::from_utf8(ended.stderr).unwrap();
        assert!(!ended.status.success() && told.contains("there was no key"), "{told}");
        assert_eq!(told.lines().last(), Some("llm: there was no key"), "a backtrace: {told}");
    }
    let file = key_file(home.path());
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{SERVER}\nsecret"));
    let others = files(home.path()).into_iter().filter(|other| *other != file);
    let strange: Vec<_> = others.filter(|file| !file.to_string_lossy().contains("sessions.db")).collect();
    assert!(strange.is_empty(), "{strange:?}");
}

/// The header `authorization` of the agent's first request to each address of a server.
async fn authorizations(home: &Path, server: &Server, asked: &Mutex<Vec<String>>, paths: &[&str]) -> Vec<String> {
    for path in paths {
        let mut program = Command::new(env!("CARGO_BIN_EXE_llm"));
        program.env("HOME", home).env("XDG_DATA_HOME", home).env_remove("OPENAI_API_KEY");
        program.env("OPENAI_BASE_URL", server.url().replace("/v1", path));
        let connection = Endpoint::command(program).connect().await.unwrap();
        connection.authenticate("key").await.expect_err("the server knows no models");
        connection.close().await.unwrap();
    }
    std::mem::take(&mut *asked.lock().unwrap())
}

#[tokio::test]
async fn no_server_gets_the_key_of_one_whose_address_is_alike() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let told = asked.clone();
    let server = Server::start(move |request| {
        told.lock().unwrap().push(format!("{} {}", request.path, request.header("authorization")));
        Answer::error("404 Not Found", "no models")
    });
    let server = server.await.unwrap();
    let home = tempfile::tempdir().unwrap();
    let at = |path: &str| server.url().replace("/v1", path);
    for (path, key) in [("/team-a/v1", "first\n"), ("/Team-a/v1", "second\n")] {
        assert!(log_in_at(&at(path), home.path(), key).status.success());
    }
    // The file of an older version does not name its server.
    let older = at("/old/v1").replace(|c: char| !c.is_ascii_alphanumeric(), "_") + ".key";
    fs::write(key_file(home.path()).with_file_name(older), "third").unwrap();
    let paths = ["/team-a/v1", "/Team-a/v1", "/team.a/v1", "/team_a/v1", "/team/a/v1", "/old/v1", "/old_v1"];
    let told = authorizations(home.path(), &server, &asked, &paths).await;
    let expected = [
        "/team-a/v1/models Bearer first",
        "/Team-a/v1/models Bearer second",
        "/team.a/v1/models ",
        "/team_a/v1/models ",
        "/team/a/v1/models ",
        "/old/v1/models ",
        "/old_v1/models ",
    ];
    assert_eq!(told, expected);
}
