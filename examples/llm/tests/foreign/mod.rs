//! The agent as a process, with `aimock`, a server of the chat API that nobody of this project has written. Clients on
//! `acp-client` and on the official SDKs drive it.

mod aimock;

use std::{path::Path, process::Command, time::Duration};

use acp_client::{
    Connection, Endpoint,
    parts::{Permissions, Workspace},
    values::SessionUpdate,
};
use acp_tests::packages::{Installed, PYTHON, Packages, TYPESCRIPT, process};
use aimock::Aimock;

const LLM: &str = env!("CARGO_BIN_EXE_llm");

/// The folder of this package's foreign packages is below it.
fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder")
}

fn installed(packages: &Packages) -> Option<Installed> {
    packages.install(target()).unwrap_or_else(|why| panic!("{}: {why}", packages.name))
}

async fn connect(server: &Aimock, data: &Path) -> Connection {
    let mut program = Command::new(LLM);
    program.env("OPENAI_BASE_URL", &server.url).env("OPENAI_MODEL", "gpt-4o").env("XDG_DATA_HOME", data);
    let client = Workspace::new(Permissions::allow());
    Endpoint::command(program).connect_as(client).await.expect("an agent")
}

#[tokio::test]
async fn a_foreign_server_is_understood() {
    let Some(server) = Aimock::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cwd = folder.path().canonicalize().unwrap();
    let connection = connect(&server, &cwd.join("data")).await;
    let session = connection.new_session(&*cwd).await.expect("a session");
    let mut turn = session.prompt("hello").await.expect("a turn");
    let mut text = String::new();
    while let Some(piece) = turn.text().await.expect("a piece") {
        text.push_str(&piece);
    }
    assert_eq!(text, "Hello! How can I help you today?");

    let mut turn = session.prompt("write a note").await.expect("a turn");
    let mut calls = 0;
    while let Some(update) = turn.next().await.expect("an update") {
        calls += usize::from(matches!(update.known(), Some(SessionUpdate::ToolCall(_))));
    }
    assert_eq!((calls, std::fs::read_to_string(cwd.join("note.txt")).unwrap().as_str()), (1, "from the model"));

    for (prompt, words) in [
        ("busy", "try again in 1 seconds (Rate limited)"),
        // It breaks the connection before the begin of the answer has left it.
        ("halfway", "no server answers at"),
        ("hang up", "no server answers at"),
        ("a prompt that no fixture has", "no fixture matched"),
    ] {
        let error = session.prompt(prompt).await.expect("a turn").finish().await.expect_err(prompt).to_string();
        assert!(error.contains(words), "{prompt}: {error}");
    }
    session.prompt("hello").await.expect("a turn").finish().await.expect("the session lives");
    connection.close().await.expect("an end");
}

#[test]
fn the_official_sdks_drive_the_agent() {
    let Some(server) = Aimock::start() else { return };
    if let Some(packages) = installed(&TYPESCRIPT) {
        // Node searches for packages from the folder of a module.
        let driver = packages.folder.join("drive-llm.mjs");
        std::fs::copy(source("drive.mjs"), &driver).unwrap();
        let mut node = Command::new("node");
        node.arg(driver);
        drive(node, &server);
    }
    if let Some(packages) = installed(&PYTHON) {
        let mut python = Command::new(packages.folder.join("venv/bin/python"));
        python.arg("-B").arg(source("drive.py"));
        drive(python, &server);
    }
}

fn source(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign").join(name)
}

fn drive(mut driver: Command, server: &Aimock) {
    let folder = tempfile::tempdir().expect("a folder");
    let cwd = folder.path().canonicalize().expect("a path");
    driver.arg(LLM).arg(&cwd).env("OPENAI_BASE_URL", &server.url).env("XDG_DATA_HOME", cwd.join("data"));
    let ended = process::run(driver, Duration::from_secs(120)).expect("a driver");
    assert!(ended.failure.is_none() && ended.stdout == "ok\n", "{:?}\n{}{}", ended.failure, ended.stdout, ended.stderr);
}
