//! `acp check` of an agent behind a URL.

use std::{collections::BTreeSet, fs, thread};

use serde_json::{Value, json};

use super::{broken, check, report, rules};
use crate::acp::{Ran, Running};

/// What needs a process of the agent.
const OF_PROCESS: [&str; 7] =
    ["before-initialize", "end-at-start", "end-of-input", "hang-up", "malformed", "terminate", "terminate-in-turn"];

fn of(url: &str) -> Ran {
    let words =
        "--format json --allow --timeout 3 --fail-on note --prompt hello --prompt edit --slow-prompt slow --agent";
    let more: Vec<_> = words.split(' ').chain([url]).collect();
    check(&more, &[])
}

#[test]
fn the_coder_breaks_nothing_over_http_and_web_sockets() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, url) = Running::listening(&folder.path().join("sessions.db"));
    let socket = url.replace("http://", "ws://");
    assert_ne!(url, socket);
    let other = thread::spawn(move || of(&socket));
    for ran in [of(&url), other.join().unwrap()] {
        let report = report(&ran);
        assert_eq!((ran.exit, broken(&report)), (0, BTreeSet::new()), "{}", report["findings"]);
        assert_eq!((&report["versions"], &report["ours"]), (&json!([1, 2]), &json!([])));
        let not_played = report["notPlayed"].as_array().unwrap();
        assert!(
            not_played.iter().all(|each| each["why"].as_str().unwrap().contains("behind a URL: ")),
            "{not_played:?}"
        );
        let names: BTreeSet<_> = not_played.iter().map(|each| each["scenario"].as_str().unwrap()).collect();
        assert_eq!((names, not_played.len()), (OF_PROCESS.into(), 2 * OF_PROCESS.len()));
        let judged = rules(&report, |rule| rule["verdict"] == "clean");
        let seen = |rule: &str| judged.contains(rule);
        assert!(
            ["slow-reader", "cancel-outcome", "goes-on", "resume-state", "list-filter"].into_iter().all(seen),
            "{judged:?}"
        );
        assert!(!["exit", "exit-by-signal", "processes-left", "ends-with-input"].into_iter().any(seen), "{judged:?}");
    }
}

#[test]
fn a_server_that_wants_a_login_gets_the_token_or_is_said_to_want_one() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/acp", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
        let head: Vec<_> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
        stream.write_all(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        head.join("\n")
    });
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    fs::write(&token, "s3cret\n").unwrap();
    let ran = check(&["--agent", &url, "--token-file", token.to_str().unwrap(), "--header", "X-Team: red"], &[]);
    ran.failed(3, &["could not be checked", "401"]);
    let head = server.join().unwrap().to_lowercase();
    assert!(head.contains("authorization: bearer s3cret") && head.contains("x-team: red"), "{head}");
}

#[test]
fn a_folder_of_another_machine_is_named_for_a_url_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, url) = Running::listening(&folder.path().join("sessions.db"));
    let (kept, there) = (folder.path().join("kept"), folder.path().join("there"));
    fs::create_dir(&there).unwrap();
    let named = ["--agent", &url, "--cwd", there.to_str().unwrap(), "--only", "two-sessions", "--keep"];
    let ran = check(&[&named[..], &[kept.to_str().unwrap()]].concat(), &[]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    let opened = |line: &str| -> Option<Value> {
        let entry: Value = serde_json::from_str(line).unwrap();
        let message: Value = serde_json::from_str(entry["line"].as_str()?).ok()?;
        (message["method"] == "session/new").then(|| message["params"]["cwd"].clone())
    };
    let tape = fs::read_to_string(kept.join("two-sessions-v1.jsonl")).unwrap();
    let folders: Vec<_> = tape.lines().filter_map(opened).collect();
    assert_eq!(folders, [json!(there), json!(there)]);
    check(&["--cwd", "/"], &[crate::acp::ECHO]).failed(2, &["`--cwd` is for an agent behind a URL"]);
}
