//! How an agent is named: by a command line, a URL, or an id of a registry.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    thread,
};

use crate::acp::{CODER, ECHO, MISBEHAVING, Running, acp, command, ended};

#[test]
fn an_agent_that_is_not_named_is_asked_for() {
    acp(["exec", "hi"]).failed(2, &["no agent is named", "after `--`", "--agent ID|URL"]);
    acp(["exec", "hi", "--agent", "x", "--", ECHO]).failed(2, &["cannot be used with"]);
}

#[test]
fn a_program_that_does_not_start_is_told_from_one_that_fails() {
    acp(["exec", "hi", "--", "/nowhere/agent"])
        .failed(4, &["could not start the agent `/nowhere/agent`", "no such file"]);
    acp(["exec", "hi", "--", MISBEHAVING, "die-first"])
        .failed(4, &["ended", "exit status: 3", "no model is configured"]);
    let silent = ["exec", "hi", "--start-timeout", "1", "--", MISBEHAVING, "silent-first"];
    acp(silent).failed(4, &["did not answer `initialize` within 1s", "installs itself"]);
    acp(["exec", "hi", "--protocol", "1", "--", MISBEHAVING, "version-2"]).failed(4, &["version 2"]);
}

#[test]
fn an_agent_behind_a_url_is_driven() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, url) = Running::listening(&folder.path().join("sessions.db"));
    let ran = acp(["exec", "hello", "--format", "quiet", "--agent", &url]);
    assert_eq!((ran.exit, &*ran.stdout), (0, "You said: hello\n"), "{ran:?}");
    let socket = url.replace("http:", "ws:");
    let ran = acp(["exec", "again", "--format", "quiet", "--agent", &socket]);
    assert_eq!((ran.exit, &*ran.stdout), (0, "You said: again\n"), "{ran:?}");
}

#[test]
fn headers_and_the_token_of_a_file_reach_the_server() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let url = format!("http://{address}/acp");
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
        let head: Vec<String> = lines.take_while(|line| !line.is_empty()).map(|line| line.to_lowercase()).collect();
        stream
            .write_all(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 12\r\nconnection: close\r\n\r\nwho are you?")
            .unwrap();
        head
    });
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    fs::write(&token, "s3cret\n").unwrap();
    let ran = acp([
        "exec".as_ref(),
        "hi".as_ref(),
        "--agent".as_ref(),
        url.as_ref(),
        "--header".as_ref(),
        "X-Tenant: blue".as_ref(),
        "--token-file".as_ref(),
        token.as_os_str(),
    ]);
    // A server that nobody has called would wait for ever.
    drop(TcpStream::connect(address));
    let head = server.join().unwrap();
    assert!(head.contains(&"authorization: bearer s3cret".to_owned()), "{head:?}");
    assert!(head.contains(&"x-tenant: blue".to_owned()), "{head:?}");
    ran.failed(3, &["401", "log in"]);
    assert!(!ran.stderr.contains("s3cret"), "{ran:?}");
}

#[test]
fn mistakes_in_the_words_for_a_url_are_told() {
    let of_url = |more: &[&str]| acp(["exec", "hi", "--agent", "https://agent.invalid/acp"].iter().chain(more));
    of_url(&["--header", "nonsense"]).failed(2, &["`--header nonsense` has no colon"]);
    of_url(&["--token-file", "/nowhere/token"]).failed(2, &["/nowhere/token", "cannot be read"]);
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("token");
    fs::write(&empty, "\n").unwrap();
    of_url(&["--token-file", empty.to_str().unwrap()]).failed(2, &["is empty"]);
    acp(["exec", "hi", "--agent", "ftp://agent.invalid"]).failed(2, &["`ftp:`", "`https:`"]);
    acp(["exec", "hi", "--header", "a: b", "--", ECHO])
        .failed(2, &["`--header` and `--token-file` are for an agent behind a URL"]);
}

const REGISTRY: &str = r#"{"version": "1.0.0", "agents": [
    {"id": "by-npm", "name": "n", "distribution": {"npx": {"package": "@a/echo@1.0.0", "args": ["--acp"], "env": {"KEPT": "yes"}}}},
    {"id": "archive", "name": "a", "distribution": {"binary": {"linux-x86_64": {"archive": "https://example.com/a.tar.gz", "cmd": "./a"},
        "linux-aarch64": {"archive": "https://example.com/a.tar.gz", "cmd": "./a"}}}},
    {"id": "elsewhere", "name": "e", "distribution": {"binary": {"plan9-mips": {"archive": "https://example.com/e.zip", "cmd": "./e"}}}}
]}"#;

/// The program `npx` of this test writes down how it was started, and is the agent.
#[cfg(unix)]
#[test]
fn an_agent_of_a_registry_is_started_as_its_entry_says() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("registry.json"), REGISTRY).unwrap();
    let script = format!("#!/bin/sh\necho \"$* $KEPT\" > '{}'\nexec '{ECHO}'\n", at("started").display());
    fs::write(at("npx"), script).unwrap();
    fs::set_permissions(at("npx"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let run = |id: &str| {
        let mut command = command(["exec", "hi", "--agent", id]);
        ended(command.env("PATH", &path).env("ACP_REGISTRY", at("registry.json")).spawn().unwrap())
    };
    let ran = run("by-npm");
    assert_eq!((ran.exit, &*ran.stdout), (0, "hi\n"), "{ran:?}");
    assert_eq!(fs::read_to_string(at("started")).unwrap(), "--yes @a/echo@1.0.0 --acp yes\n");
    run("nobody").failed(2, &["has no agent `nobody`", "by-npm, archive, elsewhere"]);
    run("elsewhere").failed(2, &["no build for this machine", "plan9-mips"]);
    if cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))) {
        run("archive").failed(2, &["unpack https://example.com/a.tar.gz", "`-- ./a`"]);
    }
}

#[test]
fn a_registry_is_a_file_or_a_checkout() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    acp(["exec", "hi", "--agent", "some"])
        .failed(2, &["no file of the registry is named", "--registry", "ACP_REGISTRY", "download https://"]);
    let run = |id: &str, registry: &str| acp(["exec", "hi", "--agent", id, "--registry", registry]);
    run("some", path).failed(2, &["has no agent `some`", "some/agent.json"]);
    fs::create_dir(folder.path().join("some")).unwrap();
    fs::write(folder.path().join("some/agent.json"), r#"{"id": "some", "distribution": {}}"#).unwrap();
    run("some", path).failed(2, &["no distribution that can be started"]);
    fs::write(folder.path().join("some/agent.json"), r#"{"id": "some", "distribution": {"npx": {"args": []}}}"#)
        .unwrap();
    run("some", path).failed(2, &["agent.json", "missing field `package`"]);
    run("some", CODER).failed(2, &["cannot be read"]);
}
