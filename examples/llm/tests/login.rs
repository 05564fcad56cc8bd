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
use acp_tests::{
    chat::{Answer, Request, Server},
    terminal::Terminal,
};

/// Runs the login at a server, where files have all rights if a program does not say otherwise.
async fn log_in(server: &str, home: &Path, input: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$0\" --login", env!("CARGO_BIN_EXE_llm")]);
    shell.env("HOME", home).env("XDG_DATA_HOME", home).env("OPENAI_BASE_URL", server);
    shell.env_remove("OPENAI_API_KEY").env("RUST_BACKTRACE", "1");
    let input = input.to_owned();
    let ran = tokio::task::spawn_blocking(move || {
        let mut process = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        process.wait_with_output().unwrap()
    });
    ran.await.unwrap()
}

/// A server that lists no models, for all keys but `bad`.
async fn server() -> Server {
    let answer = |request: Request| match request.header("authorization") {
        "Bearer bad" => Answer::error("401 Unauthorized", "Incorrect API key provided: bad"),
        _ => Answer::Whole { status: "200 OK", headers: "", body: r#"{"data":[]}"#.to_owned() },
    };
    Server::start(answer).await.unwrap()
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

#[tokio::test]
async fn nobody_else_may_read_the_key_at_any_time() {
    let (home, server) = (tempfile::tempdir().unwrap(), server().await);
    let url = server.url();
    let ended = log_in(&url, home.path(), "first\n").await;
    assert!(ended.status.success(), "{ended:?}");
    let file = key_file(home.path());
    assert_eq!((mode(&file), fs::read_to_string(&file).unwrap()), (0o600, format!("{url}\nfirst")));

    // The file of an older login, which somebody has opened.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let mut open = fs::File::open(&file).unwrap();
    assert!(log_in(&url, home.path(), "second\n").await.status.success());
    assert_eq!((mode(&file), fs::read_to_string(&file).unwrap()), (0o600, format!("{url}\nsecond")));
    let mut seen = String::new();
    open.read_to_string(&mut seen).unwrap();
    assert_eq!(seen, format!("{url}\nfirst"), "the new key never was in the file that others may read");
}

#[tokio::test]
async fn a_login_says_where_the_key_is_and_leaves_a_good_key_for_none_that_is_not_accepted() {
    let (home, server) = (tempfile::tempdir().unwrap(), server().await);
    let url = server.url();
    let ended = log_in(&url, home.path(), "\n secret \n").await;
    let file = key_file(home.path());
    let said = String::from_utf8(ended.stdout).unwrap();
    assert!(ended.status.success() && said.contains(&format!("It is kept in {}.", file.display())), "{said}");

    for (input, words) in [
        ("", "there was no key, so nothing is changed"),
        ("\n \n", "there was no key, so nothing is changed"),
        ("bad\n", "nothing is changed: the server refuses the API key"),
    ] {
        let ended = log_in(&url, home.path(), input).await;
        let told = String::from_utf8(ended.stderr).unwrap();
        assert!(!ended.status.success() && told.contains(words), "{told}");
        assert!(!told.contains("backtrace") && !told.contains("provided: bad"), "{told}");
    }
    drop(server);
    let ended = log_in(&url, home.path(), "untried\n").await;
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(!ended.status.success() && told.contains("nothing is changed: no server answers at"), "{told}");
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{url}\nsecret"));
    let others = files(home.path()).into_iter().filter(|other| *other != file);
    let strange: Vec<_> = others.filter(|file| !file.to_string_lossy().contains("sessions.db")).collect();
    assert!(strange.is_empty(), "{strange:?}");
}

/// `setsid` gives a program its terminal as its own, as a shell would.
fn has_setsid() -> bool {
    let has = Command::new("setsid").arg("--version").output().is_ok();
    if !has {
        assert!(std::env::var_os("CI").is_none(), "`setsid` is missing");
        eprintln!("did not run: `setsid` is missing");
    }
    has
}

/// A program that has the terminal as its own, which is its input.
fn in_terminal(home: &Path, server: &Server, program: &[&str]) -> Command {
    let mut command = Command::new("setsid");
    command.args(["--wait", "--ctty"]).args(program).env_remove("OPENAI_API_KEY");
    command.env("HOME", home).env("XDG_DATA_HOME", home).env("OPENAI_BASE_URL", server.url());
    command
}

#[tokio::test]
async fn a_key_that_is_typed_in_a_terminal_is_not_shown() {
    if !has_setsid() {
        return;
    }
    let (home, server) = (tempfile::tempdir().unwrap(), server().await);
    let (mut terminal, stdin) = Terminal::open().unwrap();
    let mut program = in_terminal(home.path(), &server, &[env!("CARGO_BIN_EXE_llm"), "--login"]);
    let process = program.stdin(stdin).stdout(Stdio::piped()).spawn().unwrap();
    drop(program);
    let typed = tokio::task::spawn_blocking(move || {
        terminal.read_until("/v1: ").unwrap();
        terminal.until_hidden().unwrap();
        terminal.type_text("secret\n").unwrap();
        (process.wait_with_output().unwrap(), terminal.read_to_end())
    });
    let (ended, screen) = typed.await.unwrap();
    assert!(ended.status.success() && !screen.contains("secret"), "{screen} {ended:?}");
    assert!(fs::read_to_string(key_file(home.path())).unwrap().ends_with("\nsecret"));
}

#[tokio::test]
async fn ctrl_c_while_a_key_is_typed_leaves_the_terminal_as_it_was() {
    if !has_setsid() {
        return;
    }
    let (home, server) = (tempfile::tempdir().unwrap(), server().await);
    let (mut terminal, stdin) = Terminal::open().unwrap();
    let mut program =
        in_terminal(home.path(), &server, &["sh", "-c", "\"$0\" --login; stty -a", env!("CARGO_BIN_EXE_llm")]);
    let process = program.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(program);
    let typed = tokio::task::spawn_blocking(move || {
        terminal.read_until("/v1: ").unwrap();
        terminal.until_hidden().unwrap();
        terminal.type_text("half a ke\x03").unwrap();
        process.wait_with_output().unwrap()
    });
    let ended = typed.await.unwrap();
    let [modes, told] = [ended.stdout, ended.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let modes: Vec<_> = modes.split_ascii_whitespace().collect();
    for mode in ["echo", "icanon", "isig"] {
        assert!(modes.contains(&mode), "{mode}: {modes:?}");
    }
    assert!(told.contains("interrupted, so nothing is changed"), "{told}");
    assert!(!files(home.path()).iter().any(|file| file.extension().is_some_and(|extension| extension == "key")));
}

/// The header `authorization` of the agent's first request to each address of a server.
async fn authorizations(home: &Path, server: &Server, asked: &Mutex<Vec<String>>, paths: &[&str]) -> Vec<String> {
    for path in paths {
        let mut program = Command::new(env!("CARGO_BIN_EXE_llm"));
        program.env("HOME", home).env("XDG_DATA_HOME", home).env_remove("OPENAI_API_KEY");
        program.env("OPENAI_BASE_URL", server.url().replace("/v1", path));
        let connection = Endpoint::command(program).connect().await.unwrap();
        connection.authenticate("key").await.expect("the server lists its models");
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
        Answer::Whole { status: "200 OK", headers: "", body: r#"{"data":[]}"#.to_owned() }
    });
    let server = server.await.unwrap();
    let home = tempfile::tempdir().unwrap();
    let at = |path: &str| server.url().replace("/v1", path);
    for (path, key) in [("/team-a/v1", "first\n"), ("/Team-a/v1", "second\n")] {
        assert!(log_in(&at(path), home.path(), key).await.status.success());
    }
    asked.lock().unwrap().clear();
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
